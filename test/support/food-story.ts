/** Steps that food stories repeat: buying at the account's own store, and reading both views. */
import { expect } from 'vitest'
import type { OperationOutput } from '../../src/client/operations.ts'
import type { PrintedFailure } from './answers.ts'
import type { AcceptanceContext } from './story.ts'

export type FoodOrderOutput = OperationOutput<'get_food_order'>
export type StoreOrder = OperationOutput<'get_business_order'>
export type FoodQuote = OperationOutput<'quote_food_order'>

const STORE = '"Forno Santa Rosa"'
export const BREAD = `${STORE} --item "Focaccia x2"`
export const TO_COLLECT = `${BREAD} --fulfillment pickup`
export const AT_THE_TABLE = `${BREAD} --fulfillment dine_in --table 4 --party 2`
export const TO_THE_DOOR = `${STORE} --item "Focaccia x3" --fulfillment delivery --to "12 Finsbury Square, EC2A 1AN"`

/** Quotes and buys in one command. */
export async function buyFood(
  told: AcceptanceContext,
  basket: string,
  pay = '--pay card --payment-token tok_ok',
): Promise<FoodOrderOutput> {
  return (await told.dray(`food order ${basket} ${pay} --yes --max-total 90 --json`)).json<FoodOrderOutput>()
}

export async function quoteFoodBasket(told: AcceptanceContext, basket: string): Promise<FoodQuote> {
  return (await told.dray(`food quote ${basket} --json`)).json<FoodQuote>()
}

/** Buys a quote. */
export async function confirmFoodQuote(
  told: AcceptanceContext,
  { quote_id }: FoodQuote,
  more = '',
): Promise<FoodOrderOutput> {
  const pay = '--pay card --payment-token tok_ok'
  return (
    await told.dray(`food order --quote-id ${quote_id} ${pay} --yes ${more} --json`)
  ).json<FoodOrderOutput>()
}

/** As `confirm`, but expects an error. */
export async function refuseFoodQuote(
  told: AcceptanceContext,
  { quote_id }: FoodQuote,
  exit: number,
  more = '',
): Promise<PrintedFailure> {
  const line = `food order --quote-id ${quote_id} --pay card --payment-token tok_ok --yes ${more} --json`
  return (await told.dray(line, { exit })).json<PrintedFailure>()
}

const ACTS = {
  accept: 'accept_business_order',
  prepare: 'start_business_order_prep',
  ready: 'mark_business_order_ready',
  complete: 'complete_business_order',
} as const

/** Makes the store act on an order. */
export async function performStoreAction(
  told: AcceptanceContext,
  verb: keyof typeof ACTS,
  { order_id }: { order_id: string },
): Promise<void> {
  await told.call(ACTS[verb], { order_id })
}

/** As `act`, but expects an error. Returns its code. */
export async function refused(
  told: AcceptanceContext,
  verb: string,
  { order_id: id }: { order_id: string },
  exit: number,
) {
  return (await told.dray(`business orders ${verb} ${id} --json`, { exit })).json<PrintedFailure>().code
}

export async function reject(told: AcceptanceContext, { order_id: id }: { order_id: string }): Promise<void> {
  await told.dray(`business orders reject ${id} --reason too_busy --confirm ${id} --json`)
}

/** Returns both views of one order, which must agree. */
export async function readMatchingViews(
  told: AcceptanceContext,
  { order_id: id }: { order_id: string },
): Promise<FoodOrderOutput & { store: StoreOrder }> {
  const seen = (await told.dray(`food show ${id} --json`)).json<FoodOrderOutput>()
  const store = (await told.dray(`business orders show ${id} --json`)).json<StoreOrder>()
  const shared = ({ status, payment, refund, total, status_history }: FoodOrderOutput | StoreOrder) => ({
    status,
    payment: payment.status,
    refund,
    total,
    history: status_history.map((step) => [step.status, step.at, step.by]),
  })
  expect(shared(seen)).toEqual(shared(store))
  return { ...seen, store }
}

export async function wallet(told: AcceptanceContext): Promise<number> {
  const { balance } = await told.control('get_wallet', {
    account: 'everything',
  })
  return balance.amount
}

export async function orders(told: AcceptanceContext): Promise<string[]> {
  const { data } = (await told.dray('food list --json')).json<{ data: FoodOrderOutput[] }>()
  return data.map(({ status }) => status)
}
