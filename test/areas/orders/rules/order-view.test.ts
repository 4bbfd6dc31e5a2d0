import { expect, test } from 'vitest'
import { DELIVERY_STATUSES } from '../../../../src/areas/couriers/states.ts'
import { type DeliveryProgress, serializeCourier } from '../../../../src/areas/couriers/views.ts'
import { serializeRefunds } from '../../../../src/areas/payments/views.ts'
import { serializeTimeWindow, toTimestampOrNull } from '../../../../src/core/time.ts'

const COURIER = {
  courier_id: 'cou_1',
  name: 'Amara Okafor',
  vehicle_type: 'bicycle',
  phone: '+447700900101',
} as const
const [FROM, TO] = [
  { latitude: 51.5, longitude: -0.1 },
  { latitude: 51.51, longitude: -0.1 },
]

const run = (
  status: DeliveryProgress['status'],
  courier: DeliveryProgress['doc']['courier'] = COURIER,
): DeliveryProgress => ({
  status,
  doc: {
    courier,
    leg: { from: FROM, to: TO, starts_at: 0, ends_at: 100_000 },
    pickup_eta_at: 0,
    dropoff_eta_at: 60_000,
  },
})

test('a courier is shown from the assignment on, and followed until the goods are handed over', () => {
  const shown = DELIVERY_STATUSES.filter((status) => serializeCourier(run(status), 0) !== null)
  const followed = shown.filter((status) => serializeCourier(run(status), 0)?.location !== null)
  expect(followed).toEqual(['assigned', 'arrived_at_pickup', 'picked_up', 'arrived_at_dropoff'])
  expect(shown).toEqual([...followed, 'delivered'])
  expect(serializeCourier(run('pending', null), 0)).toBeNull()
})

test('afterwards it is known who brought it, and not where that courier went', () => {
  expect(serializeCourier(run('delivered'), 59_000)).toEqual({
    courier_id: 'cou_1',
    name: 'Amara Okafor',
    vehicle_type: 'bicycle',
    phone_masked: '+44•••••••101',
    location: null,
    pickup_eta_at: null,
    dropoff_eta_at: null,
  })
})

test('a courier is shown where he was last heard of, without the number to call him', () => {
  expect(serializeCourier(run('picked_up'), 59_000)).toEqual({
    courier_id: 'cou_1',
    name: 'Amara Okafor',
    vehicle_type: 'bicycle',
    phone_masked: '+44•••••••101',
    location: { latitude: 51.504, longitude: -0.1 },
    pickup_eta_at: null,
    dropoff_eta_at: '1970-01-01T00:01:00.000Z',
  })
  expect(serializeCourier(run('assigned'), 0)).toMatchObject({ pickup_eta_at: '1970-01-01T00:00:00.000Z' })
})

test('times are texts, and absent values are omitted', () => {
  expect([toTimestampOrNull(0), toTimestampOrNull(null)]).toEqual(['1970-01-01T00:00:00.000Z', null])
  expect(serializeTimeWindow(null)).toBeNull()
  expect(serializeTimeWindow({ starts_at: 0, ends_at: 1000 })).toEqual({
    starts_at: '1970-01-01T00:00:00.000Z',
    ends_at: '1970-01-01T00:00:01.000Z',
  })
  expect(serializeRefunds(undefined)).toEqual({ refund: null, refunds: [], refunded: null })
  expect(
    serializeRefunds({
      refunds: [
        {
          refund_id: 'rfd_1',
          status: 'pending',
          destination: 'card_via_store_processor',
          amount: { amount: 5, currency: 'GBP' },
          reason: 'other',
          borne_by: null,
          share: null,
          created_at: 0,
          settled_at: null,
        },
      ],
    }),
  ).toMatchObject({ refund: { created_at: '1970-01-01T00:00:00.000Z', settled_at: null } })
})
