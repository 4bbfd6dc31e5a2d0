import { beforeEach, describe, expect, test } from 'vitest'
import {
  ANA,
  FROM,
  PARCEL_OF_KEYS,
  quoteRun,
  RAVI,
  requestOf,
  sendRun,
  fetchDelivery,
  TO,
  advanceToDeliveryStatus,
} from '../../support/deliveries.ts'
import { newKey } from '../../support/food.ts'
import { gbp } from '../../support/money.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

let world: TestSandbox

beforeEach(async () => {
  world = await openTestSandbox()
})

async function refuse(over: Record<string, unknown>, options: { as?: string; scenario?: string } = {}) {
  const { as = 'member' } = options
  const { quote_id } = await quoteRun(world, { as })
  const input = requestOf(quote_id, over)
  return world.refused('request_delivery', input, { as, key: newKey(), ...options })
}

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('the price that was quoted is charged, and a courier is looked for', async () => {
    world = await openTestSandbox({ engine })
    const quote = await quoteRun(world, { quote: { parcel: { size: 'medium', description: 'A cake' } } })
    const key = newKey()
    const input = requestOf(quote.quote_id, {
      pickup_notes: 'At the counter',
      verification: { dropoff: ['signature', 'pincode'] },
      external_reference: 'order 77',
      expected_total: quote.total,
    })
    const answer = await world.call('request_delivery', input, { as: 'member', key })
    expect(answer).toMatchObject({
      status: 201,
      headers: { Location: `/v1/deliveries/${String(answer.body['delivery_id'])}` },
    })
    expect(answer.body).toMatchObject({
      delivery_id: expect.stringMatching(/^dlv_/),
      quote_id: quote.quote_id,
      origin: { kind: 'customer_request', order_id: null },
      status: 'pending',
      pickup: { place: FROM, contact: ANA, notes: 'At the counter', verification: ['photo'] },
      dropoff: { place: TO, contact: RAVI, notes: null, verification: ['signature', 'pincode'] },
      parcel: { size: 'medium', weight_grams: null, description: 'A cake', value: null, requires_id: false },
      price: quote.total,
      billed_to: 'customer',
      tax_included: quote.tax_included,
      payment: { method: 'card', status: 'paid', collected_by: 'platform', amount: quote.total },
      refund: null,
      courier: null,
      pickup_eta_at: quote.pickup_eta_at,
      dropoff_eta_at: quote.dropoff_eta_at,
      courier_imminent: false,
      dropoff_pincode: expect.stringMatching(/^\d{4}$/),
      pickup_proof: null,
      proof_of_delivery: null,
      undeliverable: null,
      status_history: [{ status: 'pending', at: '2026-11-20T09:00:00.000Z', by: 'customer', reason: null }],
      trail: null,
      external_reference: 'order 77',
      delivered_at: null,
    })
    expect(await fetchDelivery(world, String(answer.body['delivery_id']))).toEqual(answer.body)
    const again = await world.call('request_delivery', input, { as: 'member', key })
    expect(again).toMatchObject({ status: 201, text: answer.text })
    const { code, delivery_id } = (await world.refused('request_delivery', input, {
      as: 'member',
      key: newKey(),
    })) as unknown as Record<string, unknown>
    expect({ code, delivery_id }).toEqual({
      code: 'quote_already_used',
      delivery_id: answer.body['delivery_id'],
    })
  })
})

test('a delivery without a verification gets a photo, and no pincode', async () => {
  expect(await sendRun(world)).toMatchObject({ dropoff: { verification: ['photo'] }, dropoff_pincode: null })
})

test('the courier sees the notes of each address if the delivery has none of its own', async () => {
  const noted = (access_notes: string) => ({ ...TO.address, access_notes })
  const quote = {
    pickup: { ...FROM, address: noted('Ring at the side door') },
    dropoff: { ...TO, address: noted('Third floor') },
  }
  expect(await sendRun(world, { quote })).toMatchObject({
    pickup: { notes: 'Ring at the side door' },
    dropoff: { notes: 'Third floor' },
  })
  expect(await sendRun(world, { quote, request: { dropoff_notes: 'Leave it with Ben' } })).toMatchObject({
    pickup: { notes: 'Ring at the side door' },
    dropoff: { notes: 'Leave it with Ben' },
  })
})

test('the wallet pays, if it has enough', async () => {
  const run = {
    quote: { parcel: { size: 'xl', description: 'A sofa' } },
    request: { payment: { method: 'wallet' } },
  }
  for (let sofas = 0; sofas < 4; sofas++)
    expect((await sendRun(world, run)).payment).toMatchObject({ method: 'wallet', status: 'paid' })
  const { quote_id } = await quoteRun(world, run)
  const fifth = requestOf(quote_id, run.request)
  expect(await world.refused('request_delivery', fifth, { as: 'member', key: newKey() })).toMatchObject({
    code: 'insufficient_funds',
    balance: gbp(5000 - 4 * 1065),
  })
})

test('a caller without a membership, a payment method or the right total is rejected', async () => {
  expect(await refuse({}, { as: 'guest' })).toMatchObject({ code: 'membership_required' })
  expect(await refuse({ payment: { method: 'card', payment_token: 'tok_declined' } })).toMatchObject({
    code: 'payment_declined',
  })
  expect(await refuse({ payment: { method: 'pay_at_table' } })).toMatchObject({
    code: 'payment_method_not_accepted',
    accepted_methods: ['card', 'wallet', 'cash'],
  })
  expect(await refuse({ payment: { method: 'card' } })).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer: '/payment/payment_token', code: 'required' }],
  })
  expect(await refuse({ expected_total: gbp(464) })).toMatchObject({
    code: 'quote_mismatch',
    total: gbp(465),
  })
})

test('a rejected confirm leaves the quote open and changes nothing', async () => {
  const { quote_id } = await quoteRun(world)
  const declined = requestOf(quote_id, { payment: { method: 'card', payment_token: 'tok_declined' } })
  await world.refused('request_delivery', declined, { as: 'member', key: newKey() })
  const counts = await world.db.read((tx) =>
    tx.all(`select (select count(*) from deliveries) as deliveries, (select count(*) from payments) as payments,
      (select count(*) from timeline where kind = 'delivery') as plans`),
  )
  expect(counts).toEqual([{ deliveries: 0, payments: 0, plans: 0 }])
  expect(
    await world.ok('request_delivery', requestOf(quote_id), { as: 'member', key: newKey() }),
  ).toMatchObject({ status: 'pending' })
})

test('needs both contacts, and a verification that there is', async () => {
  const { quote_id } = await quoteRun(world)
  const { pickup_contact: _, ...body } = requestOf(quote_id)
  expect(await world.refused('request_delivery', body, { as: 'member', key: newKey() })).toMatchObject({
    errors: [{ pointer: '/pickup_contact', code: 'required' }],
  })
  for (const dropoff of [[], ['left_safe'], ['photo', 'photo']])
    expect(await refuse({ verification: { dropoff } })).toMatchObject({ code: 'invalid_request' })
})

test('a parcel that may be left needs no recipient: no PIN, signature, ID or cash', async () => {
  const quoted = await quoteRun(world, { quote: { if_absent: 'leave' } })
  expect(quoted).toMatchObject({ if_absent: 'leave', payment_methods: ['card', 'wallet'] })
  expect(await quoteRun(world)).toMatchObject({
    if_absent: 'return',
    payment_methods: ['card', 'wallet', 'cash'],
  })
  const asMember = () => ({ as: 'member', key: newKey() })
  const refusedFor = async (over: Record<string, unknown>) => {
    const { code, errors } = await world.refused(
      'request_delivery',
      requestOf(quoted.quote_id, over),
      asMember(),
    )
    return [code, ...(errors ?? []).map(({ pointer }) => pointer)]
  }
  const cash = { payment: { method: 'cash' } }
  for (const dropoff of [['pincode'], ['signature'], ['photo', 'signature']])
    expect(await refusedFor({ verification: { dropoff } })).toEqual([
      'options_conflict',
      '/verification/dropoff',
    ])
  expect(await refusedFor(cash)).toEqual(['options_conflict', '/payment/method'])
  expect(await refusedFor({ ...cash, verification: { dropoff: ['pincode'] } })).toEqual([
    'options_conflict',
    '/verification/dropoff',
    '/payment/method',
  ])
  const id = {
    pickup: FROM,
    dropoff: TO,
    parcel: { ...PARCEL_OF_KEYS, requires_id: true },
    if_absent: 'leave',
  }
  expect(await world.refused('quote_delivery', id, { as: 'member' })).toMatchObject({
    code: 'options_conflict',
    errors: [{ pointer: '/parcel/requires_id', code: 'mutually_exclusive' }],
  })
  const photo = requestOf(quoted.quote_id, { verification: { dropoff: ['photo'] } })
  expect(await world.ok('request_delivery', photo, asMember())).toMatchObject({ if_absent: 'leave' })
})

test('another customer’s quote is not there', async () => {
  const { quote_id } = await quoteRun(world, { as: 'guest' })
  const options = { as: 'member', key: newKey() }
  expect(await world.refused('request_delivery', requestOf(quote_id), options)).toMatchObject({
    code: 'quote_not_found',
  })
})

test('scenarios and their options are those of couriers', async () => {
  for (const scenario of [
    'courier_cancels;at=delivered',
    'courier_delay;seconds=x',
    'undeliverable;reason=bored',
  ])
    expect(await refuse({}, { scenario })).toMatchObject({ code: 'scenario_not_allowed' })
  expect(await refuse({}, { scenario: 'store_auto' })).toMatchObject({ code: 'scenario_not_allowed' })
})

test('a recipient without the cash gets nothing, and only what is paid in cash has such a recipient', async () => {
  const cash = { payment: { method: 'cash' } }
  const { delivery_id } = await sendRun(world, { request: cash, scenario: 'cod_not_available' })
  const { undeliverable, payment } = await advanceToDeliveryStatus(world, delivery_id, 'returned')
  expect([undeliverable?.reason_code, payment?.status]).toEqual(['cod_not_available', 'failed'])
  const { code, detail } = await refuse({}, { scenario: 'cod_not_available' })
  expect([code, detail]).toEqual(['scenario_not_allowed', 'cod_not_available is about what is paid in cash.'])
})
