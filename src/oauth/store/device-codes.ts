import type { Scope } from '../../core/account.ts'
import type { Tx } from '../../core/db.ts'
import { defineTable } from '../../store/table.ts'

export type DeviceStatus = 'pending' | 'approved' | 'denied' | 'used'

/** A device that waits for a person. Times in milliseconds of service time, but `polled_at`: the machine's. */
export type DeviceRecord = {
  user_code: string
  client_id: string
  /** What it calls itself. */
  device: string
  /** Those asked for; once it is approved, those granted. */
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

/** False when the user code is taken. */
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

/** The device that shows this code to its user. */
export async function findDeviceByUserCode(tx: Tx, userCode: string): Promise<DeviceRecord | undefined> {
  return DEVICES.first(tx, 'where user_code = $1', userCode)
}

/** The device that holds the code with this SHA-256; others that ask for it wait until this transaction ends. */
export async function lockDevice(tx: Tx, codeHash: string): Promise<DeviceRecord | undefined> {
  return DEVICES.lock(tx, codeHash)
}

/** Writes what a person decided; false when somebody decided before, or too late. Without an account it is denied. */
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

/** Turns an approved code into the one login it stands for; false the second time. */
export async function useDevice(tx: Tx, codeHash: string): Promise<boolean> {
  const used = await tx.run(
    `update device_codes set status = 'used' where device_code_hash = $1 and status = 'approved'`,
    codeHash,
  )
  return used === 1
}

/** Remembers when a device asked, by the machine's clock, and how long it must wait before it asks again. */
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

/** Forgets the devices whose time was over at `before`. */
export async function forgetDevices(tx: Tx, before: number): Promise<void> {
  await tx.run('delete from device_codes where expires_at <= $1', before)
}
