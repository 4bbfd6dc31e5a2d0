import { expect, test } from 'vitest'
import {
  addCreated,
  addDelivered,
  findLate,
  type HubDirectory,
  type ReportedParcel,
  startParcelTallies,
  toParcelSums,
} from '../../../src/areas/carrier/report.ts'
import { SERVICE_LEVEL_CODES } from '../../../src/areas/carrier/rules/rates.ts'
import { SHIPMENT_STATUSES } from '../../../src/areas/carrier/states.ts'
import { splitRange } from '../../../src/core/period.ts'
import { gbp } from '../../support/money.ts'
import { partialResponse } from '../../support/part.ts'

const WEEK = { from: Date.parse('2026-11-16T00:00:00Z'), to: Date.parse('2026-11-23T00:00:00Z') }
const PARTS = splitRange(WEEK, 'day', { kind: 'calendar', timezone: 'Europe/London' })
const HUB = {
  timezone: 'Europe/London',
  collection: { days: ['mon', 'tue', 'wed', 'thu', 'fri'] as const, cutoff: '17:00' },
}
const HUBS: HubDirectory = { known: new Map([['hub_1', HUB]]), timezone: 'Europe/London' }

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

/** Returns a parcel to Reading, created on Monday at ten and due on Tuesday; with overrides. */
function parcelOf(over: Partial<ReportedParcel> = {}): ReportedParcel {
  return {
    tracking_number: 'ZC968043370GB',
    reference: 'A-1',
    status: 'in_transit',
    status_detail: 'departed_facility',
    service_level: 'next_day',
    hub_id: 'hub_1',
    recipient: partialResponse<ReportedParcel['recipient']>({
      address: { line1: '1 Friar Street', city: 'Reading', postal_code: 'RG1 1DB', country_code: 'GB' },
    }) as ReportedParcel['recipient'],
    options: {},
    price: partialResponse<ReportedParcel['price']>({ total: gbp(612) }) as ReportedParcel['price'],
    estimated_delivery_date: '2026-11-17',
    promised_date: null,
    attempts: 0,
    created_at: '2026-11-16T10:00:00.000Z',
    delivered_at: null,
    ...over,
  }
}

test('states, services and hubs add up to what was sent; services, hubs and attempts to what was delivered', () => {
  const tallies = startParcelTallies(WEEK, PARTS)
  const parcels = Array.from({ length: 300 }, (_, at) =>
    parcelOf({
      status: SHIPMENT_STATUSES[at % SHIPMENT_STATUSES.length] ?? 'lost',
      service_level: SERVICE_LEVEL_CODES[at % 4] ?? 'economy',
      hub_id: `hub_${at % 3}`,
      attempts: at % 4,
      price: { ...parcelOf().price, total: gbp(300 + ((at * 17) % 500)) },
      created_at: new Date(WEEK.from + ((at * 7_919_003) % (WEEK.to - WEEK.from))).toISOString(),
      delivered_at: new Date(WEEK.from + ((at * 9_919_003) % (WEEK.to - WEEK.from))).toISOString(),
    }),
  )
  for (const parcel of parcels) {
    addCreated(tallies, parcel)
    addDelivered(tallies, { ...parcel, delivered_at: parcel.delivered_at ?? '' }, HUBS)
  }
  const { created, delivered, timeline } = toParcelSums(tallies, 'GBP')
  const total = sum(parcels.map(({ price }) => price.total.amount))
  expect(created).toMatchObject({ parcels: 300, total: gbp(total) })
  for (const list of [created.by_status, created.by_service, created.by_hub]) {
    expect(sum(list.map((each) => each.parcels))).toBe(300)
    expect(sum(list.map((each) => each.total.amount))).toBe(total)
  }
  expect(delivered.on_time + delivered.late).toBe(300)
  expect(sum(delivered.by_attempt.map((each) => each.parcels))).toBe(300)
  for (const list of [delivered.by_service, delivered.by_hub]) {
    expect(sum(list.map((each) => each.on_time))).toBe(delivered.on_time)
    expect(sum(list.map((each) => each.late))).toBe(delivered.late)
  }
  expect(sum(timeline.map((day) => day.created))).toBe(300)
  expect(sum(timeline.map((day) => day.late))).toBe(delivered.late)
})

test.each([
  ['on its day, late in the evening', {}, '2026-11-17T23:59:00Z', 0],
  ['a day later', {}, '2026-11-18T09:00:00Z', 1],
  [
    'a day later, though a delay had been announced',
    { estimated_delivery_date: '2026-11-18' },
    '2026-11-18T09:00:00Z',
    1,
  ],
  [
    'on the day it was asked for',
    { options: { not_before_date: '2026-11-19' }, estimated_delivery_date: '2026-11-19' },
    '2026-11-19T09:00:00Z',
    0,
  ],
  [
    'a day after the day that was promised, though its hub is unknown and the day was moved',
    { hub_id: 'hub_9', promised_date: '2026-11-17', estimated_delivery_date: '2026-11-18' },
    '2026-11-18T09:00:00Z',
    1,
  ],
  [
    'from a hub that is unknown, on the day announced',
    { hub_id: 'hub_9', estimated_delivery_date: '2026-11-18' },
    '2026-11-18T09:00:00Z',
    0,
  ],
])('a parcel that arrives %s', (_, over, delivered_at, late) => {
  const tallies = startParcelTallies(WEEK, PARTS)
  addDelivered(tallies, { ...parcelOf(over), delivered_at }, HUBS)
  expect(toParcelSums(tallies, 'GBP').delivered).toMatchObject({ parcels: 1, late, on_time: 1 - late })
})

test('a parcel on its way after its day is late, by days; one that came back is not', () => {
  const now = Date.parse('2026-11-19T08:00:00Z')
  expect(findLate(parcelOf(), now, HUBS)).toMatchObject({ promised: '2026-11-17', days_late: 2 })
  expect(findLate(parcelOf(), Date.parse('2026-11-17T23:00:00Z'), HUBS)).toBeUndefined()
  expect(findLate(parcelOf({ status: 'returned' }), now, HUBS)).toBeUndefined()
  // A weekend adds no days.
  const monday = Date.parse('2026-11-23T08:00:00Z')
  expect(findLate(parcelOf({ promised_date: '2026-11-20' }), monday, HUBS)).toMatchObject({ days_late: 1 })
})

test('a parcel is late in each state in which it is still to come, even before its collection, and in no other', () => {
  const now = Date.parse('2026-11-19T08:00:00Z')
  const late = SHIPMENT_STATUSES.filter((status) => findLate(parcelOf({ status }), now, HUBS) !== undefined)
  expect(late).toEqual([
    'pre_transit',
    'in_transit',
    'out_for_delivery',
    'delivery_attempted',
    'available_for_pickup',
  ])
})

test('a parcel that was promised for a Friday is a day late from the first second of the Saturday', () => {
  const friday = parcelOf({ promised_date: '2026-11-20' })
  expect(findLate(friday, Date.parse('2026-11-20T23:59:59.999Z'), HUBS)).toBeUndefined()
  expect(findLate(friday, Date.parse('2026-11-21T00:00:00Z'), HUBS)).toMatchObject({ days_late: 1 })
})
