import type { Address } from '../../../core/address.ts'
import type { Tx } from '../../../core/db.ts'
import type { Point } from '../../../core/geometry.ts'
import type { Weekday } from '../../../core/time.ts'
import { cached } from '../../../db/read-cache.ts'
import { defineDocTable } from '../../../db/table.ts'
import type { ServiceLevelCode } from '../rules/rates.ts'

/** A hub from which parcels are collected. Times of day are local to its zone. */
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

const HUBS = defineDocTable<Hub, 'hub_id' | 'code' | 'active', 'sort', Hub & { sort: number }>({
  name: 'hubs',
  key: 'hub_id',
  columns: { hub_id: 'text', code: 'text', sort: ({ sort }) => sort, active: 'boolean' },
})

/** The hubs of an agreement, closed ones too, in the carrier's own order. */
export async function listAgreementHubs(tx: Tx, agreementId: string): Promise<readonly Hub[]> {
  return cached(
    tx,
    { key: `hubs ${agreementId}`, tables: ['agreement_hubs', 'hubs'], holds: () => true },
    () => readHubs(tx, agreementId),
  )
}

async function readHubs(tx: Tx, agreementId: string): Promise<Hub[]> {
  const rows = await tx.all(
    `select h.hub_id, h.code, h.active, h.doc from agreement_hubs ah join hubs h on h.hub_id = ah.hub_id
     where ah.agreement_id = $1 order by h.sort`,
    agreementId,
  )
  return rows.map((row) => inOrder(HUBS.map(row)))
}

/** Returns every hub of the carrier, including closed ones. */
export async function listAllHubs(tx: Tx): Promise<Hub[]> {
  return (await HUBS.list(tx, 'order by sort')).map(inOrder)
}

/** Returns the hub with this id or code. */
export function pickHub(hubs: readonly Hub[], idOrCode: string): Hub | undefined {
  return hubs.find(({ hub_id, code }) => hub_id === idOrCode || code === idOrCode.toUpperCase())
}

/** Finds a hub of any agreement by its id or code. */
export async function findHubByIdOrCode(tx: Tx, idOrCode: string): Promise<Hub | undefined> {
  const column = idOrCode.includes('_') ? 'hub_id' : 'code'
  const hub = await HUBS.first(tx, `where ${column} = $1`, idOrCode)
  return hub && inOrder(hub)
}

export async function insertHubs(tx: Tx, hubs: readonly Hub[]): Promise<void> {
  await HUBS.insert(
    tx,
    hubs.map((hub, index) => ({ ...hub, sort: index + 1 })),
  )
}

/** Returns the fields in the order in which they are shown. */
function inOrder({ active, ...hub }: Hub): Hub {
  return { ...hub, active }
}
