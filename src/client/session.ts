/** The token of calls, and its renewal when the service no longer accepts it. */
import { AppError } from '../core/errors.ts'

/** The secrets of a login. They are never shown. */
export type Login = {
  token: string
  /** A token that can be exchanged once, for a new token and a new refresh token. */
  refreshToken?: string
  /** A program's own id and secret, by which it requests a new token. */
  client?: { id: string; secret: string; scope?: string }
  /** The short name of the login's account, if the service reported it. */
  account?: string
}

/** The storage of a login, shared by every process that uses it. */
export type LoginStore = {
  read(): Promise<Login | undefined>
  /** Saves the login. It is durable when the promise resolves. */
  write(login: Login): Promise<void>
  /** Runs `work` while no other process renews, replaces or removes this login. */
  exclusive<T>(work: () => Promise<T>): Promise<T>
}

type SessionDeps = {
  /** The token, if it is known without reading the store. */
  token: string | undefined
  /** The account of the calls. A login that in the meantime changed to another account is not used for them. */
  account: string | undefined
  /** The login's store; undefined for a token from the environment, which is not renewed. */
  kept: LoginStore | undefined
  /** Requests a renewed login from the service. Throws when the service refuses. */
  renew(login: Login): Promise<Login>
}

export type TokenSession = {
  token(): Promise<string | undefined>
  /** Returns a token other than the rejected one; undefined when there is none. Throws AppError. */
  renewed(refused: string): Promise<string | undefined>
}

/** Makes the session of one login, which all calls of a process share. */
export function makeTokenSession({ token, account, kept, renew }: SessionDeps): TokenSession {
  let current = token
  let renewing: Promise<string | undefined> | undefined

  async function renewOnce(refused: string, store: LoginStore): Promise<string | undefined> {
    const login = await store.read()
    if (login === undefined) return undefined
    if (login.account !== account) throw somebodyElse()
    // Another process has renewed the login. Its token is used: renewing again would look like theft.
    if (login.token !== refused) return login.token
    if (login.refreshToken === undefined && login.client === undefined) return undefined
    const next = await renew(login)
    // Saved before its first use, so that a crash does not lose the new login.
    await store.write(next)
    return next.token
  }

  return {
    async token() {
      return (current ??= (await kept?.read())?.token)
    },
    async renewed(refused) {
      if (kept === undefined) return undefined
      if (current !== refused) return current
      renewing ??= kept
        .exclusive(() => renewOnce(refused, kept))
        .finally(() => {
          renewing = undefined
        })
      const token = await renewing
      if (token !== undefined) current = token
      return token
    },
  }
}

function somebodyElse(): AppError {
  return new AppError(
    'not_logged_in',
    'The login changed to another account during this command. Nothing was sent.',
    {
      hint: 'Run the command again to act as the account that is logged in now.',
    },
  )
}
