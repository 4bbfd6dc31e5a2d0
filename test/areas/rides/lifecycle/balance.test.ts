import { beforeEach, describe, expect, test } from 'vitest'
import { callTestControl } from '../../../support/control.ts'
import { CARD, newKey } from '../../../support/food.ts'
import { gbp } from '../../../support/money.ts'
import { quoteTestRide, requestTestRide, advanceToRideStatus } from '../../../support/rides.ts'
import { ENGINES } from '../../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../../support/world.ts'

const CASH = { payment: { method: 'cash' } }
const THREE_MINUTES = 180_000
/** So far away that no driver arrives within the time of free cancellation. */
const FAR = { pickup: { location: { latitude: 51.6, longitude: -0.2 } } }

describe.each(ENGINES)('on $name, a cash ride that is cancelled late', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  /** Cancels a cash ride a few minutes after its driver accepted. */
  async function cancelLate() {
    const { ride_id } = await requestTestRide(world, { trip: FAR, more: CASH })
    await advanceToRideStatus(world, ride_id, 'accepted')
    await world.advance(THREE_MINUTES)
    return world.ok('cancel_ride', { ride_id })
  }

  async function owed() {
    const wallet = await callTestControl(world, 'get_wallet', { account: 'everything' })
    return wallet.owed.amount
  }

  /** Returns the owed and paid amounts, newest first. */
  async function moves() {
    const wallet = await callTestControl(world, 'get_wallet', { account: 'everything' })
    return wallet.owed_entries
  }

  async function economy() {
    const quote = await quoteTestRide(world)
    const fare = quote.fares.find(({ tier }) => tier === 'economy')
    if (fare === undefined) throw new Error('nobody drives economy')
    const due = fare.lines.find(({ type }) => type === 'balance_due')?.amount ?? null
    return { quote_id: quote.quote_id, total: fare.fare, due }
  }

  const confirm = ({ quote_id }: { quote_id: string }, payment: object = CARD) => ({
    quote_id,
    tier: 'economy',
    payment,
  })

  test('owes its fee, and the response says so', async () => {
    const before = await economy()
    expect(await cancelLate()).toMatchObject({
      cancellation_fee: null,
      cancellation: { fee: gbp(0), balance_due: gbp(500) },
      receipt: { charged: gbp(0), lines: [] },
      payment: { status: 'failed' },
      refund: null,
    })
    expect(await owed()).toBe(500)
    const after = await economy()
    expect(after.due).toEqual(gbp(500))
    expect(after.total).toEqual(gbp(before.total.amount + 500))
  })

  test('has its fee paid with the next ride, once', async () => {
    const late = await cancelLate()
    const owing = { kind: 'owed', amount: gbp(500), ride_id: late.ride_id }
    expect(await moves()).toMatchObject([owing])
    const quote = await economy()
    const ride = await world.ok('request_ride', confirm(quote), { key: newKey() })
    expect(ride.payment.amount).toEqual(quote.total)
    expect([await owed(), (await economy()).due]).toEqual([0, null])
    expect(await moves()).toMatchObject([{ kind: 'paid', amount: gbp(500), ride_id: ride.ride_id }, owing])
    const { receipt } = await advanceToRideStatus(world, ride.ride_id, 'completed')
    expect(receipt).toMatchObject({ charged: quote.total })
    expect(receipt?.lines).toContainEqual({ type: 'balance_due', amount: gbp(500) })
  })

  test('is not charged twice by two quotes that both hold its fee', async () => {
    await cancelLate()
    const quotes = [await economy(), await economy(), await economy()]
    const answers = await Promise.all(
      quotes.map((quote) => world.call('request_ride', confirm(quote), { key: newKey() })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422])
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({
      code: 'quote_mismatch',
      balance_due: gbp(0),
    })
    expect(await owed()).toBe(0)
  })

  test('still owes its fee after a confirm that was rejected', async () => {
    await cancelLate()
    const quote = await economy()
    const declined = { method: 'card', payment_token: 'tok_declined' }
    await world.refused('request_ride', confirm(quote, declined), { key: newKey() })
    expect(await owed()).toBe(500)
    await world.ok('request_ride', confirm(quote), { key: newKey() })
    expect(await owed()).toBe(0)
  })

  test.each([CARD, { method: 'cash' }])(
    'owes its fee again when the next ride, paid by %j, is called off',
    async (paid) => {
      await cancelLate()
      const quote = await economy()
      const { ride_id } = await world.ok('request_ride', confirm(quote, paid), { key: newKey() })
      expect(await owed()).toBe(0)
      const { cancellation, receipt } = await world.ok('cancel_ride', { ride_id })
      expect([cancellation?.fee, cancellation?.balance_due, receipt?.charged]).toEqual([gbp(0), null, gbp(0)])
      expect(await owed()).toBe(500)
    },
  )

  test('owes nothing when it was paid by card, and nothing when it is cancelled in time', async () => {
    const byCard = await requestTestRide(world, { trip: FAR })
    await advanceToRideStatus(world, byCard.ride_id, 'accepted')
    expect(await world.ok('get_ride', { ride_id: byCard.ride_id })).toMatchObject({
      cancellation_fee: gbp(0),
    })
    await world.advance(THREE_MINUTES)
    expect(await world.ok('get_ride', { ride_id: byCard.ride_id })).toMatchObject({
      cancellation_fee: gbp(500),
    })
    const kept = await world.ok('cancel_ride', { ride_id: byCard.ride_id })
    expect(kept.cancellation).toMatchObject({ fee: gbp(500), balance_due: null })
    const early = await requestTestRide(world, { more: CASH })
    const free = await world.ok('cancel_ride', { ride_id: early.ride_id })
    expect(free.cancellation).toMatchObject({ fee: gbp(0), balance_due: null })
    expect(await owed()).toBe(0)
  })
})
