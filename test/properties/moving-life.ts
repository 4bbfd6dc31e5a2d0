/** Makes one call in the moving world and compares its response with the model's expectation. */
import { expect } from 'vitest'
import { findAccount } from '../../src/areas/account/store.ts'
import { type ErrorCode, ERRORS } from '../../src/core/errors.ts'
import type { Answer, TestWorld } from '../support/world.ts'
import { at, known } from './food-life.ts'
import {
  isOver,
  type Judgement,
  type MovingModel,
  NEXT,
  paymentOf,
  statusOf,
  storedFor,
  type Thing,
  walletOf,
} from './moving-model.ts'

export type Body = Record<string, unknown>

export type Life = {
  world: TestWorld
  model: MovingModel
  /** How often each `operation code` occurred; `ok` is a code here. */
  heard: Map<string, number>
  /** Calls with a key that succeeded or were finally refused. */
  keyed: { name: string; call: Call }[]
  /** Returns a number that no run uses twice. */
  serial(): number
}

export type Call = {
  as: string
  input: Body
  key?: string | undefined
  scenario?: string | undefined
  /** Does not fit the schema, or combines fields that exclude each other. */
  malformed?: boolean
  /** Has a cursor that the service did not issue. */
  forged?: boolean
  /** Returns the errors that the rules allow. */
  rule?: () => Judgement
}

/** The four confirms (B3, B4, B6, B7), which need a membership and a key. */
const CONFIRMS = ['request_ride', 'request_delivery', 'book_service', 'create_task']
/** The operations of B5, which need the carrier's agreement and a scope that customers do not have. */
const OF_CARRIER = [
  'check_coverage',
  'quote_rates',
  'create_shipment',
  'create_shipments_batch',
  'get_shipment',
  'list_shipments',
  'cancel_shipment',
  'list_shipment_events',
  'list_hubs',
]
/** The operations with an optional key (A7). */
const KEYED = ['cancel_ride', 'cancel_task', 'create_shipment', 'create_shipments_batch', 'cancel_shipment']

/** Makes the call and compares its response with the model; returns the response of a first success. */
export async function act(life: Life, name: string, call: Call): Promise<Body | undefined> {
  const { world, model, heard } = life
  const { as, input, key, scenario } = call
  const stored = judgeKey(model, name, call)
  const { must, may = [] } = typeof stored === 'object' ? { must: [] } : judge(model, name, call)
  const answer = await world.call(name, input, {
    as,
    ...(key !== undefined && { key }),
    ...(scenario !== undefined && { scenario }),
  })
  const code = answer.status < 300 ? 'ok' : String(answer.body['code'])
  heard.set(`${name} ${code}`, (heard.get(`${name} ${code}`) ?? 0) + 1)
  const said = `${name} by ${as} of ${JSON.stringify(input).slice(0, 400)}: ${answer.text.slice(0, 600)}`
  if (typeof stored === 'object') {
    if (stored.print === printOf(input)) expect(answer.text, said).toBe(stored.text)
    else expect(code, said).toBe('idempotency_key_reused')
    return undefined
  }
  expect(must.length > 0 ? [...must, ...may] : ['ok', ...may], said).toContain(code)
  if (remember(model, name, call, answer)) life.keyed.push({ name, call })
  if (code === 'slot_unavailable') expect(answer.body['alternatives'], said).toBeInstanceOf(Array)
  return code === 'ok' ? answer.body : undefined
}

function takesKey(name: string): boolean {
  return CONFIRMS.includes(name) || KEYED.includes(name)
}

/** Returns the stored response of a key; `refused` when the caller may not make the call at all. */
function judgeKey(model: MovingModel, name: string, { as, key }: Call) {
  if (!mayCall(model, name, as)) return 'refused'
  if (key === undefined || !takesKey(name)) return undefined
  return storedFor(model, keyName(name, as, key))
}

/** Returns the expected errors: the gateway's checks in their order (A1), then the rules. */
function judge(model: MovingModel, name: string, call: Call): Judgement {
  const person = model.people.get(call.as)
  if (person === undefined) throw new Error(`${name} by ${call.as}`)
  if (!mayCall(model, name, call.as)) return { must: ['insufficient_scope'] }
  const isConfirm = CONFIRMS.includes(name)
  if (isConfirm && call.key === undefined) return { must: ['idempotency_key_required'] }
  if (isConfirm && !person.member) return { must: ['membership_required'] }
  if (OF_CARRIER.includes(name) && !person.agreement) return { must: ['agreement_required'] }
  // Both faults at once: some faults of a request only the store finds.
  const wrong: ErrorCode[] = [
    ...(call.malformed === true ? ['invalid_request' as const] : []),
    ...(call.forged === true ? ['invalid_cursor' as const] : []),
  ]
  return wrong.length > 0 ? { must: wrong } : (call.rule?.() ?? { must: [] })
}

function mayCall(model: MovingModel, name: string, as: string): boolean {
  const person = model.people.get(as)
  if (name === 'get_membership_status') return person !== undefined
  return OF_CARRIER.includes(name) ? person?.carrier === true : person?.customer === true
}

function remember(model: MovingModel, name: string, call: Call, { status, text, body }: Answer): boolean {
  const { as, input, key } = call
  if (key === undefined || !takesKey(name)) return false
  const entry = status < 300 ? undefined : ERRORS[body['code'] as ErrorCode]
  const final = [402, 404, 409, 422].includes(status) && !(entry !== undefined && 'retryable' in entry)
  if (status >= 300 && !final) return false
  model.keys.set(keyName(name, as, key), { print: printOf(input), text, at: model.now })
  return true
}

/** P5, P6: repeats an earlier call, or another one with its key, whatever has happened since. */
export async function again(life: Life, { which, other }: { which: number; other: boolean }): Promise<void> {
  const alive = life.keyed.filter(({ name, call }) => typeof judgeKey(life.model, name, call) === 'object')
  const names = [...new Set(alive.map(({ name }) => name))]
  const own = alive.filter(({ name }) => name === at(names, which))
  const found = at(own, which)
  if (found === undefined) return
  const { name, call } = found
  await act(life, name, { ...call, input: other ? { ...call.input, other: 1 } : call.input })
}

function keyName(name: string, as: string, key: string): string {
  return `${as} ${name} ${key}`
}

function printOf(input: Body): string {
  return JSON.stringify(input)
}

export const GET = {
  ride: ['get_ride', 'ride_id', 'ride_not_found'],
  delivery: ['get_delivery', 'delivery_id', 'delivery_not_found'],
  booking: ['get_service_booking', 'booking_id', 'booking_not_found'],
  task: ['get_task', 'task_id', 'task_not_found'],
} as const

/**
 * Reads a resource and follows its automatic changes, as long as the rules allow them; then compares it with the model.
 */
export async function follow(life: Life, thing: Thing): Promise<Body> {
  const [name, member] = GET[thing.area]
  const { status, body, text } = await life.world.call(name, { [member]: thing.id }, { as: thing.account })
  expect(status, text).toBe(200)
  takeOver(life.model, thing, body)
  expectThing(life.model, thing, body)
  return body
}

function takeOver({ now }: MovingModel, thing: Thing, body: Body): void {
  const seen = body['status_history'] as { status: string; at: string }[]
  const before = thing.history.length
  expect(seen.slice(0, before).map(({ status }) => status)).toEqual(thing.history.map(({ status }) => status))
  for (const { status, at: when } of seen.slice(before)) {
    const last = statusOf(thing)
    const moment = Date.parse(when)
    expect(NEXT[thing.area][last], `${thing.id} from ${last} to ${status}`).toContain(status)
    // only the model itself cancels for the customer
    if (thing.area === 'task') expect(status).not.toBe('cancelled')
    expect(moment).toBeGreaterThanOrEqual(thing.history.at(-1)?.at ?? 0)
    expect(moment).toBeLessThanOrEqual(now)
    thing.history.push({ status, at: moment })
    if (status === 'failed') thing.fee = amountOf((thing.quote.body as { callout_fee: unknown }).callout_fee)
    if (status === 'cancelled' && thing.area === 'ride') {
      const fee = amountOf((body['cancellation'] as Body)['fee'])
      expect(fee).toBeLessThanOrEqual(thing.total)
      thing.fee = fee
    }
  }
  const slot = body['slot'] as Body | null | undefined
  if (slot !== null && slot !== undefined) thing.start = Date.parse(String(slot['starts_at']))
}

/** Compares a resource with the customer's view in the model. */
export function expectThing({ now }: MovingModel, thing: Thing, body: Body): void {
  const status = statusOf(thing)
  const said = `${thing.id} (${thing.scenario}): ${JSON.stringify(body).slice(0, 1500)}`
  expect(body['status'], said).toBe(status)
  expect(body['quote_id'], said).toBe(thing.quote.id)
  expect(amountOf(body[thing.area === 'ride' ? 'fare' : 'price']), said).toBe(thing.total)
  const payment = body['payment'] as Body
  const wanted = paymentOf(thing, now)
  expect([payment['method'], payment['status'], amountOf(payment['amount'])], said).toEqual([
    thing.method,
    wanted.status,
    thing.total,
  ])
  const refund = body['refund'] as Body | null
  expect(refund === null ? 0 : amountOf(refund['amount']), said).toBe(wanted.back)
  if (refund !== null) expect(refund['destination'], said).toBe('original_method')
  DETAILS[thing.area](thing, body, status, said)
}

const DRIVEN = ['accepted', 'arriving', 'arrived', 'in_progress', 'completed']

const DETAILS: Readonly<
  Record<Thing['area'], (thing: Thing, body: Body, status: string, said: string) => void>
> = {
  ride(thing, body, status, said) {
    expect(body['driver'] !== null, said).toBe(DRIVEN.includes(status))
    expect(body['vehicle'] !== null, said).toBe(DRIVEN.includes(status))
    const receipt = body['receipt'] as Body | null
    expect(receipt !== null, said).toBe(isOver(thing))
    if (receipt !== null)
      expect(amountOf(receipt['charged']), said).toBe(status === 'completed' ? thing.total : thing.fee)
    const open = ['scheduled', 'processing', 'accepted', 'arriving', 'arrived'].includes(status)
    expect(body['cancellable'], said).toBe(open)
  },
  delivery(_, body, status, said) {
    const collected = ['picked_up', 'arrived_at_dropoff', 'delivered', 'returning', 'returned'].includes(
      status,
    )
    expect(body['pickup_proof'] !== null, said).toBe(collected)
    expect(body['proof_of_delivery'] !== null, said).toBe(['delivered', 'returned'].includes(status))
    if (['pending'].includes(status)) expect(body['courier'], said).toBeNull()
  },
  booking(thing, body, status, said) {
    if (status === 'requested') expect(body['slot'], said).toBeNull()
    if (!['requested', 'declined', 'cancelled'].includes(status)) expect(thing.start, said).toBeDefined()
    expect(body['completion'] !== null, said).toBe(status === 'completed')
  },
  task(_, body, status, said) {
    if (status === 'created') expect(body['provider'], said).toBeNull()
    const summary = body['evidence_summary'] as Body
    if (status === 'completed') expect(summary['rules_satisfied'], said).toBe(true)
    expect(body['cancellable'], said).toBe(['created', 'assigned', 'en_route'].includes(status))
  },
}

/** Compares the wallet with the ledger. */
export async function checkWallet({ world, model }: Life, handle: string): Promise<void> {
  const balance = await world.db.read(async (tx) => {
    const account = await findAccount(tx, handle)
    const row = await tx.get('select balance from wallets where account_id = $1', account?.account_id ?? '')
    return Number(row?.['balance'])
  })
  expect(balance, `wallet of ${handle}`).toBe(walletOf(model, handle))
}

/** Returns all pages of a list, and checks that every page except the last is full. */
export async function walk(
  life: Life,
  name: string,
  call: Call,
  first: Body,
  limit: number,
): Promise<Body[]> {
  const data = [...(first['data'] as Body[])]
  let page = first
  while (page['has_more'] === true) {
    expect(page['data']).toHaveLength(limit)
    const cursor = String(page['next_cursor'])
    const { status, body, text } = await life.world.call(name, { ...call.input, cursor }, { as: call.as })
    expect(status, text).toBe(200)
    page = body
    data.push(...(page['data'] as Body[]))
  }
  expect(page['next_cursor']).toBeNull()
  return data
}

export function amountOf(value: unknown): number {
  return Number((value as { amount?: unknown } | undefined)?.amount)
}

export function gbp(amount: number): { amount: number; currency: string } {
  return { amount, currency: 'GBP' }
}

export { at, known }
