/** Compares baskets and their prices with the model. */
import type { ErrorCode } from '../../src/core/errors.ts'
import {
  callAndCompare,
  pickAt,
  type Body,
  iso,
  omitUndefined,
  NOWHERE,
  UNKNOWN_ID,
} from '../support/model-calls.ts'
import { gbp } from '../support/money.ts'
import type { FoodRun } from './food-life.ts'
import {
  type ModelQuoteRequest,
  type FoodModel,
  judgeQuote,
  living,
  MINUTE,
  type ModelItem,
  type FoodModelQuote,
  type ModelStore,
  priceOf,
  quoteExpiry,
  toLines,
} from './food-model.ts'
import type { FoodStepOf, Pick } from './food-steps.ts'
import { expectQuote } from './food-views.ts'

const QUARTER = 15 * MINUTE
const VERY_FAR = { latitude: 51.6129, longitude: -0.0823 }

export async function runFoodQuoteStep(life: FoodRun, step: FoodStepOf<'quote'>): Promise<void> {
  const { model } = life
  const store = pickAt(model.stores, step.store)
  if (store === undefined) return
  const ask = askOf(model, store, step)
  const tip = tipOf(step)
  const body = await callAndCompare(life, 'quote_food_order', {
    as: step.as,
    input: quoteBody(step, ask, store),
    malformed: step.flaw === 'malformed',
    rule() {
      const foreign: ErrorCode[] = tip !== undefined && tip.currency !== 'GBP' ? ['currency_mismatch'] : []
      return [...judgeQuote(model, ask), ...foreign]
    },
  })
  if (body === undefined) return
  const lines = toLines(ask.lines)
  const member = model.people.get(step.as)?.member === true
  const made: FoodModelQuote = {
    id: String(body['quote_id']),
    account: step.as,
    kind: 'food',
    expires: quoteExpiry(model.now),
    usedBy: undefined,
    store,
    type: step.type,
    lines,
    price: priceOf(store, step.type, lines, { member, tip: tip?.amount ?? 0 }),
    scheduled: ask.scheduled,
    table: ask.table,
  }
  expectQuote(body, made, model.now)
  model.quotes.push(made)
}

function askOf(model: FoodModel, store: ModelStore, step: FoodStepOf<'quote'>): ModelQuoteRequest {
  const own = living(store)
  const foreign = model.stores.filter((other) => other !== store).flatMap((other) => other.items)
  const gone = store.items.filter(({ deleted }) => deleted)
  const lines = step.lines.map(({ item: index, quantity, pick }) => {
    const item = pickAt(own, index)
    return { item, quantity, picks: item === undefined ? [] : picksOf(item, pick) }
  })
  if (step.flaw === 'foreign item')
    lines.push({ item: pickAt([...gone, ...foreign], step.table), quantity: 1, picks: [] })
  if (step.flaw === 'item') lines.push({ item: undefined, quantity: 1, picks: [] })
  const quarter = model.now - (model.now % QUARTER)
  return {
    account: step.as,
    store: step.flaw === 'store' ? undefined : store,
    type: step.type,
    lines,
    dropoff: step.type === 'delivery' ? dropoffOf(step, store.point) : undefined,
    table: step.type === 'dine_in' ? (pickAt(store.tables, step.table) ?? '1') : undefined,
    scheduled: step.later === undefined ? undefined : quarter + step.later * QUARTER,
  }
}

function quoteBody(
  step: FoodStepOf<'quote'>,
  { lines, dropoff, table, scheduled }: ModelQuoteRequest,
  store: ModelStore,
): Body {
  return omitUndefined({
    merchant_id: step.flaw === 'store' ? `mer_${UNKNOWN_ID}` : store.id,
    fulfillment_type: step.type,
    items: lines.map(({ item, quantity, picks }) => ({
      item_id: item?.id ?? `itm_${UNKNOWN_ID}`,
      quantity: step.flaw === 'malformed' ? 100 : quantity,
      ...(picks.length > 0 && {
        modifiers: picks.map((pick) => ({ modifier_id: pick.id, quantity: pick.quantity })),
      }),
    })),
    dropoff: dropoff === 'nowhere' ? NOWHERE : dropoff && { location: dropoff },
    table: table === undefined ? undefined : { table_number: table, party_size: 2 },
    scheduled_for: scheduled === undefined ? undefined : iso(scheduled),
    tip: tipOf(step),
  })
}

function tipOf({ type, flaw, tip }: FoodStepOf<'quote'>) {
  if (type !== 'delivery') return undefined
  if (flaw === 'currency') return { amount: 100, currency: 'EUR' }
  return tip === 0 ? undefined : gbp(tip)
}

function dropoffOf(
  { flaw }: FoodStepOf<'quote'>,
  near: { latitude: number; longitude: number },
): ModelQuoteRequest['dropoff'] {
  if (flaw === 'nowhere') return 'nowhere'
  return flaw === 'far' ? VERY_FAR : { latitude: near.latitude + 0.001, longitude: near.longitude }
}

function picksOf({ groups }: ModelItem, how: Pick): ModelQuoteRequest['lines'][number]['picks'] {
  if (how === 'foreign') return [{ id: `mod_${UNKNOWN_ID}`, quantity: 1 }]
  if (how === 'none') return []
  return groups.flatMap(({ modifiers, min, max, repeats }) => {
    if (how === 'too many') return modifiers.map(({ id }) => ({ id, quantity: repeats ? (max ?? 1) : 1 }))
    if (how === 'unavailable')
      return modifiers.filter(({ available }) => !available).map(({ id }) => ({ id, quantity: 1 }))
    const [first] = modifiers.filter(({ available }) => available)
    if (first === undefined) return []
    const quantity = how === 'twice' || (repeats && max !== 1) ? 2 : Math.max(1, min)
    return [{ id: first.id, quantity }]
  })
}
