import * as Type from 'typebox'
import { fold } from '../../domain/fold.ts'
import { FULFILLMENT_TYPES, MERCHANT_KINDS } from '../../domain/food.ts'
import { boxesAround, haversineMetres, type Point } from '../../domain/geo.ts'
import { deliveryMinutes } from '../../domain/merchant.ts'
import { makeOpeningClock } from '../../domain/opening-hours.ts'
import { defineOperation } from '../../operation.ts'
import { type Candidate, listCandidates, listMerchantsBySeq } from '../../store/merchants.ts'
import { closed, latitude, longitude, page, paging, text } from '../schema.ts'
import { toMerchant } from './merchant-view.ts'
import { merchant } from './schema.ts'

const SORTS = ['distance', 'rating', 'eta'] as const

type Sort = (typeof SORTS)[number]

export const searchRestaurants = defineOperation({
  name: 'search_restaurants',
  area: 'food',
  summary: 'Find restaurants, groceries and shops that are open near a point',
  description:
    'Only open ones, the nearest first. A store that delivers is found for delivery where its couriers ride to the point.',
  method: 'GET',
  path: '/v1/food/merchants',
  scope: 'food.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: closed({
    latitude,
    longitude,
    radius_m: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 20_000,
        default: 5000,
        description: 'How far away, in metres as the crow flies',
      }),
    ),
    kind: Type.Optional(Type.Enum(MERCHANT_KINDS, { description: 'Only of this kind' })),
    cuisine: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        pattern: '^[a-z0-9]+([-_][a-z0-9]+)*$',
        errorMessage: 'must be a cuisine such as thai or middle_eastern',
        description: 'Only with this cuisine, such as thai',
      }),
    ),
    q: Type.Optional(text(80, { description: 'Part of a name, a cuisine or something on the menu' })),
    fulfillment_type: Type.Optional(
      Type.Enum(FULFILLMENT_TYPES, { description: 'Only those that offer this here' }),
    ),
    sort: Type.Optional(Type.Enum(SORTS, { default: 'distance', description: 'What comes first' })),
    ...paging,
  }),
  output: page(merchant),
  errors: ['invalid_cursor'],
  example: { latitude: 51.5129, longitude: -0.0823, cuisine: 'thai' },
  cli: {
    command: 'food search',
    danger: 'read',
    positionals: ['q'],
    flags: { radius_m: 'radius', fulfillment_type: 'fulfillment', 'latitude,longitude': 'near' },
    columns: [
      { field: 'name' },
      { field: 'distance_m', label: 'Distance' },
      { field: 'delivery.fee', label: 'Delivery' },
      { field: 'rating' },
      { field: 'delivery.eta_min_minutes', label: 'In' },
      { field: 'open_until', label: 'Open until' },
      { field: 'merchant_id', label: 'Merchant' },
    ],
    next: 'dray food menu',
    examples: [
      'dray food search',
      'dray food search --near 51.5129,-0.0823',
      'dray food search noodles --near kings-cross --fulfillment delivery --sort eta',
    ],
  },
  async run({ tx, now, cursor }, { radius_m = 5000, sort = 'distance', q, ...input }) {
    const { kind, cuisine, fulfillment_type } = input
    const point = { latitude: input.latitude, longitude: input.longitude }
    const filters = { kind, cuisine, fulfillment_type, q: q === undefined ? undefined : fold(q) }
    const clock = makeOpeningClock(now)
    const after = cursor.after?.map(Number)
    let found: Found[] = []
    // The nearest are in the smallest circle that holds enough of them; what is best may be anywhere.
    for (const share of sort === 'distance' ? [8, 4, 2, 1] : [1]) {
      found = []
      for (const box of boxesAround(point, radius_m / share)) {
        for (const candidate of await listCandidates(tx, box, filters)) {
          const distance = Math.round(haversineMetres(point, candidate.location))
          const reach = fulfillment_type === 'delivery' ? candidate.radius_m : radius_m
          if (distance > Math.min(radius_m / share, reach)) continue
          if (!clock.isOpen(candidate.week, candidate.timezone)) continue
          const keys = [rank(sort, candidate, point, input), distance, candidate.seq]
          if (after === undefined || compare(keys, after) > 0) found.push({ seq: candidate.seq, keys })
        }
      }
      if (found.length > cursor.limit) break
    }
    const shown = found.toSorted((a, b) => compare(a.keys, b.keys)).slice(0, cursor.limit + 1)
    const records = await listMerchantsBySeq(
      tx,
      shown.map(({ seq }) => seq),
    )
    const rows = records.map((record, index) => ({ record, keys: shown[index]?.keys ?? [] }))
    return cursor.page(
      rows,
      ({ keys }) => [...keys],
      ({ record }) => toMerchant(record, point, clock),
    )
  },
})

/** `keys`: what is wanted first, then the distance, then the order in which stores were opened. */
type Found = { seq: number; keys: readonly number[] }

/** Smaller comes first. */
function rank(
  sort: Sort,
  { location, prep_time_minutes, radius_m, rating_tenths }: Candidate,
  point: Point,
  { fulfillment_type }: { fulfillment_type?: string },
): number {
  switch (sort) {
    case 'distance':
      return 0
    case 'rating':
      return -rating_tenths
    case 'eta': {
      const delivers = radius_m > 0 && (fulfillment_type ?? 'delivery') === 'delivery'
      return delivers
        ? deliveryMinutes(prep_time_minutes, location, point).eta_min_minutes
        : prep_time_minutes
    }
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((key, index) => key !== b[index])
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}
