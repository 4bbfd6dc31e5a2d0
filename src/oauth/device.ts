/** A device that shows a code, and the person who enters it elsewhere (RFC 8628). */
import { loadAccount } from '../areas/account/store.ts'
import { type Account, liveScopes, type Scope, SCOPES } from '../core/account.ts'
import type { Tx } from '../core/db.ts'
import { AppError } from '../core/errors.ts'
import { sha256Hex } from '../core/hash.ts'
import { Refusal } from './refusal.ts'
import { grantScopes } from './scopes.ts'
import { newSecret, newUserCode, readUserCode } from './secrets.ts'
import {
  decideDeviceRow,
  type DeviceRecord,
  findDeviceByUserCode,
  forgetDevices,
  insertDevice,
} from './store/device-codes.ts'

/** How long a code is good for, by the service's clock. */
const CODE_LIFE_S = 600
/** How often a device may ask, by the machine's clock. */
const INTERVAL_S = 5
/** How long it is still known that a code is over; later it is one that never was. */
const MEMORY_MS = 3_600_000
const MAX_NAME = 60
const DRAWS = 8

/** A device as the person who is asked about it sees it. */
export type Device = {
  user_code: string
  /** What it calls itself; not to be believed. */
  device: string
  client_id: string
  /** Those it asks for; once it is approved, those granted. */
  scopes: readonly Scope[]
  status: DeviceRecord['status'] | 'expired'
  expires_at: number
}

/** Takes note of a device that wants to be let in, and gives it its two codes. `now` is the service's clock. */
export async function startDevice(
  tx: Tx,
  asked: { clientId: string; scope: string | undefined; device: string },
  now: number,
  random: (count: number) => Uint8Array,
): Promise<{ deviceCode: string; userCode: string; expiresIn: number; interval: number } | Refusal> {
  const scopes = grantScopes(asked.scope, SCOPES)
  if (scopes instanceof Refusal) return scopes
  await forgetDevices(tx, now - MEMORY_MS)
  const deviceCode = newSecret('device', random)
  for (let draw = 0; draw < DRAWS; draw++) {
    const userCode = newUserCode(random)
    const inserted = await insertDevice(tx, sha256Hex(deviceCode), {
      user_code: userCode,
      client_id: asked.clientId,
      device: asked.device,
      scopes,
      interval_s: INTERVAL_S,
      created_at: now,
      expires_at: now + CODE_LIFE_S * 1000,
    })
    if (inserted) return { deviceCode, userCode, expiresIn: CODE_LIFE_S, interval: INTERVAL_S }
  }
  throw new Error('no user code is free')
}

/** The device that shows this code, however it was typed; undefined when none does. */
export async function findDevice(tx: Tx, userCode: string, now: number): Promise<Device | undefined> {
  const code = readUserCode(userCode)
  const found = code === undefined ? undefined : await findDeviceByUserCode(tx, code)
  if (found === undefined) return undefined
  const { user_code, device, client_id, scopes, status, expires_at } = found
  const over = expires_at <= now && (status === 'pending' || status === 'approved')
  return { user_code, device, client_id, scopes, status: over ? 'expired' : status, expires_at }
}

/** What somebody says to a device that waits. `accountId` (an id or a short name) is for whom it will speak. */
export type Decision =
  | { userCode: string; approve: true; accountId: string }
  | { userCode: string; approve: false; accountId?: string }

/**
 * Lets a device in, with those of its scopes that the account has, or turns it away. Throws `invalid_request` for a
 * code that nobody shows, `invalid_state` for one that is over or decided, or that asks for nothing the account may
 * do, and `account_not_found`.
 */
export async function decideDevice(
  tx: Tx,
  decision: Decision,
  now: number,
): Promise<{ device: Device; account: Account | undefined }> {
  const device = await findDevice(tx, decision.userCode, now)
  if (device === undefined) throw unknownCode()
  if (device.status !== 'pending') throw notPending(device)
  const granted = decision.approve ? await allow(tx, device, decision.accountId) : undefined
  const decided = await decideDeviceRow(
    tx,
    device.user_code,
    granted && { accountId: granted.account.account_id, scopes: granted.scopes },
    now,
  )
  if (!decided) throw notPending(await findDevice(tx, decision.userCode, now))
  return {
    device: {
      ...device,
      scopes: granted?.scopes ?? device.scopes,
      status: granted === undefined ? 'denied' : 'approved',
    },
    account: granted?.account,
  }
}

async function allow(
  tx: Tx,
  device: Device,
  accountId: string,
): Promise<{ account: Account; scopes: readonly Scope[] }> {
  const account = await loadAccount(tx, accountId)
  const scopes = liveScopes(device.scopes, account)
  if (scopes.length > 0) return { account, scopes }
  throw new AppError(
    'invalid_state',
    `${account.handle} may do nothing of what the device asks for: ${device.scopes.join(', ')}.`,
    { hint: 'Approve it for another account, or log in again and ask for other scopes.' },
  )
}

function unknownCode(): AppError {
  const detail = 'No device that waits shows this user code'
  return new AppError('invalid_request', `${detail}.`, {
    errors: [{ pointer: '/user_code', code: 'invalid_format', detail }],
    hint: 'Compare it with the code on the device. A code lasts ten minutes; `dray login` shows a new one.',
  })
}

const DECIDED = {
  expired: 'The code is over.',
  approved: 'The device was approved already.',
  denied: 'The device was denied already.',
  used: 'The device is logged in already.',
} as const

/** What is to be said of a device that waits no longer; one that still seems to was decided by another just now. */
function notPending(device: Device | undefined): AppError {
  const status = device === undefined || device.status === 'pending' ? 'expired' : device.status
  const again = status === 'expired' || status === 'denied'
  return new AppError('invalid_state', DECIDED[status], {
    ...(again && { hint: 'Start again on the device: `dray login` shows a new code.' }),
  })
}

/**
 * What a device is called: the name it gave itself, else the program it asked with. Nothing in it can move or hide the
 * text around it.
 */
export function readDeviceName(given: string | undefined, userAgent: string | undefined): string {
  const name = tidy(given ?? '')
  return name === '' ? tidy(userAgent ?? '') || 'A device without a name' : name
}

function tidy(text: string): string {
  const plain = text
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim()
  return Array.from(plain).slice(0, MAX_NAME).join('').trim()
}
