import { describe, expect, test } from 'vitest'
import { countAgreementShipmentsByStatus } from '../../../src/areas/carrier/queries/shipment-counts.ts'
import { SHIPMENT_STATUSES } from '../../../src/areas/carrier/states.ts'
import type { OperationOutput } from '../../../src/client/operations.ts'
import { makeParcel, makeRows } from '../../support/parcel.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox } from '../../support/world.ts'

type Row = OperationOutput<'list_shipments'>['data'][number]

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('parcels are counted by state as they are listed, for their owner alone, and in a span of creation', async () => {
    const world = await openTestSandbox({ engine })
    await world.ok('create_shipments_batch', { shipments: makeRows(6), customer: 'Green Cup' })
    for (const [index, scenario] of [
      'happy',
      'lost',
      'attempt_fails;times=3',
      'returned',
      'happy',
    ].entries()) {
      await world.ok('create_shipment', makeParcel({ reference: `S${index}` }), { scenario })
      await world.advance(7 * 3_600_000)
    }
    await world.advance(3 * 86_400_000)
    await world.ok('create_shipment', makeParcel({ reference: 'other' }), { as: 'shipper' })
    const all: readonly Row[] = (await world.ok('list_shipments', { limit: 100 })).data
    const count = async (span: Record<string, unknown>) => {
      const { data } = await world.ok('count_shipments', span)
      expect(data.every(({ more }) => !more)).toBe(true)
      return Object.fromEntries(data.map((each) => [each.status, each.count]))
    }
    const sumOf = (rows: readonly Row[]) =>
      Object.fromEntries(
        SHIPMENT_STATUSES.map((status) => [status, rows.filter((row) => row.status === status).length]),
      )
    expect(await count({})).toEqual(sumOf(all))
    const [from = '', to = ''] = [all[4]?.created_at, all[1]?.created_at]
    expect(await count({ created_from: from, created_to: to })).toEqual(
      sumOf(all.filter((row) => row.created_at >= from && row.created_at < to)),
    )
    expect(await count({ customer: 'Green Cup' })).toEqual(
      sumOf(all.filter(({ customer }) => customer === 'Green Cup')),
    )
    expect(await count({ customer: '' })).toEqual(sumOf(all.filter(({ customer }) => customer === null)))
    // However many there are, no more than the limit are read of each state.
    const row = await world.db.read((tx) =>
      tx.get(
        'select agreement_id as id from shipments where tracking_number = $1',
        all[0]?.tracking_number ?? '',
      ),
    )
    const few = await world.db.read((tx) => countAgreementShipmentsByStatus(tx, String(row?.['id']), {}, 1))
    expect(few.find(({ status }) => status === 'delivered')?.count).toBe(2)
  })
})
