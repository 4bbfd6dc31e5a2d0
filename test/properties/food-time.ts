/** Compares changes by the sandbox and automatic events with the model. */
import { expect } from 'vitest'
import { NO_END } from '../../src/core/opening-hours.ts'
import { callTestControl } from '../support/control.ts'
import { pickAt, type Body, advanceProgramClock } from '../support/model-calls.ts'
import { checkOrder, type FoodRun } from './food-life.ts'
import {
  modelAcceptDeadline,
  type FoodModel,
  returnOrderStock,
  type ModelOrder,
  move,
  type FoodModelStatus,
} from './food-model.ts'
import { recordOpenCheck, payNow } from './food-orders.ts'
import type { FoodStepOf } from './food-steps.ts'
import { expectFoodOrder } from './food-views.ts'

export async function runFoodSettleStep(life: FoodRun, step: FoodStepOf<'settle'>): Promise<void> {
  const { model, world } = life
  const isPayment = step.what === 'payment'
  const fitting = model.orders.filter(({ pays, check, status }) =>
    isPayment ? pays.status === 'unpaid' && pays.pending && status === 'placed' : check?.open === true,
  )
  const order = pickAt(fitting, step.order)
  if (order === undefined) return
  if (isPayment) await callTestControl(world, 'settle_payment', { order_id: order.id })
  else await callTestControl(world, 'settle_check', { check_id: order.check?.id ?? '' })
  if (order.check !== undefined && !isPayment) order.check.open = false
  if (order.pays.status === 'unpaid') payNow(order, model.now)
  await checkOrder(life, order)
}

export async function runFoodOpenCheckStep(life: FoodRun, step: FoodStepOf<'open check'>): Promise<void> {
  const { model, world } = life
  const order = pickAt(
    model.orders.filter(
      (each) =>
        each.quote.type === 'dine_in' &&
        each.check === undefined &&
        ['accepted', 'preparing', 'ready'].includes(each.status),
    ),
    step.order,
  )
  if (order === undefined) return
  await callTestControl(world, 'open_check', { order_id: order.id })
  const { body } = await world.call(
    'get_business_order',
    { order_id: order.id },
    { as: order.quote.store.owner },
  )
  const check = (body['table'] as Body)['check'] as Body
  order.check = { id: String(check['check_id']), open: true }
  await checkOrder(life, order)
}

export async function runFoodPauseStep({ world, model }: FoodRun, step: FoodStepOf<'pause'>): Promise<void> {
  const store = pickAt(model.stores, step.store)
  if (store === undefined) return
  const until = step.paused ? NO_END : null
  await world.db.write((tx) =>
    tx.run('update merchants set paused_until = $2 where merchant_id = $1', store.id, until),
  )
  store.paused = step.paused
}

export async function runFoodWaitStep(life: FoodRun, { ms, lazily }: FoodStepOf<'wait'>): Promise<void> {
  const { model } = life
  const until = model.now + ms
  await advanceProgramClock(life, until, lazily)
  let last = model.now
  for (const { at: due, happens } of planned(model, until)) {
    expect(due).toBeGreaterThanOrEqual(last)
    last = due
    happens()
  }
  model.now = until
  const moved: ModelOrder[] = []
  for (const order of model.orders) if (await catchUp(life, order)) moved.push(order)
  for (const order of moved) await checkOrder(life, order)
}

/** Yields the automatic events with a known time, in their order. */
function* planned(model: FoodModel, until: number): Generator<{ at: number; happens: () => void }> {
  for (;;) {
    const next = model.orders
      .flatMap((order) => plansOf(model, order))
      .filter(({ at: due }) => due <= until)
      .toSorted((a, b) => a.at - b.at)[0]
    if (next === undefined) return
    yield next
  }
}

function plansOf(model: FoodModel, order: ModelOrder): { at: number; happens: () => void }[] {
  const { pays, refund, status, placed, quote } = order
  const plans: { at: number; happens: () => void }[] = []
  if (pays.pending && pays.status === 'unpaid') {
    const due = placed + 120_000
    plans.push({ at: due, happens: () => payNow(order, due) })
  }
  if (refund?.status === 'pending') {
    const due = refund.at + 60_000
    const happens = (): void => {
      refund.status = 'succeeded'
      pays.status = 'refunded'
    }
    plans.push({ at: due, happens })
  }
  if (status === 'placed' && !quote.store.auto) {
    const due = modelAcceptDeadline(order)
    const happens = (): void => {
      move(order, 'rejected', due)
      order.rejection = 'not_accepted_in_time'
      returnOrderStock(model, order, 'rejected', due)
    }
    plans.push({ at: due, happens })
  }
  return plans
}

/**
 * Follows random times: the model accepts the observed status when the rules allow it. Returns whether the order moved.
 */
async function catchUp(life: FoodRun, order: ModelOrder): Promise<boolean> {
  const { world, model } = life
  const seen = await world.call('get_food_order', { order_id: order.id }, { as: order.account })
  const history = seen.body['status_history'] as { status: FoodModelStatus; at: string; by: string }[]
  const before = order.history.length
  for (const { status, at: when, by } of history.slice(before)) {
    const last = order.history.at(-1)?.at ?? 0
    const now = Date.parse(when)
    expect(now).toBeLessThanOrEqual(model.now)
    expectAllowed(order, { status, by, since: now - last, now })
    move(order, status, now)
    if (status === 'completed' && order.check !== undefined) order.check.open = false
    if (status === 'completed' && order.pays.status === 'unpaid') payNow(order, now)
    if (status === 'failed') returnOrderStock(model, order, 'called off', now)
  }
  const isAccepted = order.history.slice(before).some(({ status }) => status === 'accepted')
  if (isAccepted && order.pays.method === 'pay_at_table') await noticeCheck(life, order)
  expectFoodOrder(seen.body, order)
  return order.history.length > before
}

async function noticeCheck({ world }: FoodRun, order: ModelOrder): Promise<void> {
  const { body } = await world.call(
    'get_business_order',
    { order_id: order.id },
    { as: order.quote.store.owner },
  )
  if (order.status !== 'completed') return recordOpenCheck(order, body)
  const check = (body['table'] as Body)['check'] as Body
  order.check = { id: String(check['check_id']), open: false }
}

/** Checks the seconds since the step before, with 20 % tolerance (D). */
function expectAllowed(
  order: ModelOrder,
  { status, by, since, now }: { status: FoodModelStatus; by: string; since: number; now: number },
): void {
  const { quote, pays } = order
  const within = (from: number, seconds: number): void => {
    expect(from).toBeGreaterThanOrEqual(seconds * 800)
    // a scheduled order may wait until its preparation
    if (quote.scheduled === undefined) expect(from).toBeLessThanOrEqual(seconds * 1200)
  }
  const what = `${order.status} → ${status} by ${by}`
  if (by === 'courier' || quote.type === 'delivery') {
    if (status === 'out_for_delivery') return expect(since, what).toBeGreaterThanOrEqual(120_000 * 0.8)
    if (order.status === 'out_for_delivery') return
    if (order.status === 'ready' && status === 'failed') return
  }
  expect(quote.store.auto, what).toBe(true)
  if (status === 'completed') {
    const [least, most] = quote.type === 'dine_in' ? [1800, 3600] : [300, 900]
    expect(since, what).toBeGreaterThanOrEqual(least * 1000)
    return expect(since, what).toBeLessThanOrEqual(most * 1000)
  }
  if (status === 'accepted') within(now - (pays.paidAt ?? order.placed), 30)
  else if (status === 'preparing') within(since, 30)
  else expect([status, what]).toEqual(['ready', what])
}
