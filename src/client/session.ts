/** The token that calls are made with, and how it is renewed when the service no longer takes it. */
import { AppError } from '../core/errors.ts'

/** What a login holds. None of it is ever shown. */
export type Login = {
  token: string
  /** Good for one new token, and for the next of its kind. */
  refreshToken?: string
  /** A program's own name and secret, with which it asks for a new token. */
  client?: { id: string; secret: string; scope?: string }
  /** The short name of the account that it is for, where the service told it. */
  account?: string
}

/** Where a login is kept, for every process that uses it. */
export type LoginStore = {
  read(): Promise<Login | undefined>
  /** Durable when it resolves. */
  write(login: Login): Promise<void>
  /** Runs while no other process renews, replaces or removes this login. */
  exclusive<T>(work: () => Promise<T>): Promise<T>
}

type SessionDeps = {
  /** Known without asking where it is kept. */
  token: string | undefined
  /** Whose the calls are: a login that became somebody else's meanwhile is not used for them. */
  account: string | undefined
  /** Undefined where nothing is kept: a token from the environment is not renewed. */
  kept: LoginStore | undefined
  /** Asks the service for another login; throws when it refuses. */
  renew(login: Login): Promise<Login>
}

export type Session = {
  token(): Promise<string | undefined>
  /** Another token than the one that was refused; undefined when none can be had. Throws AppError. */
  renewed(refused: string): Promise<string | undefined>
}

/** One login, used by all calls of a process at once. */
export function makeSession({ token, account, kept, renew }: SessionDeps): Session {
  let current = token
  let renewing: Promise<string | undefined> | undefined

  async function renewOnce(refused: string, store: LoginStore): Promise<string | undefined> {
    const login = await store.read()
    if (login === undefined) return undefined
    if (login.account !== account) throw somebodyElse()
    // Another process was here first: what it was given is not asked for twice, that would look like theft.
    if (login.token !== refused) return login.token
    if (login.refreshToken === undefined && login.client === undefined) return undefined
    const next = await renew(login)
    // Before its first use: whatever happens next, what is kept is what counts.
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
    'Somebody else was logged in here meanwhile; nothing was done as them.',
    {
      hint: 'Run the command again to act as the account that is logged in now.',
    },
  )
}
