/** Links that let one browser approve devices: made with the control token, so only on the machine that serves. */
import type { CommandContext } from '../cli/cli.ts'
import type { Client, Target } from '../client/client.ts'
import { AppError } from '../core/errors.ts'
import { connectionDeps } from './login/connect.ts'

/** A service on this machine answers within this time, in milliseconds, or is not running. */
const LOCAL_LIMIT_MS = 2_000

export type ApprovalLink = { link: URL; expiresIn: number }

/** Makes a link for the service at an address. Throws AppError when the control token is not known. */
export async function createLink(client: Client, address: string): Promise<ApprovalLink> {
  const made = await client.control('create_approval_link', {})
  return { link: new URL(address + made.path), expiresIn: made.expires_in }
}

/** Returns the page of a device with the right to approve it; undefined when someone else must approve. */
export async function ownPage(
  cli: CommandContext,
  address: string,
  userCode: string,
): Promise<URL | undefined> {
  const target: Target = {
    kind: 'remote',
    baseUrl: address,
    token: undefined,
    controlToken: undefined,
    timeoutMs: LOCAL_LIMIT_MS,
  }
  const { debug, warn } = connectionDeps(cli)
  const client = await cli.runtime.openClient(target, { firstRun: () => undefined, debug, warn })
  try {
    const { link } = await createLink(client, address)
    link.searchParams.set('user_code', userCode)
    return link
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  } finally {
    await client.close()
  }
}

/**
 * Returns the address of a service on this machine that serves an embedded store. Throws AppError('usage') without one.
 */
export async function findServiceUrl(cli: CommandContext, store: string): Promise<string> {
  const [{ findControlToken, findServedPorts }, { offersCodes, openOAuth }] = await Promise.all([
    import('../client/control-token.ts'),
    import('../client/oauth.ts'),
  ])
  const { state } = cli.runtime.paths
  const token = findControlToken(store, state)
  const ports = token === undefined ? [] : findServedPorts(token, state)
  for (const host of ports.flatMap((port) => [`127.0.0.1:${port}`, `[::1]:${port}`])) {
    const address = `http://${host}`
    const { send, close } = await openOAuth(address, LOCAL_LIMIT_MS, connectionDeps(cli))
    try {
      if (await offersCodes(send)) return address
    } catch (error) {
      // A service that was killed does not remove its port.
      if (!(error instanceof AppError)) throw error
    } finally {
      await close()
    }
  }
  throw new AppError('usage', 'No server on this machine serves this sandbox, so there is no page to open.', {
    hint: 'Start `dray serve` first, or set a server with --base-url.',
  })
}
