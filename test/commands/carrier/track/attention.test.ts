import { expect, test } from 'vitest'
import { toParcelState } from '../../../../src/commands/carrier/track/attention.ts'

type Shipment = Parameters<typeof toParcelState>[0]

const NOW = Date.parse('2026-11-24T09:00:00Z')

const scan = (code: string, detail?: string) => ({
  code,
  location: { name: 'East London depot' },
  reason: detail === undefined ? null : { detail },
})

function standing(status: string, scans: readonly ReturnType<typeof scan>[], more: Partial<Shipment> = {}) {
  const shipment = {
    tracking_number: 'ZC968043370GB',
    reference: 'T-1',
    status,
    estimated_delivery_date: '2026-11-19',
    timezone: 'Europe/London',
    attempts: 0,
    max_attempts: 3,
    delivered_at: null,
    scan_history: scans,
    ...more,
  }
  return toParcelState(shipment as unknown as Shipment, NOW)
}

const failed = scan('delivery_attempted', 'No access to the building.')

test.each<[string, ReturnType<typeof standing>, boolean, string | null]>([
  [
    'on its way, and moved to a later day after its promised one',
    standing('in_transit', [scan('collected')], {
      promised_date: '2026-11-19',
      estimated_delivery_date: '2026-11-25',
    }),
    true,
    'Last scan: collected, East London depot.',
  ],
  [
    'on its way',
    standing('in_transit', [scan('collected')], { estimated_delivery_date: '2026-11-24' }),
    false,
    null,
  ],
  ['never collected', standing('pre_transit', [scan('label_created')]), true, 'Not collected yet.'],
  [
    'on its way for too long',
    standing('in_transit', [scan('departed_facility')]),
    true,
    'Last scan: departed facility, East London depot.',
  ],
  [
    'held',
    standing('in_transit', [scan('held', 'Waiting for customs clearance.')]),
    true,
    'Held: Waiting for customs clearance.',
  ],
  [
    'tried once, and not late yet',
    standing('in_transit', [failed], { attempts: 1, estimated_delivery_date: '2026-11-25' }),
    false,
    'Attempt 1 of 3 failed: No access to the building.',
  ],
  [
    'at a depot',
    standing('available_for_pickup', [failed, scan('available_for_pickup')], { attempts: 3 }),
    true,
    'Awaiting the recipient at East London depot: No access to the building.',
  ],
  ['coming back', standing('returning', [failed]), false, 'Returning to sender: No access to the building.'],
  ['lost', standing('lost', [scan('lost')]), false, 'Lost.'],
  ['delivered', standing('delivered', [failed, scan('delivered')]), false, null],
])('a parcel that is %s', (_, { late, days_late, attention }, isLate, why) => {
  expect({ late, attention }).toEqual({ late: isLate, attention: why })
  expect(days_late).toBe(isLate ? 3 : 0)
})
