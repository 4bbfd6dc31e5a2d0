import { describe, expect, test } from 'vitest'
import { newKey } from '../../support/food.ts'
import {
  timestampAt,
  bookJob,
  CONTACT,
  findProviderNamed,
  makeJob,
  quoteJob,
  SATURDAY,
  startsOf,
} from '../../support/services.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const confirm = (world: TestSandbox, body: Record<string, unknown>, key = newKey()) =>
  world.ok('book_service', body, { key })
const refused = (world: TestSandbox, body: Record<string, unknown>, key = newKey()) =>
  world.refused('book_service', body, { key })

/** Counts the rows that bookings leave in a store. */
async function traces({ db }: TestSandbox): Promise<Record<string, number>> {
  return db.read(async (tx) => {
    const counts: Record<string, number> = {}
    for (const table of ['bookings', 'booked_cells', 'payments', 'ledger', 'events', 'timeline']) {
      const row = await tx.get(`select count(*) as count from ${table}`)
      counts[table] = Number(row?.['count'])
    }
    return counts
  })
}

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('books the named start, at the quoted price', async () => {
    const world = await openTestSandbox({ engine })
    const job = await makeJob(world, { notes: 'Two cats' })
    const quote = await world.ok('quote_service', job)
    const booking = await confirm(world, {
      quote_id: quote.quote_id,
      starts_at: timestampAt('10:00'),
      contact: CONTACT,
      access_notes: 'Ring twice',
      payment: { method: 'wallet' },
      expected_total: quote.total,
    })
    expect(booking).toMatchObject({
      quote_id: quote.quote_id,
      status: 'confirmed',
      provider: { name: 'Bright Corner Cleaning', phone_masked: '+44•••••••201', photo_url: null },
      service_code: 'regular_clean',
      service_name: 'Regular clean',
      duration_minutes: 120,
      slot: { starts_at: timestampAt('10:00'), ends_at: timestampAt('12:00') },
      preferred_window: null,
      arrival_window: { starts_at: timestampAt('10:00'), ends_at: timestampAt('10:30') },
      contact: CONTACT,
      notes: 'Two cats',
      access_notes: 'Ring twice',
      price: quote.total,
      tax_included: quote.tax_included,
      payment: { method: 'wallet', status: 'paid', amount: quote.total },
      refund: null,
      provider_location: null,
      status_history: [{ status: 'confirmed', at: '2026-11-20T09:00:00.000Z', by: 'customer', reason: null }],
    })
    expect(await world.ok('get_service_booking', { booking_id: booking.booking_id })).toEqual(booking)
  })

  test('books the start of the quote without naming it again', async () => {
    const world = await openTestSandbox({ engine })
    const body = await quoteJob(world, { starts_at: timestampAt('10:00') })
    expect(await confirm(world, body)).toMatchObject({
      status: 'confirmed',
      slot: { starts_at: timestampAt('10:00') },
    })
  })

  test('without a start it is asked for', async () => {
    const world = await openTestSandbox({ engine })
    const preferred_window = { starts_at: timestampAt('12:00'), ends_at: timestampAt('15:00') }
    const booking = await bookJob(world, {}, { body: { preferred_window } })
    expect(booking).toMatchObject({ status: 'requested', slot: null, preferred_window, arrival_window: null })
    expect(await startsOf(world)).toHaveLength(18)
  })

  test('the second caller is not booked or charged, and gets the open starts', async () => {
    const world = await openTestSandbox({ engine })
    const [first, second] = [await quoteJob(world), await quoteJob(world)]
    await confirm(world, { ...first, starts_at: timestampAt('10:00') })
    const before = await traces(world)
    const key = newKey()
    const problem = await refused(world, { ...second, starts_at: timestampAt('11:00') }, key)
    expect(problem).toMatchObject({
      status: 409,
      code: 'slot_unavailable',
      alternatives: [timestampAt('12:30'), timestampAt('13:00'), timestampAt('13:30')],
    })
    expect(await traces(world)).toEqual(before)
    // The quote is still open: it can book the next start.
    const { alternatives } = problem as unknown as { alternatives: string[] }
    expect(await confirm(world, { ...second, starts_at: alternatives[0] })).toMatchObject({
      status: 'confirmed',
    })
    expect(await refused(world, { ...second, starts_at: timestampAt('11:00') }, key)).toMatchObject({
      code: 'slot_unavailable',
    })
  })

  test('a card that is declined leaves the start to others', async () => {
    const world = await openTestSandbox({ engine })
    const body = await quoteJob(world, { starts_at: timestampAt('10:00') })
    const before = await traces(world)
    const payment = { method: 'card', payment_token: 'tok_declined' }
    expect(await refused(world, { ...body, payment })).toMatchObject({ code: 'payment_declined' })
    expect(await traces(world)).toEqual(before)
    expect(await confirm(world, body)).toMatchObject({ status: 'confirmed' })
  })

  test('the same key books once, whatever happened since', async () => {
    const world = await openTestSandbox({ engine })
    const body = { ...(await quoteJob(world)), starts_at: timestampAt('10:00') }
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => world.call('book_service', body, { key: 'same' })),
    )
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    // The quote has expired by then.
    await world.advance(23 * 3_600_000)
    expect((await world.call('book_service', body, { key: 'same' })).text).toBe(answers[0]?.text)
    expect(await refused(world, { ...body, starts_at: timestampAt('13:00') }, 'same')).toMatchObject({
      code: 'idempotency_key_reused',
    })
    expect((await traces(world))['bookings']).toBe(1)
  })

  test('a used quote names its booking', async () => {
    const world = await openTestSandbox({ engine })
    const body = { ...(await quoteJob(world)), starts_at: timestampAt('10:00') }
    const { booking_id } = await confirm(world, body)
    expect(await refused(world, body)).toMatchObject({ code: 'quote_already_used', booking_id })
  })
})

test('a quote is valid to its last millisecond', async () => {
  const world = await openTestSandbox()
  const [one, other] = [await quoteJob(world), await quoteJob(world)]
  await world.advance(899_999)
  await confirm(world, { ...one, starts_at: timestampAt('10:00') })
  await world.advance(1)
  expect(await refused(world, { ...other, starts_at: timestampAt('14:00') })).toMatchObject({
    code: 'quote_expired',
  })
})

test('a start that the quote named may not become another', async () => {
  const world = await openTestSandbox()
  const body = await quoteJob(world, { starts_at: timestampAt('10:00') })
  const window = { starts_at: timestampAt('09:00'), ends_at: timestampAt('12:00') }
  for (const over of [{ starts_at: timestampAt('11:00') }, { preferred_window: window }])
    expect(await refused(world, { ...body, ...over })).toMatchObject({
      code: 'quote_mismatch',
      starts_at: timestampAt('10:00'),
    })
  // The same instant with another offset.
  await confirm(world, { ...body, starts_at: `${SATURDAY}T11:00:00+01:00` })
})

test('the price that was seen is the one that is paid', async () => {
  const world = await openTestSandbox()
  const body = await quoteJob(world)
  const expected_total = { amount: 1, currency: 'GBP' }
  expect(await refused(world, { ...body, expected_total })).toMatchObject({ code: 'quote_mismatch' })
})

test.each([
  ['a window that ends before it starts', { starts_at: timestampAt('12:00'), ends_at: timestampAt('12:00') }],
  ['a window in the past', { starts_at: '2026-11-19T08:00:00Z', ends_at: '2026-11-20T09:00:00Z' }],
  ['a window of weeks', { starts_at: timestampAt('08:00'), ends_at: '2026-12-06T08:00:00Z' }],
  ['a window in years', { starts_at: '2028-11-21T08:00:00Z', ends_at: '2028-11-21T09:00:00Z' }],
])('refuses %s', async (_, preferred_window) => {
  const world = await openTestSandbox()
  const body = await quoteJob(world)
  expect(await refused(world, { ...body, preferred_window })).toMatchObject({
    status: 422,
    code: 'window_invalid',
    errors: [{ pointer: '/preferred_window' }],
  })
})

test('a service that needs a start is rejected without one', async () => {
  const world = await openTestSandbox()
  const place = { location: { latitude: 51.501, longitude: -0.19 } }
  const asked = { provider: 'Kensington Mobile Beauty', service_code: 'haircut', place }
  const body = await quoteJob(world, asked)
  expect(await refused(world, body)).toMatchObject({
    code: 'window_invalid',
    errors: [{ pointer: '/starts_at', code: 'required' }],
  })
  await confirm(world, { ...body, starts_at: timestampAt('14:00') })
})

test.each([
  [{ payment: { method: 'cash' } }, 'payment_method_not_accepted', 422],
  [{ payment: { method: 'pay_at_table' } }, 'payment_method_not_accepted', 422],
  [{ payment: { method: 'card' } }, 'invalid_request', 400],
  [{ payment: { method: 'wallet', payment_token: 'tok_ok' } }, 'invalid_request', 400],
  [{ contact: undefined }, 'invalid_request', 400],
  [{ quote_id: 'quo_01m7vkystge8kbcf2tpy8vep2a' }, 'quote_not_found', 404],
  [
    {
      starts_at: timestampAt('10:00'),
      preferred_window: { starts_at: timestampAt('10:00'), ends_at: timestampAt('12:00') },
    },
    'invalid_request',
    400,
  ],
])('refuses %o with %s', async (over, code, status) => {
  const world = await openTestSandbox()
  const body = { ...(await quoteJob(world)), ...over }
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
  expect(await refused(world, given)).toMatchObject({ code, status })
})

test('a wallet with too little books nothing', async () => {
  const world = await openTestSandbox()
  const body = await quoteJob(world, { service_code: 'deep_clean', duration_minutes: 480 })
  expect(
    await refused(world, { ...body, starts_at: timestampAt('08:00'), payment: { method: 'wallet' } }),
  ).toMatchObject({ code: 'insufficient_funds' })
  expect(await startsOf(world)).toContain('08:00')
})

test('only members book, and another customer’s quote is rejected', async () => {
  const world = await openTestSandbox()
  const own = await quoteJob(world, {}, { as: 'guest' })
  expect(await world.refused('book_service', own, { as: 'guest', key: newKey() })).toMatchObject({
    code: 'membership_required',
  })
  expect(await refused(world, own)).toMatchObject({ code: 'quote_not_found' })
})

describe('how the sandbox plays a booking', () => {
  test.each([
    ['provider_declines', { starts_at: timestampAt('10:00') }],
    ['provider_cancels;at=requested', { starts_at: timestampAt('10:00') }],
    ['provider_cancels;at=arrived', {}],
    ['provider_cancels;reason=tired', {}],
    ['customer_no_show;at=confirmed', {}],
    ['happy;at=confirmed', {}],
    ['no_courier', {}],
  ])('refuses %s', async (scenario, over) => {
    const world = await openTestSandbox()
    const body = { ...(await quoteJob(world)), ...over }
    expect(await world.refused('book_service', body, { key: newKey(), scenario })).toMatchObject({
      code: 'scenario_not_allowed',
    })
  })
})

test('every shown start can be booked, if nothing else happens', async () => {
  const world = await openTestSandbox()
  const { provider_id } = await findProviderNamed(world)
  const { data } = await world.ok('get_provider_availability', {
    provider_id,
    date: SATURDAY,
    service_code: 'window_clean',
  })
  let shown = 0
  for (const { starts_at } of data) {
    const open = await startsOf(world, { service_code: 'window_clean' })
    if (!open.includes(starts_at.slice(11, 16))) continue
    const body = { ...(await quoteJob(world, { service_code: 'window_clean' })), starts_at }
    expect((await world.call('book_service', body, { key: newKey() })).status).toBe(201)
    shown += 1
  }
  // An hour and a half each, and half an hour of travel to the next.
  expect(shown).toBe(5)
})
