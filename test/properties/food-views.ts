/** Compares responses of food and business with the model, field by field. */
import { expect } from 'vitest'
import { type Body, iso } from '../support/model-calls.ts'
import { amountOf } from '../support/money.ts'
import {
  type ModelStoreAction,
  type FoodModel,
  isCancellableOrder,
  isOnSale,
  judgeAction,
  type ModelOrderLine,
  lineTotal,
  living,
  type ModelGroup,
  type ModelItem,
  type ModelOrder,
  type FoodModelQuote,
  type ModelStore,
  type ModelPrice,
} from './food-model.ts'

const ACTIONS: readonly ModelStoreAction[] = ['accept', 'reject', 'preparing', 'ready', 'complete']
/** No customer's response contains these, at any depth: the model's private values match. */
const PRIVATE_VALUES = /PRIV|7700\d{4}\b|8800\d{5}\b|"50\d{11}"/
const PRIVATE_KEYS = /"(cost|stock|barcode|supplier_id|sku|external_ref|version|agreement_id)":/

/** Checks that a customer's response contains no private value. */
export function expectNothingPrivate(text: string): void {
  expect(text).not.toMatch(PRIVATE_VALUES)
  expect(text).not.toMatch(PRIVATE_KEYS)
  // Lines of quotes and orders tell their tax; a menu does not.
  if (text.includes('"categories":')) expect(text).not.toContain('"tax_rate_bps":')
}

export function expectQuote(body: Body, quote: FoodModelQuote, created: number): void {
  expect({
    head: pick(body, ['quote_id', 'kind', 'status', 'merchant_id', 'fulfillment_type']),
    times: pick(body, ['created_at', 'expires_at', 'expires_in_seconds']),
    price: priceIn(body),
    lines: linesIn(body),
    ...heldIn(body),
  }).toEqual({
    head: {
      quote_id: quote.id,
      kind: 'food',
      status: 'open',
      merchant_id: quote.store.id,
      fulfillment_type: quote.type,
    },
    times: { created_at: iso(created), expires_at: iso(quote.expires), expires_in_seconds: 900 },
    price: priceShown(quote.price),
    lines: linesShown(quote.lines),
    ...heldShown(quote),
  })
}

/** Compares the customer's view, and the part that the store's view shares. */
export function expectFoodOrder(body: Body, order: ModelOrder): void {
  expect({
    ...sharedIn(body),
    quote_id: body['quote_id'],
    merchant_id: (body['merchant'] as Body)['merchant_id'],
    cancellable: body['cancellable'],
  }).toEqual({
    ...sharedShown(order),
    quote_id: order.quote.id,
    merchant_id: order.quote.store.id,
    cancellable: isCancellableOrder(order),
  })
  expect((body['delivery_id'] === null) === !wasDispatched(order)).toBe(true)
}

export function expectBusinessOrder(body: Body, order: ModelOrder, model: FoodModel): void {
  const table = body['table'] as Body | null
  const check = (table?.['check'] ?? null) as Body | null
  const earlier = model.orders.filter(
    ({ account, quote }) => account === order.account && quote.store === order.quote.store,
  )
  expect({
    ...sharedIn(body),
    merchant_id: body['merchant_id'],
    check: check?.['status'] ?? null,
    allowed: (body['allowed_actions'] as string[]).toSorted(),
    nth: (body['customer'] as Body)['orders_count'],
  }).toEqual({
    ...sharedShown(order, !('status_history' in body)),
    merchant_id: order.quote.store.id,
    check: order.check === undefined ? null : order.check.open ? 'open' : 'closed',
    allowed: ACTIONS.filter((action) => judgeAction(order, action).length === 0).toSorted(),
    nth: earlier.indexOf(order) + 1,
  })
}

function wasDispatched({ quote, history }: ModelOrder): boolean {
  return quote.type === 'delivery' && history.some(({ status }) => status === 'ready')
}

function sharedIn(body: Body) {
  const payment = body['payment'] as Body
  const refund = body['refund'] as Body | null
  const rejection = body['rejection'] as Body | null
  const history = body['status_history'] as Body[] | undefined
  return {
    head: pick(body, ['order_id', 'status', 'fulfillment_type', 'created_at']),
    price: priceIn(body),
    lines: linesIn(body),
    ...heldIn(body),
    payment: { ...pick(payment, ['method', 'status', 'collected_by']), amount: amountOf(payment['amount']) },
    refund: refund && {
      ...pick(refund, ['status', 'destination', 'created_at']),
      amount: amountOf(refund['amount']),
      settled: refund['settled_at'] !== null,
    },
    rejection: rejection?.['reason_code'] ?? null,
    // a list omits the history
    ...(history !== undefined && { history: history.map((entry) => pick(entry, ['status', 'at'])) }),
  }
}

/** Cash at the counter and a check at the table are the store's; cash at the door is the courier's. */
function collectorOf({ quote, pays }: ModelOrder): string {
  if (pays.processor) return 'store_processor'
  const isHanded = pays.method === 'cash' || pays.method === 'pay_at_table'
  return isHanded && quote.type !== 'delivery' ? 'store' : 'platform'
}

function sharedShown(order: ModelOrder, isSummary = false) {
  const { quote, pays, refund } = order
  return {
    head: {
      order_id: order.id,
      status: order.status,
      fulfillment_type: quote.type,
      created_at: iso(order.placed),
    },
    price: priceShown(quote.price),
    lines: linesShown(quote.lines),
    ...heldShown(quote),
    payment: {
      method: pays.method,
      status: pays.status,
      collected_by: collectorOf(order),
      amount: quote.price.total,
    },
    refund:
      refund === undefined
        ? null
        : {
            status: refund.status,
            destination: refund.destination,
            created_at: iso(refund.at),
            amount: quote.price.total,
            settled: refund.status === 'succeeded',
          },
    rejection: order.rejection ?? null,
    ...(!isSummary && { history: order.history.map(({ status, at }) => ({ status, at: iso(at) })) }),
  }
}

function heldIn(body: Body) {
  const table = body['table'] as Body | null
  const slot = body['slot'] as Body | null
  return { table: table?.['table_number'] ?? null, slot: slot?.['starts_at'] ?? null }
}

function heldShown({ table, scheduled }: FoodModelQuote) {
  return {
    table: table ?? null,
    slot: scheduled === undefined ? null : iso(scheduled - (scheduled % 900_000)),
  }
}

function priceIn(body: Body): unknown {
  const fees: Record<string, number> = {}
  for (const fee of body['fees'] as Body[]) fees[String(fee['type'])] = amountOf(fee['amount'])
  return {
    subtotal: amountOf(body['subtotal']),
    fees,
    fees_total: amountOf(body['fees_total']),
    discount_total: amountOf(body['discount_total']),
    tax_total: amountOf(body['tax_total']),
    total: amountOf(body['total']),
  }
}

function priceShown({ fees, ...price }: ModelPrice): unknown {
  return { ...price, fees: { ...fees } }
}

function linesIn(body: Body): unknown {
  return (body['lines'] as Body[]).map((line) => ({
    item_id: line['item_id'],
    name: line['name'],
    quantity: line['quantity'],
    unit: amountOf(line['unit_price']),
    total: amountOf(line['total']),
    picks: (line['modifiers'] as Body[])
      .map(
        (each) =>
          `${String(each['quantity'])} × ${String(each['modifier_id'])} ${amountOf(each['price_delta'])}`,
      )
      .toSorted(),
  }))
}

function linesShown(lines: readonly ModelOrderLine[]): unknown {
  return lines.map((line) => ({
    item_id: line.item.id,
    name: line.name,
    quantity: line.quantity,
    unit: line.unit,
    total: lineTotal(line),
    picks: line.picks.map(({ id, quantity, delta }) => `${quantity} × ${id} ${delta}`).toSorted(),
  }))
}

// The catalogue, and the menu made from it.

export function expectItem(body: Body, item: ModelItem, now: number): void {
  const availability = body['availability'] as Body
  expect({
    head: pick(body, ['item_id', 'merchant_id', 'name', 'description', 'external_ref', 'barcode', 'version']),
    price: amountOf(body['price']),
    category: pick(body['category'] as Body, ['category_id', 'name']),
    groups: groupsIn(body['modifier_groups'] as Body[]),
    available: availability['available'],
    until: availability['until'],
    effective: body['effective_available'],
    updated: body['updated_at'],
  }).toEqual({
    head: {
      item_id: item.id,
      merchant_id: item.store.id,
      name: item.name,
      description: item.description,
      external_ref: item.ref,
      barcode: item.barcode,
      version: item.version,
    },
    price: item.price,
    category: { category_id: item.category.id, name: item.category.name },
    groups: groupsShown(item.groups),
    available: item.available,
    until: item.until === null ? null : iso(item.until),
    effective: isOnSale(item, now),
    updated: iso(item.updated),
  })
}

/** Checks that a menu is its store's catalogue without private fields. */
export function expectMenu(
  body: Body,
  store: ModelStore,
  now: number,
  { category, availableOnly = false }: { category?: string | undefined; availableOnly?: boolean } = {},
): void {
  const shown = living(store)
    .filter((item) => category === undefined || item.category.name === category)
    .filter((item) => !availableOnly || isOnSale(item, now))
  const found = (body['categories'] as Body[]).flatMap((section) =>
    (section['items'] as Body[]).map((item) => ({
      section: pick(section, ['category_id', 'name']),
      item: pick(item, ['item_id', 'name', 'description', 'available']),
      price: amountOf(item['price']),
      groups: groupsIn(item['modifier_groups'] as Body[]),
    })),
  )
  const expected = shown.map((item) => ({
    section: { category_id: item.category.id, name: item.category.name },
    item: {
      item_id: item.id,
      name: item.name,
      description: item.description,
      available: isOnSale(item, now),
    },
    price: item.price,
    groups: groupsShown(item.groups),
  }))
  const byId = (a: { item: Body }, b: { item: Body }): number =>
    String(a.item['item_id']) < String(b.item['item_id']) ? -1 : 1
  expect(found.toSorted(byId)).toEqual(expected.toSorted(byId))
  expect(body['merchant_id']).toBe(store.id)
  const sorts = (body['categories'] as Body[]).map((section) => Number(section['sort_order']))
  expect(sorts).toEqual(sorts.toSorted((a, b) => a - b))
}

function groupsIn(groups: Body[]): unknown {
  return groups.map((group) => ({
    ...pick(group, ['modifier_group_id', 'name', 'min_selections', 'max_selections', 'allow_repeats']),
    modifiers: (group['modifiers'] as Body[]).map((each) => ({
      ...pick(each, ['modifier_id', 'name', 'available']),
      delta: amountOf(each['price_delta']),
    })),
  }))
}

function groupsShown(groups: readonly ModelGroup[]): unknown {
  return groups.map(({ id, name, min, max, repeats, modifiers }) => ({
    modifier_group_id: id,
    name,
    min_selections: min,
    max_selections: max,
    allow_repeats: repeats,
    modifiers: modifiers.map((each) => ({
      modifier_id: each.id,
      name: each.name,
      available: each.available,
      delta: each.delta,
    })),
  }))
}

function pick(body: Body, names: readonly string[]): Body {
  return Object.fromEntries(names.map((name) => [name, body[name]]))
}
