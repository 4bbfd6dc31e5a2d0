/** The device flow (RFC 8628): a device shows a code, and a person enters it on another device. */
import { loadAccount } from '../areas/account/queries/accounts.ts'
import { type Account, liveScopes, type Scope, SCOPES } from '../core/account.ts'
import type { Tx } from '../core/db.ts'
import { AppError } from '../core/errors.ts'
import { sha256Hex } from '../core/hash.ts'
import {
  decideDeviceRow,
  type DeviceRecord,
  findDeviceByUserCode,
  deleteExpiredDevices,
  insertDevice,
} from './queries/device-codes.ts'
import { OAuthError } from './refusal.ts'
import { grantScopes } from './scopes.ts'
import { newSecret, newUserCode, readUserCode } from './secrets.ts'

/** The time that a code is good for, by the service's clock. */
const CODE_LIFE_S = 600
/** The interval at which a device may ask, by the machine's clock. */
const INTERVAL_S = 5
/** Expired codes are kept for this time, so that they are reported as expired and not as unknown. */
const MEMORY_MS = 3_600_000
const MAX_NAME = 60
const DRAWS = 8

/** A device, as shown to the person who decides about it. */
export type Device = {
  user_code: string
  /** The name that the device gives itself. It is not verified. */
  device: string
  client_id: string
  /** The requested scopes; after approval the granted ones. */
  scopes: readonly Scope[]
  status: DeviceRecord['status'] | 'expired'
  expires_at: number
}

/** Starts the login of a device and returns its two codes. `now` is the service's clock. */
export async function startDeviceLogin(
  tx: Tx,
  asked: { clientId: string; scope: string | undefined; device: string },
  now: number,
  random: (count: number) => Uint8Array,
): Promise<{ deviceCode: string; userCode: string; expiresIn: number; interval: number } | OAuthError> {
  const scopes = grantScopes(asked.scope, SCOPES)
  if (scopes instanceof OAuthError) return scopes
  await deleteExpiredDevices(tx, now - MEMORY_MS)
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

/**
 * Returns the device that shows this code, in any spelling that `readUserCode` accepts; undefined when there is none.
 */
export async function findDevice(tx: Tx, userCode: string, now: number): Promise<Device | undefined> {
  const code = readUserCode(userCode)
  const found = code === undefined ? undefined : await findDeviceByUserCode(tx, code)
  if (found === undefined) return undefined
  const { user_code, device, client_id, scopes, status, expires_at } = found
  const over = expires_at <= now && (status === 'pending' || status === 'approved')
  return { user_code, device, client_id, scopes, status: over ? 'expired' : status, expires_at }
}

/** A person's decision about a pending device. `accountId` is the id or short name of the account it will act for. */
export type DeviceDecision =
  | { userCode: string; approve: true; accountId: string }
  | { userCode: string; approve: false; accountId?: string }

/**
 * Approves a device with those of its scopes that the account has, or denies it. Throws `invalid_request` for an
 * unknown code, `invalid_state` for a code that is expired or decided or whose scopes the account lacks, and
 * `account_not_found`.
 */
export async function decideDevice(
  tx: Tx,
  decision: DeviceDecision,
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
    `${account.handle} has none of the permissions that the device requests: ${device.scopes.join(', ')}.`,
    { hint: 'Approve it for another account, or log in again with other scopes.' },
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

/**
 * Returns the error for a device that is no longer pending. A missing device, or one that still looks pending, counts
 * as expired.
 */
function notPending(device: Device | undefined): AppError {
  const status = device === undefined || device.status === 'pending' ? 'expired' : device.status
  const again = status === 'expired' || status === 'denied'
  return new AppError('invalid_state', DECIDED[status], {
    ...(again && { hint: 'Start again on the device: `dray login` shows a new code.' }),
  })
}

/**
 * Returns a device's name: the one it gave itself, or else its user agent. Removes characters that could move or hide
 * the text around it.
 */
export function readDeviceName(given: string | undefined, userAgent: string | undefined): string {
  const name = cleanDeviceName(given ?? '')
  return name === '' ? cleanDeviceName(userAgent ?? '') || 'A device without a name' : name
}

function cleanDeviceName(text: string): string {
  const plain = text
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim()
  return Array.from(plain).slice(0, MAX_NAME).join('').trim()
}
