/** Devices that wait for a person, and that person's browser as plain HTTP calls. */
import type { ServedStore } from './served.ts'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

export type PendingLogin = { userCode: string; deviceCode: string; address: string }

/** Starts the login of a device, as `dray login` does. */
export async function startLogin({ url }: Pick<ServedStore, 'url'>, scope?: string): Promise<PendingLogin> {
  const response = await fetch(`${url}/oauth/device_authorization`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: 'dray-cli',
      device_name: 'lighthouse (Linux)',
      ...(scope !== undefined && { scope }),
    }),
  })
  const answer = (await response.json()) as Record<string, string>
  const { device_code, user_code, verification_uri_complete } = answer
  if (!response.ok || !device_code || !user_code || !verification_uri_complete)
    throw new Error(`no device code: ${JSON.stringify(answer)}`)
  return { userCode: user_code, deviceCode: device_code, address: verification_uri_complete }
}

/** Polls for a device's tokens. Returns the tokens, or an `error`. */
export async function askForToken(
  { url }: Pick<ServedStore, 'url'>,
  { deviceCode }: PendingLogin,
): Promise<Record<string, string>> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: DEVICE_GRANT,
      client_id: 'dray-cli',
      device_code: deviceCode,
    }),
  })
  return (await response.json()) as Record<string, string>
}

type ControlledService = Pick<ServedStore, 'url' | 'controlToken'>

/** Returns a link by which one browser may approve, as `dray serve` prints it. */
export async function requestApprovalLink({ url, controlToken }: ControlledService): Promise<string> {
  const response = await fetch(`${url}/sandbox/approval-links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    body: '{}',
  })
  if (!response.ok) throw new Error(`no link: ${await response.text()}`)
  return url + ((await response.json()) as { path: string }).path
}

/** Opens a link and returns the browser's cookie; empty when the link was rejected. */
export async function visitApprovalLink(link: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(link, { redirect: 'manual', headers })
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** Advances the clock until all pending codes have expired. */
export async function expireDeviceCodes({ url, controlToken }: ControlledService): Promise<void> {
  const response = await fetch(`${url}/sandbox/clock/advance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ by: '11m' }),
  })
  if (!response.ok) throw new Error(`the clock stands: ${await response.text()}`)
}
