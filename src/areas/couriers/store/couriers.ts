import type { Row, Tx } from '../../../core/db.ts'
import type { CourierRecord } from './deliveries.ts'

export async function insertCouriers(tx: Tx, couriers: readonly CourierRecord[]): Promise<void> {
  await tx.insertMany(
    'couriers',
    ['courier_id', 'sort', 'doc'],
    couriers.map(({ courier_id, sort, ...doc }) => [courier_id, sort, JSON.stringify(doc)]),
  )
}

/** Everybody who brings something, in the fixture's order. */
export async function listCouriers(tx: Tx): Promise<CourierRecord[]> {
  return (await tx.all('select courier_id, sort, doc from couriers order by sort')).map(toCourier)
}

function toCourier(row: Row): CourierRecord {
  return {
    courier_id: String(row['courier_id']),
    sort: Number(row['sort']),
    ...(JSON.parse(String(row['doc'])) as Omit<CourierRecord, 'courier_id' | 'sort'>),
  }
}
