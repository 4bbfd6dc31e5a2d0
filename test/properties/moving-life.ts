/** Compares what a step changed, and what happened since, with the model. */
import { expect } from 'vitest'
import { type Body, type ModelRun, walletBalance } from '../support/model-calls.ts'
import { amountOf } from '../support/money.ts'
import {
  hasResourceEnded,
  type MovingModel,
  NEXT,
  paymentOf,
  currentModelStatus,
  type ModelResource,
  walletOf,
} from './moving-model.ts'

export type MovingRun = ModelRun<MovingModel>

export const GET = {
  ride: ['get_ride', 'ride_id', 'ride_not_found'],
  delivery: ['get_delivery', 'delivery_id', 'delivery_not_found'],
  booking: ['get_service_booking', 'booking_id', 'booking_not_found'],
  task: ['get_task', 'task_id', 'task_not_found'],
} as const

/**
 * Reads a resource and follows its automatic changes, as long as the rules allow them; then compares it with the model.
 */
export async function followModelResource(life: MovingRun, thing: ModelResource): Promise<Body> {
  const [name, member] = GET[thing.area]
  const { status, body, text } = await life.world.call(name, { [member]: thing.id }, { as: thing.account })
  expect(status, text).toBe(200)
  applyObservedChanges(life.model, thing, body)
  expectThing(life.model, thing, body)
  return body
}

function applyObservedChanges({ now }: MovingModel, thing: ModelResource, body: Body): void {
  const seen = body['status_history'] as { status: string; at: string }[]
  const before = thing.history.length
  expect(seen.slice(0, before).map(({ status }) => status)).toEqual(thing.history.map(({ status }) => status))
  for (const { status, at: when } of seen.slice(before)) {
    const last = currentModelStatus(thing)
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
export function expectThing({ now }: MovingModel, thing: ModelResource, body: Body): void {
  const status = currentModelStatus(thing)
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
  Record<ModelResource['area'], (thing: ModelResource, body: Body, status: string, said: string) => void>
> = {
  ride(thing, body, status, said) {
    expect(body['driver'] !== null, said).toBe(DRIVEN.includes(status))
    expect(body['vehicle'] !== null, said).toBe(DRIVEN.includes(status))
    const receipt = body['receipt'] as Body | null
    expect(receipt !== null, said).toBe(hasResourceEnded(thing))
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
export async function checkWallet({ world, model }: MovingRun, handle: string): Promise<void> {
  expect(await walletBalance(world, handle), `wallet of ${handle}`).toBe(walletOf(model, handle))
}
