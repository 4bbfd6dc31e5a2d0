/** One service: its connection, the tokens for it, and the calls that get one. */
import { AppError } from '../core/errors.ts'
import type { Machine } from '../core/machine.ts'
import { isLoopback } from '../core/network.ts'
import { isRead } from '../core/operation.ts'
import { assertResponseMatchesCall, readResponseObject } from './answers.ts'
import { withControlTypes } from './client.ts'
import type { Client, Identity, Target } from './client.ts'
import { introspectionOf, readIdentity } from './introspection.ts'
import { makeBearerHeader, toRequest } from './remote-request.ts'
import { type makeSender, READ_LIMIT_MS, WRITE_LIMIT_MS } from './sender.ts'
import type { LoginStore, TokenSession } from './session.ts'

export type RemoteDeps = Pick<
  Machine,
  'env' | 'paths' | 'now' | 'elapsed' | 'random' | 'weakRandomBytes' | 'sleep'
> & {
  debug(line: string): void
  /** Called with a warning for the user, whatever the verbosity. */
  warn?(line: string): void
  /** The store of the target's login. Without it, a token is not renewed. */
  kept?: LoginStore | undefined
}

export type RemoteTarget = Extract<Target, { kind: 'remote' }>

/** The timeout of `whoAmI`; it is short, because a command waits for it before it starts. */
const WHO_LIMIT_MS = 5_000

/** One service and its connection. */
export type Remote = {
  target: RemoteTarget
  base: URL
  deps: RemoteDeps
  send: ReturnType<typeof makeSender>
  session: TokenSession
  /** Tokens of accounts that were used instead of the target's. */
  minted: Map<string, Promise<string>>
}

export function limitOf({ target }: Pick<Remote, 'target'>, read: boolean): number {
  return target.timeoutMs ?? (read ? READ_LIMIT_MS : WRITE_LIMIT_MS)
}

/** Returns the function that makes control calls. */
export function controlOver(remote: Remote): Client['control'] {
  return withControlTypes(async (name, input) => {
    const { CONTROL_ROUTES } = await import('../generated/control-routes.ts')
    const route = Object.hasOwn(CONTROL_ROUTES, name) ? CONTROL_ROUTES[name] : undefined
    if (route === undefined)
      throw new AppError('route_not_found', `Unknown control call ${name.slice(0, 60)}.`)
    const read = isRead(route)
    const request = toRequest(route, input, makeBearerHeader(await controlToken(remote)))
    const reply = await remote.send(request, { repeatable: read, limitMs: limitOf(remote, read) })
    const value = readResponseObject(reply)
    // Fields of the path are not compared: an account asked for by its name is answered by its id.
    assertResponseMatchesCall(name, { ...route, ...(await route.loadCheck()), repeats: [] }, input, value)
    return value
  })
}

export async function controlToken({ target, base, deps }: Remote): Promise<string> {
  const { findServedToken } = await import('./control-token.ts')
  const port = Number(base.port === '' ? 80 : base.port)
  const token =
    target.controlToken ?? (isLoopback(base.hostname) ? findServedToken(port, deps.paths.state) : undefined)
  if (token !== undefined) return token
  throw new AppError('not_logged_in', `The control token of ${base.origin} is unknown.`, {
    hint: 'Run sandbox commands on the machine, and as the user, that runs `dray serve`.',
  })
}

/** Returns the target's token, or one for the account to use instead. */
export async function accessToken(remote: Remote, as = remote.target.account): Promise<string> {
  if (as !== undefined) return tokenOf(remote, as)
  const token = await remote.session.token()
  if (token !== undefined) return token
  throw new AppError('not_logged_in', `You are not logged in to ${remote.base.origin}.`)
}

/** Runs `work` with the token, and again with a renewed token if that one is rejected. */
export async function withToken<T>(
  remote: Remote,
  as: string | undefined,
  work: (token: string) => Promise<T>,
): Promise<T> {
  const token = await accessToken(remote, as)
  try {
    return await work(token)
  } catch (error) {
    const ours = as === undefined && remote.target.account === undefined
    if (!ours || !(error instanceof AppError) || error.code !== 'invalid_token') throw error
    const renewed = await remote.session.renewed(token)
    if (renewed === undefined) throw error
    return work(renewed)
  }
}

function tokenOf(remote: Remote, account: string): Promise<string> {
  const token = remote.minted.get(account) ?? mint(remote, account)
  remote.minted.set(account, token)
  return token
}

async function mint(remote: Remote, account: string): Promise<string> {
  const { token } = await controlOver(remote)('mint_token', { account })
  return token
}

export async function whoAmI(remote: Remote): Promise<Identity> {
  return withToken(remote, undefined, async (token) => {
    const request = introspectionOf(token, makeBearerHeader(token))
    const limitMs = Math.min(limitOf(remote, true), WHO_LIMIT_MS)
    return readIdentity(await remote.send(request, { repeatable: true, limitMs }))
  })
}
