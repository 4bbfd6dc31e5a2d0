/** Compares orders with the model while customers and stores act on them. */
import { expect } from 'vitest'
import { findAccount } from '../../src/areas/account/queries/accounts.ts'
import { newIds } from '../../src/db/counters.ts'
import { callAndCompare, pickAt, type Body, omitUndefined, UNKNOWN_ID } from '../support/model-calls.ts'
import { amountOf, gbp } from '../support/money.ts'
import { checkOrder, type FoodRun } from './food-life.ts'
import {
  type ModelConfirmation,
  type FoodModel,
  freeUnit,
  returnOrderStock,
  isCancellableOrder,
  judgeAction,
  judgePlace,
  type ModelItem,
  type ModelOrder,
  type FoodModelQuote,
  move,
  type FoodModelStatus,
} from './food-model.ts'
import { runFoodQuoteStep } from './food-quotes.ts'
import type { FoodStepOf } from './food-steps.ts'
import { expectBusinessOrder, expectFoodOrder, expectMenu } from './food-views.ts'

/** Creates orders before the first step, one at a table and one with a pending card, and quotes. */
export async function createFirstOrders(life: FoodRun): Promise<void> {
  for (const [store, as] of ['member', 'everything'].entries()) {
    const lines = [{ item: 0, quantity: 3, pick: 'right' as const }]
    const rest = { type: 'pickup' as const, lines, flaw: 'none' as const, table: 0, tip: 0 }
    await runFoodQuoteStep(life, { do: 'quote', as, store, later: undefined, ...rest })
    await confirm(life, as, 'card')
    // both quotes show the only place in the first of these slots
    await runFoodQuoteStep(life, { do: 'quote', as, store: 0, later: 4, ...rest })
  }
  const lines = [{ item: 0, quantity: 1, pick: 'right' as const }]
  const rest = { type: 'dine_in' as const, lines, flaw: 'none' as const, later: undefined, table: 0, tip: 0 }
  await runFoodQuoteStep(life, { do: 'quote', as: 'member', store: 0, ...rest })
  await confirm(life, 'member', 'pay_at_table')
  const plain = { key: undefined, unknown: false, mark: false, prep: undefined, malformed: false }
  await runFoodStoreStep(life, {
    do: 'store',
    action: 'accept',
    as: undefined,
    order: 2,
    usable: true,
    ...plain,
  })
  await runFoodQuoteStep(life, { do: 'quote', as: 'everything', store: 0, ...rest })
  await confirm(life, 'everything', 'card', 'tok_pending')
}

/** Confirms the newest quote. */
function confirm(
  life: FoodRun,
  as: string,
  method: 'card' | 'pay_at_table',
  token: 'tok_ok' | 'tok_pending' = 'tok_ok',
): Promise<void> {
  const rest = { token, expected: 'none' as const, flaw: 'none' as const, key: undefined }
  return runFoodPlaceStep(life, { do: 'place', as, quote: 0, usable: true, method, ...rest })
}

export async function runFoodPlaceStep(life: FoodRun, step: FoodStepOf<'place'>): Promise<void> {
  const { model } = life
  const confirming = await confirmOf(life, step)
  const { account, quote: quoted, method, token, expected } = confirming
  const body = await callAndCompare(life, 'place_food_order', {
    as: account,
    input: omitUndefined({
      quote_id: quoted?.id ?? `quo_${UNKNOWN_ID}`,
      payment: omitUndefined({ method, payment_token: token }),
      expected_total: expected === undefined ? undefined : gbp(expected),
    }),
    key: step.flaw === 'no key' ? undefined : (step.key ?? `key-${life.serial()}`),
    malformed: method === 'card' && token === undefined,
    rule: () => judgePlace(model, confirming),
  })
  if (body === undefined || quoted === undefined) return
  const order = toModelOrder(model, { ...confirming, quote: quoted }, String(body['order_id']))
  expectFoodOrder(body, order)
  // C1: at the same instant it is first in its store's list
  const { store } = quoted
  const input = { merchant_id: store.id, limit: 1 }
  const { data } = await life.world.ok('list_business_orders', input, { as: store.owner })
  expectBusinessOrder(data[0] ?? {}, order, model)
  await checkOrder(life, order)
}

async function confirmOf(life: FoodRun, step: FoodStepOf<'place'>): Promise<ModelConfirmation> {
  const { model } = life
  const fresh = model.quotes.filter(({ usedBy, expires }) => usedBy === undefined && model.now < expires)
  const among = step.usable && fresh.length > 0 ? fresh : model.quotes
  const found = step.flaw === 'ride' ? await makeRide(life) : pickAt(among.toReversed(), step.quote)
  const quoted = step.flaw === 'unknown' ? undefined : found
  const total = quoted?.price.total ?? 0
  const seen = { none: undefined, right: total, wrong: total + 1 }
  return {
    account: step.as ?? quoted?.account ?? 'member',
    quote: quoted,
    method: step.method,
    token: step.method === 'card' && step.flaw !== 'no token' ? step.token : undefined,
    expected: seen[step.expected],
  }
}

/** Returns the model of an order at the instant when it is placed. */
function toModelOrder(
  model: FoodModel,
  { account, quote: quoted, method, token }: ModelConfirmation & { quote: FoodModelQuote },
  id: string,
): ModelOrder {
  const { now } = model
  const { store, type, scheduled, table } = quoted
  const paid = token === 'tok_ok' || token === 'tok_store' || method === 'wallet'
  const order: ModelOrder = {
    id,
    account,
    quote: quoted,
    status: 'placed',
    history: [{ status: 'placed', at: now }],
    placed: now,
    pays: {
      method,
      status: paid ? 'paid' : 'unpaid',
      processor: token === 'tok_store',
      paidAt: paid ? now : undefined,
      pending: token === 'tok_pending',
    },
    refund: undefined,
    check: undefined,
    claim: scheduled === undefined ? undefined : freeUnit(model, store, { type, table, scheduled }),
    rejection: undefined,
  }
  quoted.usedBy = id
  const person = model.people.get(account)
  if (method === 'wallet' && person !== undefined) person.wallet -= quoted.price.total
  model.orders.push(order)
  return order
}

/** Returns a quote of another kind, as no food operation makes it. */
async function makeRide({ world, model }: FoodRun): Promise<FoodModelQuote | undefined> {
  const [known] = model.quotes
  if (known === undefined) return undefined
  const id = await world.write(async (tx, { world: settings }, now) => {
    const account = await findAccount(tx, known.account)
    const [quote_id = ''] = await newIds({ tx, world: settings, at: now }, 'quo')
    await tx.insertMany(
      'quotes',
      ['quote_id', 'account_id', 'kind', 'created_at', 'expires_at', 'doc'],
      [[quote_id, account?.account_id ?? '', 'ride', now, now + 300_000, '{}']],
    )
    return quote_id
  })
  return { ...known, id, kind: 'ride', expires: model.now + 300_000, usedBy: undefined }
}

export async function runFoodCancelStep(life: FoodRun, step: FoodStepOf<'cancel'>): Promise<void> {
  const { model } = life
  const order = pickOrder(model, step, isCancellableOrder)
  const as = step.as ?? order?.account ?? 'member'
  const body = await callAndCompare(life, 'cancel_food_order', {
    as,
    input: { order_id: order?.id ?? `ord_${UNKNOWN_ID}`, reason_code: 'changed_mind' },
    key: step.key,
    rule() {
      if (order === undefined || order.account !== as) return ['order_not_found']
      return isCancellableOrder(order) ? [] : ['not_cancellable']
    },
  })
  if (body === undefined || order === undefined) return
  move(order, 'cancelled', model.now)
  returnOrderStock(model, order, 'called off', model.now)
  expectFoodOrder(body, order)
  await checkOrder(life, order)
}

const OPERATION = {
  accept: 'accept_business_order',
  preparing: 'start_business_order_prep',
  ready: 'mark_business_order_ready',
  complete: 'complete_business_order',
  reject: 'reject_business_order',
} as const
const TO: Readonly<Record<FoodStepOf<'store'>['action'], FoodModelStatus>> = {
  accept: 'accepted',
  preparing: 'preparing',
  ready: 'ready',
  complete: 'completed',
  reject: 'rejected',
}

export async function runFoodStoreStep(life: FoodRun, step: FoodStepOf<'store'>): Promise<void> {
  const { model } = life
  const { action } = step
  const refusals = [...new Set(model.orders.map((each) => judgeAction(each, action)[0]))]
  // one that fits, or each kind of error equally often
  const wanted = step.usable ? undefined : pickAt(refusals, step.order)
  const order = pickOrder(model, { ...step, usable: true }, (each) => judgeAction(each, action)[0] === wanted)
  const as = step.as ?? order?.quote.store.owner ?? 'everything'
  const items = action === 'reject' && step.mark ? markable(order) : []
  const body = await callAndCompare(life, OPERATION[action], {
    as,
    input: {
      order_id: order?.id ?? `ord_${UNKNOWN_ID}`,
      ...detailsOf(step),
      ...(items.length > 0 && {
        reason_code: 'item_unavailable',
        item_ids: [...new Set(items.map(({ id }) => id))],
        mark_unavailable: true,
      }),
    },
    key: step.key,
    malformed: step.malformed,
    rule: () => (order?.quote.store.owner === as ? judgeAction(order, action) : ['order_not_found']),
  })
  if (body === undefined || order === undefined) return
  move(order, TO[action], model.now)
  if (action === 'accept') recordOpenCheck(order, body)
  if (action === 'complete') payCash(order, model.now)
  if (action === 'reject') await turnDown(life, order, items)
  expectBusinessOrder(body, order, model)
  await checkOrder(life, order)
}

function detailsOf({ action, prep, malformed }: FoodStepOf<'store'>): Body {
  return omitUndefined({
    prep_time_minutes: action === 'accept' ? prep : undefined,
    note: malformed ? 7 : undefined,
  })
}

async function turnDown(life: FoodRun, order: ModelOrder, items: readonly ModelItem[]): Promise<void> {
  order.rejection = items.length > 0 ? 'item_unavailable' : 'other'
  returnOrderStock(life.model, order, 'rejected', life.model.now)
  for (const item of items) Object.assign(item, { available: false, until: null })
  await resync(life, items)
}

/** Returns the items of an order that still exist: a store cannot make deleted items unavailable. */
function markable(order: ModelOrder | undefined): ModelItem[] {
  return order?.quote.lines.map(({ item }) => item).filter(({ deleted }) => !deleted) ?? []
}

/** Reads the versions of items that an order made unavailable: they never fall, and the menu matches. */
async function resync({ world, model }: FoodRun, items: readonly ModelItem[]): Promise<void> {
  const [{ store } = { store: undefined }] = items
  if (store === undefined) return
  const { body } = await world.call('get_restaurant_menu', { merchant_id: store.id })
  expectMenu(body, store, model.now)
  store.menuVersion = Number(body['menu_version'])
  for (const item of items) await readVersion(world, item)
}

async function readVersion(world: FoodRun['world'], item: ModelItem): Promise<void> {
  const row = await world.db.read((tx) =>
    tx.get('select version, updated_at from catalog_items where item_id = $1', item.id),
  )
  expect(Number(row?.['version'])).toBeGreaterThanOrEqual(item.version)
  item.version = Number(row?.['version'])
  item.updated = Number(row?.['updated_at'])
}

function payCash(order: ModelOrder, when: number): void {
  if (order.pays.method === 'cash') payNow(order, when)
}

export function payNow(order: ModelOrder, when: number): void {
  order.pays.status = 'paid'
  order.pays.paidAt = when
}

export function recordOpenCheck(order: ModelOrder, body: Body): void {
  if (order.pays.method !== 'pay_at_table') return
  const check = (body['table'] as Body | null)?.['check'] as Body | undefined
  expect(amountOf(check?.['balance'])).toBe(order.quote.price.total)
  order.check = { id: String(check?.['check_id']), open: true }
}

export function pickOrder(
  { orders }: FoodModel,
  { order, usable, unknown }: { order: number; usable: boolean; unknown: boolean },
  fits: (order: ModelOrder) => boolean,
): ModelOrder | undefined {
  if (unknown) return undefined
  const fitting = orders.filter(fits)
  return pickAt(usable && fitting.length > 0 ? fitting : orders, order)
}
