import * as Type from 'typebox'
import { withEmptyReason, paginatedWithReason } from '../../core/empty-reason.ts'
import { foldForSearch } from '../../core/fold.ts'
import { toPageText } from '../../core/json-text.ts'
import { makeOpeningClock } from '../../core/opening-hours.ts'
import { defineOperation } from '../../core/operation.ts'
import { resolveSearchPoint } from '../../core/places/words.ts'
import { nearParams, strictObject, IDENTIFIER, paginationParams, nonBlankText } from '../../core/schema.ts'
import { findFreeCouriers } from '../couriers/lifecycle/free.ts'
import { hasFewMerchants, listMerchantsBySeq } from '../merchants/queries.ts'
import { FULFILLMENT_TYPES, MERCHANT_KINDS } from '../merchants/rules.ts'
import { findStores, STORE_SORTS } from './find-stores.ts'
import { toMerchantText } from './merchant-view.ts'
import { merchant } from './schema.ts'
import { NO_STORES, whyNoStores } from './why-no-stores.ts'

export const searchRestaurants = defineOperation({
  name: 'search_restaurants',
  area: 'food',
  summary: 'Find restaurants, groceries and shops that are open near a place',
  description:
    'Lists open stores, nearest first; with include_closed also stores that are closed or paused now but take orders for later. A page may be short or empty while has_more is true.',
  details:
    'A search for delivery finds the stores that deliver to the point. A search for rare text may need several pages.',
  method: 'GET',
  path: '/v1/food/merchants',
  scope: 'food.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    ...nearParams,
    radius_m: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 20_000,
        default: 5000,
        description: 'Radius in metres, in a straight line',
      }),
    ),
    kind: Type.Optional(Type.Enum(MERCHANT_KINDS, { description: 'Store type' })),
    cuisine: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        ...IDENTIFIER,
        pattern: '^[a-z0-9]+([-_][a-z0-9]+)*$',
        errorMessage: 'must be a cuisine such as thai or middle_eastern',
        description: 'Cuisine, such as thai',
      }),
    ),
    q: Type.Optional(nonBlankText(80, { description: 'Part of a name, cuisine or menu item' })),
    fulfillment_type: Type.Optional(
      Type.Enum(FULFILLMENT_TYPES, { description: 'Fulfilment type offered at this place' }),
    ),
    include_closed: Type.Optional(
      Type.Boolean({ description: 'Include stores that are closed now but take orders for later' }),
    ),
    sort: Type.Optional(Type.Enum(STORE_SORTS, { default: 'distance', description: 'Sort order' })),
    ...paginationParams,
  }),
  output: paginatedWithReason(merchant, NO_STORES, 'seller'),
  errors: ['invalid_cursor', 'address_unresolvable'],
  brief: {
    usual:
      'merchant_id,name,kind,cuisines,distance_m,timezone,is_open,open_until,opens_at,fulfillment_types,delivery.fee,delivery.minimum_order,delivery.eta_min_minutes,delivery.eta_max_minutes,rating,price_level',
  },
  example: () => ({ latitude: 51.5129, longitude: -0.0823, q: 'Forno' }),
  cli: {
    command: 'food search',
    danger: 'read',
    positionals: ['q...'],
    flags: {
      radius_m: 'radius',
      fulfillment_type: 'fulfillment',
      'latitude,longitude': { flag: 'near', required: true },
    },
    columns: [
      'name',
      'distance_m',
      'delivery.fee',
      'rating',
      'delivery.eta_min_minutes',
      'open_until',
      { field: 'merchant_id', dropOrder: 1 },
      'opens_at',
    ],
    next: 'dray food menu',
    instead: {
      closed_now: '--include-closed',
      none_near: '--radius 20000',
      no_delivery: '--radius 20000',
      no_match: '--radius 20000',
    },
    examples: [
      'dray food search',
      'dray food search --near 51.5129,-0.0823',
      'dray food search noodles --near kings-cross --fulfillment delivery --sort eta',
      'dray food search --include-closed',
    ],
  },
  async run({ tx, world, now, cursor }, { radius_m = 5000, sort = 'distance', q, ...input }) {
    const point = resolveSearchPoint(input)
    const clock = makeOpeningClock(now)
    // Neither needs the other: PostgreSQL gets both questions in one packet.
    const [readyMinutes, isFew] = await Promise.all([findFreeCouriers(tx, world, now), hasFewMerchants(tx)])
    const folded = q === undefined ? undefined : foldForSearch(q)
    const wish = { point, radius_m, sort, clock, readyMinutes, isFew, ...input, q: folded }
    const { shown, scannedTo } = await findStores(tx, wish, {
      after: cursor.after?.map(Number),
      limit: cursor.limit + 1,
    })
    const records = await listMerchantsBySeq(
      tx,
      shown.map(({ seq }) => seq),
    )
    const rows = records.map((record, index) => ({ record, keys: shown[index]?.keys ?? [] }))
    const shownPage = cursor.page(
      rows,
      ({ keys }) => [...keys],
      ({ record }) => toMerchantText(record, { point, clock, readyMinutes }),
      scannedTo && [...scannedTo],
    )
    return toPageText(await withEmptyReason(cursor, shownPage, () => whyNoStores(tx, wish)))
  },
})
