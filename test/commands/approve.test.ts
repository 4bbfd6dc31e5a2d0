import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { OperationOutput } from '../../src/client/operations.ts'
import { approve } from '../../src/commands/approve.command.ts'
import {
  toCallApprovalId,
  isPurchaseApproved,
  recordPendingApproval,
} from '../../src/local-state/approvals.ts'
import type { Purchase, PendingApproval } from '../../src/local-state/approvals.ts'
import { saveKnownQuote } from '../../src/local-state/quotes.ts'
import { saveCreatedResource } from '../../src/local-state/recent.ts'
import { embeddedIn } from '../support/embedded-client.ts'
import { type Home, makeHome } from '../support/home.ts'
import { memoryIo } from '../support/memory-io.ts'
import { gbp } from '../support/money.ts'
import { partialResponse } from '../support/part.ts'
import { toPurchaseInput } from '../support/purchases.ts'
import { runCommand } from '../support/run-command.ts'

/** The time of the machine and of the service in these tests. */
const NINE = Date.parse('2026-11-20T09:00:00Z')

let home: Home

beforeEach(() => {
  home = makeHome({ DRAY_NOW: '2026-11-20T09:00:00.000Z' })
})

afterEach(() => home[Symbol.dispose]())

/** Stores a request of an agent. */
function wait({
  purchase,
  ...over
}: { purchase?: Partial<Purchase> } & Partial<Omit<PendingApproval, 'purchase'>> = {}) {
  const waiting: PendingApproval = {
    purchase: {
      approval_id: purchase?.quote_id ?? 'quo_1',
      about: ['Total: £18.40, by card'],
      ...toPurchaseInput({ quote_id: purchase?.quote_id ?? 'quo_1', payment: { method: 'card' } }),
      quote_id: 'quo_1',
      operation: 'place_food_order',
      tier: null,
      total: gbp(1840),
      expires_at: '2026-11-20T09:15:00.000Z',
      profile: 'default',
      service: `${home.paths.data}/default/dray.db`,
      account: 'everything',
      ...purchase,
    },
    protected: false,
    asked_at: NINE,
    service_time: NINE,
    frozen: false,
    client: 'an-agent 1.0',
    ...over,
  }
  recordPendingApproval(home, waiting)
  return waiting.purchase
}

const run = (...argv: string[]) => runCommand(home, approve, argv, { openClient: embeddedIn(home) })

/** Advances the sandbox clock, but not the machine's. */
async function advance(by: string): Promise<void> {
  const service = await embeddedIn(home)({
    kind: 'embedded',
    store: `${home.paths.data}/default/dray.db`,
    account: 'everything',
  })
  await service.control('advance_clock', { by })
  await service.close()
}

describe('dray approve', () => {
  test('lists pending approvals, newest first, and none that has ended', async () => {
    expect((await run()).err).toContain('No pending approvals.')
    wait({
      asked_at: NINE - 20 * 60_000,
      service_time: NINE - 20 * 60_000,
      purchase: { quote_id: 'quo_over', expires_at: '2026-11-20T08:55:00.000Z' },
    })
    wait({ purchase: { quote_id: 'quo_first' } })
    wait({ purchase: { quote_id: 'quo_ride', operation: 'request_ride', tier: 'xl', profile: 'work' } })
    wait({ purchase: { quote_id: 'quo_first' } })
    const { data } = (await run('--json')).json() as { data: object[] }
    expect(data).toEqual([
      expect.objectContaining({ quote_id: 'quo_first', what: 'food order', asked_by: 'an-agent 1.0' }),
      expect.objectContaining({ quote_id: 'quo_ride', what: 'ride (xl)', profile: 'work' }),
    ])
  })

  test('says what was declined where the agent asked, and still releases it', async () => {
    wait({ purchase: { quote_id: 'quo_2' } })
    const purchase = wait({ declined: true })
    const { data } = (await run('--json')).json() as { data: { quote_id: string; state: string }[] }
    expect(data.map(({ quote_id, state }) => `${quote_id} ${state}`)).toEqual([
      'quo_1 declined',
      'quo_2 waiting',
    ])
    await run('quo_1', '--yes', '--max-total', '20')
    expect(isPurchaseApproved(home, purchase, NINE)).toBe(true)
  })

  test('lists and releases what waits for hours on a frozen clock', async () => {
    const purchase = wait({ asked_at: NINE - 3 * 3_600_000, frozen: true })
    expect((await run('--json')).json()).toMatchObject({ data: [{ quote_id: 'quo_1', state: 'waiting' }] })
    await run('quo_1', '--yes', '--max-total', '20')
    expect(isPurchaseApproved(home, purchase, NINE)).toBe(true)
  })

  test('releases what an agent asked for, wherever it was asked from', async () => {
    const purchase = wait({
      purchase: { profile: 'work', service: 'https://api.example.com', account: null },
    })
    const ran = await run('quo_1', '--yes', '--max-total', '18.40', '--json')
    expect(ran.json()).toMatchObject({ quote_id: 'quo_1', total: gbp(1840), profile: 'work', account: null })
    expect(isPurchaseApproved(home, purchase, NINE)).toBe(true)
    const { data } = (await run('--json')).json() as { data: { state: string }[] }
    expect(data.map(({ state }) => state)).toEqual(['approved'])
    expect(isPurchaseApproved(home, { ...purchase, total: gbp(1841) }, NINE)).toBe(false)
    expect(isPurchaseApproved(home, purchase, NINE + 15 * 60_000)).toBe(false)
  })

  test.each([
    [
      ['quo_1'],
      'not_confirmed',
      'Confirm it with --yes and --max-total: dray approve quo_1 --yes --max-total 18.40',
    ],
    [['quo_1', '--yes'], 'not_confirmed', 'Set a limit: dray approve quo_1 --yes --max-total 18.40'],
    [['quo_1', '--yes', '--max-total', '18.39'], 'price_above_limit', undefined],
    [['quo_1', '--yes', '--max-total', 'much'], 'usage', undefined],
    [
      ['quo_2', '--yes', '--max-total', '99'],
      'quote_not_found',
      '`dray approve` lists pending purchases; those with an expired quote are gone.',
    ],
  ])('releases nothing for %j', async (argv, code, hint) => {
    const purchase = wait()
    const { error } = await run(...argv)
    expect(error).toMatchObject({ code, ...(hint !== undefined && { hint }) })
    expect(isPurchaseApproved(home, purchase, NINE)).toBe(false)
  })

  test('wants the name of a protected profile', async () => {
    const purchase = wait({ protected: true, purchase: { profile: 'work' } })
    const { error } = await run('quo_1', '--yes', '--max-total', '20')
    expect(error).toMatchObject({ code: 'not_confirmed' })
    const misnamed = await run('quo_1', '--yes', '--max-total', '20', '--confirm', 'default')
    expect(misnamed.error).toMatchObject({ code: 'not_confirmed' })
    expect(isPurchaseApproved(home, purchase, NINE)).toBe(false)
    expect(error?.hint).toBe(
      'Add --confirm work to continue: dray approve quo_1 --yes --max-total 20 --confirm work',
    )
    await run('quo_1', '--yes', '--max-total', '20', '--confirm', 'work')
    expect(isPurchaseApproved(home, purchase, NINE)).toBe(true)
  })

  test('asks on a terminal, with No where nothing is said', async () => {
    const purchase = wait()
    for (const [typed, approved] of [
      ['\r', false],
      ['no\r', false],
      ['yes\r', true],
    ] as const) {
      const io = memoryIo({ tty: true, env: home.env })
      const asking = runCommand(home, approve, ['quo_1'], { io, openClient: embeddedIn(home) })
      io.type(typed)
      const { error } = await asking
      expect(error?.code).toBe(approved ? undefined : 'not_confirmed')
      expect(isPurchaseApproved(home, purchase, NINE)).toBe(approved)
    }
  })

  test('asks which of two, where one quote is of two profiles', async () => {
    wait({ purchase: { profile: 'one', service: 'https://one.example' } })
    wait({ purchase: { profile: 'two', service: 'https://two.example' } })
    const { error } = await run('quo_1', '--yes', '--max-total', '99')
    expect(error).toMatchObject({ code: 'usage', hint: 'Choose the profile with --profile.' })
    // The request for this command's service is chosen.
    wait()
    expect((await run('quo_1', '--yes', '--max-total', '99', '--json')).json()).toMatchObject({
      profile: 'default',
    })
  })

  test('approves no quote before an agent asks: who it is for and how it is paid stand in its call', async () => {
    const quote = partialResponse<OperationOutput<'quote_ride'>>({
      kind: 'ride',
      quote_id: 'quo_9',
      expires_at: '2026-11-20T09:05:00.000Z',
      fares: [{ tier: 'economy', fare: gbp(900) }],
    })
    const service = `${home.paths.data}/default/dray.db`
    saveKnownQuote(home, { operation: 'quote_ride', input: {}, account: 'everything', quote, service })
    const { error } = await run('quo_9', '--yes', '--max-total', '9.00', '--tier', 'economy')
    expect(error).toMatchObject({
      code: 'quote_not_found',
      hint: 'An approval is for one exact call. Let the agent call request_ride first, then run this again.',
    })
  })

  test('asks which of two calls, where an agent asks for two at one quote, and releases that one only', async () => {
    const card = wait()
    const wallet = wait({
      purchase: {
        ...toPurchaseInput({ quote_id: 'quo_1', payment: { method: 'wallet' }, notes: 'Ring twice' }),
        adds: ['Notes: “Ring twice”'],
      },
    })
    const { error } = await run('quo_1', '--yes', '--max-total', '20')
    expect(error).toMatchObject({
      code: 'usage',
      message: 'Several pending purchases match quo_1.',
      hint: `They differ in payment.method, notes. Choose one: dray approve ${toCallApprovalId(wallet)}, or dray approve ${toCallApprovalId(card)}.`,
    })
    const { data } = (await run('--json')).json() as { data: { approval_id: string; about: string[] }[] }
    expect(data.map(({ approval_id, about }) => [approval_id, about])).toEqual([
      [toCallApprovalId(wallet), ['Total: £18.40, by card', 'Notes: “Ring twice”']],
      [toCallApprovalId(card), ['Total: £18.40, by card']],
    ])
    await run(toCallApprovalId(card), '--yes', '--max-total', '20')
    expect([isPurchaseApproved(home, card, NINE), isPurchaseApproved(home, wallet, NINE)]).toEqual([
      true,
      false,
    ])
  })

  test('approves nothing that has expired by the clock of the service, and lists it no more', async () => {
    const purchase = wait()
    await advance('1h')
    expect((await run('--json')).json()).toMatchObject({ data: [] })
    const { error } = await run('quo_1', '--yes', '--max-total', '30')
    expect(error).toMatchObject({ code: 'quote_expired', exitCode: 7 })
    expect(isPurchaseApproved(home, purchase, NINE)).toBe(false)
  })

  test('approves nothing at a quote that was bought, as whichever ride', async () => {
    const { quote_id, profile, service, account } = wait({
      purchase: { operation: 'request_ride', tier: 'premium' },
    })
    const value = { ride_id: 'rid_1', quote_id }
    const answer = {
      value,
      status: 201,
      replayed: false,
      requestId: '',
      serviceTime: { now: NINE, frozen: false },
    }
    saveCreatedResource(home, { profile, service, account }, 'request_ride', answer)
    expect((await run('--json')).json()).toMatchObject({ data: [] })
    const { error } = await run('quo_1', '--yes', '--max-total', '30')
    expect(error).toMatchObject({ code: 'quote_already_used', exitCode: 7, extra: { id: 'rid_1' } })
  })
})
