import type { Address } from '../../../core/address.ts'
import type { Row, Tx } from '../../../core/db.ts'
import type { Point } from '../../../core/geometry.ts'
import type { Weekday } from '../../../core/time.ts'
import type { ServiceLevelCode } from '../rules/rates.ts'

/** A depot from which parcels are collected. Times of day are local to its zone. */
export type Hub = {
  hub_id: string
  code: string
  name: string
  address: Address
  location: Point
  timezone: string
  collection: { days: Weekday[]; from: string; cutoff: string }
  service_levels: ServiceLevelCode[]
  capacity_per_day: number | null
  active: boolean
}

/** The depots of an agreement, closed ones too, in the carrier's own order. */
export async function listHubs(tx: Tx, agreementId: string): Promise<Hub[]> {
  const rows = await tx.all(
    `select h.hub_id, h.code, h.active, h.doc from agreement_hubs ah join hubs h on h.hub_id = ah.hub_id
     where ah.agreement_id = $1 order by h.sort`,
    agreementId,
  )
  return rows.map(toHub)
}

/** Every depot of the carrier, closed ones too. */
export async function listAllHubs(tx: Tx): Promise<Hub[]> {
  const rows = await tx.all('select hub_id, code, active, doc from hubs order by sort')
  return rows.map(toHub)
}

/** A depot by id or code, of whatever agreement: where a scanner stands. */
export async function findHub(tx: Tx, idOrCode: string): Promise<Hub | undefined> {
  const column = idOrCode.includes('_') ? 'hub_id' : 'code'
  const row = await tx.get(`select hub_id, code, active, doc from hubs where ${column} = $1`, idOrCode)
  return row && toHub(row)
}

export async function insertHubs(tx: Tx, hubs: readonly Hub[]): Promise<void> {
  await tx.insertMany(
    'hubs',
    ['hub_id', 'code', 'sort', 'active', 'doc'],
    hubs.map(({ hub_id, code, active, ...doc }, index) => [
      hub_id,
      code,
      index + 1,
      active ? 1 : 0,
      JSON.stringify(doc),
    ]),
  )
}

function toHub(row: Row): Hub {
  return {
    hub_id: String(row['hub_id']),
    code: String(row['code']),
    ...(JSON.parse(String(row['doc'])) as Omit<Hub, 'hub_id' | 'code' | 'active'>),
    active: row['active'] === 1,
  }
}
