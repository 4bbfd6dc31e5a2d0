import type { Tx } from '../../../core/db.ts'
import { cached } from '../../../db/read-cache.ts'
import { defineDocTable } from '../../../db/table.ts'
import type { CourierRecord } from './deliveries.ts'

const COURIERS = defineDocTable<CourierRecord, 'courier_id' | 'sort'>({
  name: 'couriers',
  key: 'courier_id',
  columns: { courier_id: 'text', sort: 'integer' },
})

export async function insertCouriers(tx: Tx, couriers: readonly CourierRecord[]): Promise<void> {
  await COURIERS.insert(tx, couriers)
}

/** Returns all couriers, in the fixture's order. */
export async function listCouriers(tx: Tx): Promise<readonly CourierRecord[]> {
  return cached(tx, { key: 'couriers', tables: ['couriers'], holds: () => true }, () =>
    COURIERS.list(tx, 'order by sort'),
  )
}
