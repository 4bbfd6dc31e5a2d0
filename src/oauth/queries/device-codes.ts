import type { Scope } from '../../core/account.ts'
import type { Tx } from '../../core/db.ts'
import { defineTable } from '../../db/table.ts'

export type DeviceStatus = 'pending' | 'approved' | 'denied' | 'used'

/**
 * A device that waits for a person. Times are milliseconds by the service's clock, except `polled_at`, which is by
 * the machine's.
 */
export type DeviceRecord = {
  user_code: string
  client_id: string
  /** The name that the device gives itself. */
  device: string
  /** The requested scopes; after approval the granted ones. */
  scopes: readonly Scope[]
  status: DeviceStatus
  account_id: string | null
  interval_s: number
  polled_at: number | null
  created_at: number
  expires_at: number
}

const DEVICES = defineTable<DeviceRecord>({
  name: 'device_codes',
  key: 'device_code_hash',
  columns: {
    user_code: 'text',
    client_id: 'text',
    device: 'text',
    scopes: 'words',
    status: 'text',
    account_id: 'text or null',
    interval_s: 'integer',
    polled_at: 'integer or null',
    created_at: 'integer',
    expires_at: 'integer',
  },
})

/** Inserts a device. Returns false when its user code is already in use. */
export async function insertDevice(
  tx: Tx,
  codeHash: string,
  device: Omit<DeviceRecord, 'status' | 'account_id' | 'polled_at'>,
): Promise<boolean> {
  const inserted = await tx.run(
    `insert into device_codes
       (device_code_hash, user_code, client_id, device, scopes, status, interval_s, created_at, expires_at)
     values ($1, $2, $3, $4, $5, 'pending', $6, $7, $8) on conflict do nothing`,
    codeHash,
    device.user_code,
    device.client_id,
    device.device,
    device.scopes.join(' '),
    device.interval_s,
    device.created_at,
    device.expires_at,
  )
  return inserted === 1
}

/** Returns the device that shows this code to its user. */
export async function findDeviceByUserCode(tx: Tx, userCode: string): Promise<DeviceRecord | undefined> {
  return DEVICES.first(tx, 'where user_code = $1', userCode)
}

/** Locks the device with a device code of this SHA-256 until the transaction ends. */
export async function lockDevice(tx: Tx, codeHash: string): Promise<DeviceRecord | undefined> {
  return DEVICES.lock(tx, codeHash)
}

/**
 * Writes a person's decision; without an account the device is denied. Returns false when it was decided before, or
 * is expired.
 */
export async function decideDeviceRow(
  tx: Tx,
  userCode: string,
  decision: { accountId: string; scopes: readonly Scope[] } | undefined,
  now: number,
): Promise<boolean> {
  const decided =
    decision === undefined
      ? await tx.run(
          `update device_codes set status = 'denied' where user_code = $1 and status = 'pending' and expires_at > $2`,
          userCode,
          now,
        )
      : await tx.run(
          `update device_codes set status = 'approved', account_id = $1, scopes = $2
           where user_code = $3 and status = 'pending' and expires_at > $4`,
          decision.accountId,
          decision.scopes.join(' '),
          userCode,
          now,
        )
  return decided === 1
}

/** Marks an approved code as used, so that it makes only one login. Returns false the second time. */
export async function markDeviceUsed(tx: Tx, codeHash: string): Promise<boolean> {
  const used = await tx.run(
    `update device_codes set status = 'used' where device_code_hash = $1 and status = 'approved'`,
    codeHash,
  )
  return used === 1
}

/** Writes when a device polled, by the machine's clock, and its next interval in seconds. */
export async function markPolled(
  tx: Tx,
  codeHash: string,
  polledAt: number,
  intervalS: number,
): Promise<void> {
  await tx.run(
    'update device_codes set polled_at = $1, interval_s = $2 where device_code_hash = $3',
    polledAt,
    intervalS,
    codeHash,
  )
}

/** Deletes the devices that expired at or before `before`. */
export async function deleteExpiredDevices(tx: Tx, before: number): Promise<void> {
  await tx.run('delete from device_codes where expires_at <= $1', before)
}
