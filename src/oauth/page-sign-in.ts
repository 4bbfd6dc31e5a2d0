/** Browsers that sign in without a link: each shows a code, and a person approves it as the login of a device. */
import { serviceNow } from '../core/clock.ts'
import type { Db, Tx } from '../core/db.ts'
import { sha256Hex } from '../core/hash.ts'
import { type PageName, pageScopes } from '../core/pages.ts'
import { loadWorld, lockWorld } from '../db/world.ts'
import { startDeviceLogin } from './device.ts'
import { createPageSession, type PageSecrets } from './page-sessions.ts'
import { type DeviceRecord, lockDevice, markDeviceUsed } from './queries/device-codes.ts'
import { OAuthError } from './refusal.ts'

/** The program that such a browser is. No other program can get tokens by its codes. */
export const PAGES_CLIENT = 'dray-pages'

type Moment = { machineNow: number; random: (count: number) => Uint8Array }

/** The stage of a sign-in. Unknown and used codes count as expired. */
export type SignIn =
  | { status: 'pending'; userCode: string }
  | { status: 'denied' | 'expired' }
  | { status: 'done'; secret: string }

/**
 * Starts the sign-in of a browser, which is called `device`, and asks for the scopes that its page uses. Returns the secret
 * that the browser keeps in the meantime.
 */
export async function startSignIn(
  db: Db,
  { device, page }: { device: string; page: PageName | undefined },
  { machineNow, random }: Moment,
): Promise<string> {
  return db.write(async (tx) => {
    const now = serviceNow((await lockWorld(tx)).clock, machineNow)
    const scope = pageScopes(page).join(' ')
    const started = await startDeviceLogin(tx, { clientId: PAGES_CLIENT, scope, device }, now, random)
    if (started instanceof OAuthError) throw started
    return started.deviceCode
  })
}

/** Signs the browser in to a page once a person has approved it. `before` are its earlier secrets: see `createPageSession`. */
export async function continueSignIn(
  db: Db,
  { code, page, before }: { code: string; page: PageName | undefined; before: PageSecrets },
  moment: Moment,
): Promise<SignIn> {
  const hash = sha256Hex(code)
  const find = async (tx: Tx): Promise<{ device: DeviceRecord | undefined; signIn: SignIn | undefined }> => {
    const now = serviceNow((await loadWorld(tx)).clock, moment.machineNow)
    const device = await lockDevice(tx, hash)
    return { device, signIn: waitingOf(device, now) }
  }
  // A browser that waits asks often, and writes nothing.
  const { signIn } = await db.read(find)
  if (signIn !== undefined) return signIn
  return db.write(async (tx) => {
    await lockWorld(tx)
    const found = await find(tx)
    if (found.signIn !== undefined) return found.signIn
    const { account_id = null, scopes = [] } = found.device ?? {}
    if (account_id === null || !(await markDeviceUsed(tx, hash))) return { status: 'expired' }
    const secret = await createPageSession(
      tx,
      { page: page ?? null, account_id, scopes, control: false, grant_id: null, token_hash: null },
      { before, ...moment },
    )
    return { status: 'done', secret }
  })
}

/** Returns where the sign-in of a device is; undefined once it is approved. */
function waitingOf(device: DeviceRecord | undefined, now: number): SignIn | undefined {
  if (device === undefined || device.client_id !== PAGES_CLIENT || device.expires_at <= now)
    return { status: 'expired' }
  const { status, user_code: userCode } = device
  if (status === 'pending') return { status, userCode }
  if (status === 'approved') return undefined
  return { status: status === 'denied' ? 'denied' : 'expired' }
}
