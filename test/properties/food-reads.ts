/** Compares lists, menus and searches with the model. */
import { expect } from 'vitest'
import type { ErrorCode } from '../../src/core/errors.ts'
import { metresBetween } from '../support/distance.ts'
import {
  callAndCompare,
  pickAt,
  iso,
  omitUndefined,
  paged,
  UNKNOWN_ID,
  readAllPages,
} from '../support/model-calls.ts'
import { ORDER_TRANSITIONS } from '../support/state-tables.ts'
import type { FoodRun } from './food-life.ts'
import {
  type FoodModel,
  isOpen,
  hasOrderEnded,
  living,
  type ModelOrder,
  type ModelStore,
} from './food-model.ts'
import { pickOrder } from './food-orders.ts'
import { BEYOND_COURIERS, HERE } from './food-setup.ts'
import type { FoodStepOf } from './food-steps.ts'
import { expectBusinessOrder, expectFoodOrder, expectMenu } from './food-views.ts'

export async function runFoodShowStep(life: FoodRun, step: FoodStepOf<'show'>): Promise<void> {
  const { model } = life
  const order = pickOrder(model, { ...step, usable: false }, () => true)
  const isStore = step.side === 'store'
  const owner = isStore ? order?.quote.store.owner : order?.account
  const as = step.as ?? owner ?? 'everything'
  const body = await callAndCompare(life, isStore ? 'get_business_order' : 'get_food_order', {
    as,
    input: { order_id: order?.id ?? `ord_${UNKNOWN_ID}` },
    rule: () => (order === undefined || as !== owner ? ['order_not_found'] : []),
  })
  if (body === undefined || order === undefined) return
  if (isStore) expectBusinessOrder(body, order, model)
  else expectFoodOrder(body, order)
}

export async function runFoodListStep(life: FoodRun, step: FoodStepOf<'list'>): Promise<void> {
  const { model } = life
  const isStore = step.side === 'store'
  const name = isStore ? 'list_business_orders' : 'list_food_orders'
  const shop = step.store === undefined ? undefined : pickAt(model.stores, step.store)
  const from = step.from === undefined ? undefined : pickAt(model.orders, step.from)?.placed
  const filters = omitUndefined({
    status: step.status.length > 0 ? step.status : undefined,
    merchant_id: shop?.id,
    created_from: from === undefined ? undefined : iso(from),
    ...(isStore && {
      fulfillment_type: step.type.length > 0 ? step.type : undefined,
      active: step.active,
      payment_status: step.paid,
    }),
  })
  const call = {
    as: step.as,
    input: { ...filters, ...paged(step.cursor, step.limit) },
    malformed: isStore && isWrong(model, step, shop),
    forged: step.cursor === 'forged',
    rule: (): ErrorCode[] =>
      isStore && shop !== undefined && shop.owner !== step.as ? ['merchant_not_found'] : [],
  }
  const body = await callAndCompare(life, name, call)
  if (body === undefined) return
  const expected = model.orders.filter(
    (order) => isWanted(order, step) && isFound(order, { shop, from }) && (!isStore || isListed(order, step)),
  )
  const rows = await readAllPages(life, name, call, body, step.limit)
  expect(rows.map((row) => row['order_id'])).toEqual(expected.toReversed().map(({ id }) => id))
  const { next_cursor: cursor } = body
  if (step.cursor !== 'of other filters' || typeof cursor !== 'string') return
  const { status: _status, ...others } = filters
  const other = { ...others, ...(step.status.length === 0 && { status: ['placed'] }) }
  await callAndCompare(life, name, { ...call, input: { ...other, limit: step.limit, cursor }, forged: true })
}

/** Returns whether filters contradict each other, or omit a required store. */
function isWrong(
  { stores }: FoodModel,
  { as, status, active }: FoodStepOf<'list'>,
  shop: ModelStore | undefined,
): boolean {
  const terminal = status.some((each) => ORDER_TRANSITIONS[each]?.length === 0)
  const owned = stores.filter(({ owner }) => owner === as)
  return (active === true && terminal) || (shop === undefined && owned.length > 1)
}

function isWanted({ quote, account, status }: ModelOrder, step: FoodStepOf<'list'>): boolean {
  const own = step.side === 'store' ? quote.store.owner === step.as : account === step.as
  return own && (step.status.length === 0 || step.status.includes(status))
}

function isFound(
  { quote, placed }: ModelOrder,
  { shop, from }: { shop: ModelStore | undefined; from: number | undefined },
): boolean {
  return (shop === undefined || quote.store === shop) && (from === undefined || placed >= from)
}

function isListed(order: ModelOrder, { type, active, paid }: FoodStepOf<'list'>): boolean {
  return (
    (type.length === 0 || type.includes(order.quote.type)) &&
    (active !== true || !hasOrderEnded(order)) &&
    (paid === undefined || order.pays.status === paid)
  )
}

export async function runFoodMenuStep(life: FoodRun, step: FoodStepOf<'menu'>): Promise<void> {
  const { model } = life
  const store = pickAt(model.stores, step.store)
  if (store === undefined) return
  const [category] = store.categories
  const filter = step.filtered ? category?.name : undefined
  const body = await callAndCompare(life, 'get_restaurant_menu', {
    as: step.as,
    input: {
      merchant_id: step.unknown ? `mer_${UNKNOWN_ID}` : store.id,
      ...(filter !== undefined && { category: filter }),
      ...(step.availableOnly && { available_only: true }),
    },
    rule: () => (step.unknown ? ['merchant_not_found'] : []),
  })
  if (body === undefined) return
  expectMenu(body, store, model.now, { category: filter, availableOnly: step.availableOnly })
}

const POINTS = { here: HERE, far: BEYOND_COURIERS, nowhere: { latitude: -51.5, longitude: 100 } }

export async function runFoodSearchStep(life: FoodRun, step: FoodStepOf<'search'>): Promise<void> {
  const { model } = life
  const point = POINTS[step.at]
  const call = {
    as: step.as,
    input: {
      ...point,
      ...(step.radius !== undefined && { radius_m: step.radius }),
      ...(step.kind !== undefined && { kind: step.kind }),
      ...(step.q !== undefined && { q: step.q }),
      ...(step.type !== undefined && { fulfillment_type: step.type }),
      limit: 1,
      ...(step.cursor === 'forged' && { cursor: 'bm9uZQ' }),
    },
    forged: step.cursor === 'forged',
  }
  const body = await callAndCompare(life, 'search_restaurants', call)
  if (body === undefined) return
  const plain = (text: string): string => text.toLowerCase().replaceAll('é', 'e')
  const expected = model.stores
    .map((store) => ({ store, metres: metresBetween(point, store.point) }))
    .filter(
      ({ store, metres }) =>
        isOpen(store, model.now) &&
        metres <= (step.radius ?? 5000) &&
        (step.kind === undefined || store.kind === step.kind) &&
        (step.type === undefined || store.types.some((type) => type === step.type)) &&
        (step.type !== 'delivery' || metres <= store.radius) &&
        (step.q === undefined ||
          [store.name, 'thai', ...living(store).map(({ name }) => name)].some((text) =>
            plain(text).includes(plain(step.q ?? '')),
          )),
    )
    .toSorted((a, b) => a.metres - b.metres)
  const rows = await readAllPages(life, 'search_restaurants', call, body, 1)
  expect(rows.map((row) => [row['merchant_id'], row['distance_m'], row['is_open']])).toEqual(
    expected.map(({ store, metres }) => [store.id, Math.round(metres), true]),
  )
}
