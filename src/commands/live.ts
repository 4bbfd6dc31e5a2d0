import { parseBaseUrl } from '../cli/base-url.ts'
import type { CommandContext } from '../cli/cli.ts'
import type { Target } from '../client/client.ts'

type RemoteTarget = Extract<Target, { kind: 'remote' }>

/**
 * Returns whether calls reach a real service: the address is not local, and the token does not say that it is a
 * sandbox's.
 */
export async function isLive(cli: CommandContext, { baseUrl, token, login }: RemoteTarget): Promise<boolean> {
  const base = parseBaseUrl(baseUrl)
  if (typeof base !== 'string' && base.loopback) return false
  const held = token ?? (login && (await tokenOf(cli, login.profile)))
  return held?.startsWith('dray_sbx_') !== true
}

/** Returns the stored token; undefined when the keyring does not answer. */
async function tokenOf({ runtime }: CommandContext, profile: string): Promise<string | undefined> {
  const { openLoginStore } = await import('./login-store.ts')
  const login = await openLoginStore(runtime, profile)
    .read()
    .catch(() => undefined)
  return login?.token
}
