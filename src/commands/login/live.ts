import { parseBaseUrl } from '../../cli/base-url.ts'
import type { Cli } from '../../cli/cli.ts'
import type { Target } from '../../client/client.ts'

type RemoteTarget = Extract<Target, { kind: 'remote' }>

/** Whether calls reach the real world: somebody else's address, with a token that does not say that it is of a sandbox. */
export async function isLive(cli: Cli, { baseUrl, token, login }: RemoteTarget): Promise<boolean> {
  const base = parseBaseUrl(baseUrl)
  if (typeof base !== 'string' && base.loopback) return false
  const held = token ?? (login && (await tokenOf(cli, login.profile)))
  return held?.startsWith('dray_sbx_') !== true
}

/** A keyring that does not answer tells nothing. */
async function tokenOf({ runtime }: Cli, profile: string): Promise<string | undefined> {
  const { openLoginStore } = await import('./login-store.ts')
  const login = await openLoginStore(runtime, profile)
    .read()
    .catch(() => undefined)
  return login?.token
}
