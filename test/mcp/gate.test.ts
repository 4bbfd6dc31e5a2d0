import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { withOperationTypes } from '../../src/client/client.ts'
import type { OperationOutput, OperationInput } from '../../src/client/operations.ts'
import { formatGroupedMoney } from '../../src/core/money.ts'
import {
  isPurchaseApproved,
  listPendingApprovals,
  claimApproval,
  writeApproval,
} from '../../src/local-state/approvals.ts'
import type { Purchase } from '../../src/local-state/approvals.ts'
import type { Actor } from '../../src/local-state/ledger.ts'
import type { McpClientSession } from '../../src/mcp/elicitation.ts'
import { approvalIsGone, type PurchaseToConfirm, decide, type PurchaseDecision } from '../../src/mcp/gate.ts'
import { makeGuard } from '../../src/mcp/guard.ts'
import type { ShownPrice } from '../../src/mcp/prices.ts'
import { countOrders, findBasket, quoteFood } from '../support/agent-shopping.ts'
import { type Agent, guardOptions, openHome, startAgent, toToolAnswer, YES } from '../support/agent.ts'
import type { AgentOptions } from '../support/agent.ts'
import { catchRejection } from '../support/caught.ts'
import type { Home } from '../support/home.ts'
import { makeParcel } from '../support/parcel.ts'
import { purchaseOf as orderOf, toPurchaseInput } from '../support/purchases.ts'

type Order = { order_id: string; total: unknown }

const MACHINE_TIME = Date.parse('2026-11-20T09:00:00Z')

let home: Home
let service: Client
let basket: OperationInput<'quote_food_order'>
let profiles = 0

beforeAll(async () => {
  ;({ home, service } = await openHome())
  basket = await findBasket(service)
})

/** Starts an agent with its own profile, where a person must approve. */
async function gated(
  options: Omit<AgentOptions, 'service'> = {},
  through = service,
): Promise<Agent & { profile: string }> {
  const profile = `agent-${(profiles += 1)}`
  const actor = { ...guardOptions(home).actor, profile }
  const agent = await startAgent(home, { service: through, actor, gate: true, ...options })
  return { ...agent, profile: options.actor?.profile ?? profile }
}

function purchaseOf({ quote, confirm }: Awaited<ReturnType<typeof quoteFood>>, profile: string): Purchase {
  return orderOf(quote, confirm, { ...guardOptions(home).actor, profile })
}

describe.each(['2025-11-25', '2026-07-28'] as const)('a program of revision %s that can ask', (revision) => {
  test('asks its user with purchase, price and expiry, and buys after a yes', async () => {
    const agent = await gated({ revision, answer: () => YES })
    const { quote, confirm } = await quoteFood(agent, basket)
    const { value, problem } = await agent.call<Order>('place_food_order', confirm)
    expect(problem).toBeUndefined()
    expect(value.total).toEqual(quote.total)
    expect(agent.asked).toHaveLength(1)
    expect(agent.asked[0]).toMatch(
      new RegExp(
        `^Pay ${formatGroupedMoney(quote.total)} for this food order\\?\n\nOrder from “Lime Street Noodles”\nPickup, .*\n2 × “Chicken Satay”: £`,
      ),
    )
    expect(agent.asked[0]).toContain(`Total: ${formatGroupedMoney(quote.total)}, by card\n`)
    const until = quote.expires_at.slice(11, 16)
    expect(agent.asked[0]).toContain(`The price is valid until ${until} UTC, for 15 minutes more.`)
  })

  test('does not ask about a text with invisible characters, and cleans a code of them', async () => {
    const agent = await gated({ revision, answer: () => YES })
    const { confirm } = await quoteFood(agent, basket)
    const evil = { ...confirm, notes: 'Ring\u202etwice' }
    expect((await agent.call('place_food_order', evil)).problem).toMatchObject({
      code: 'hidden_characters',
      errors: [{ pointer: '/notes', code: 'hidden_characters' }],
    })
    expect(agent.asked).toEqual([])
    const cleaned = { ...confirm, contact: { name: 'Ann', phone: '+44\u200b2079460123' } }
    expect((await agent.call('place_food_order', cleaned)).problem).toBeUndefined()
    expect(agent.asked).toHaveLength(1)
  })

  test('does not ask about a call that the service would reject for its arguments', async () => {
    const agent = await gated({ revision, answer: () => YES })
    const { confirm } = await quoteFood(agent, basket)
    const wrong: [given: Record<string, unknown>, pointer: string, code: string][] = [
      [{ notes: 'x'.repeat(501) }, '/notes', 'too_long'],
      [{ quote_id: 'q'.repeat(61) }, '/quote_id', 'too_long'],
      [{ contact: { name: 'Ann', phone: '12' } }, '/contact/phone', 'invalid_format'],
      [{ contact: { name: 'Ann', fax: '1' } }, '/contact/fax', 'unknown_member'],
      [{ payment: { method: 'barter' } }, '/payment/method', 'invalid_enum'],
      [{ expected_total: { amount: -1, currency: 'GBP' } }, '/expected_total/amount', 'out_of_range'],
    ]
    for (const [given, pointer, code] of wrong)
      expect((await agent.call('place_food_order', { ...confirm, ...given })).problem).toMatchObject({
        code: 'invalid_request',
        errors: [{ pointer, code }],
      })
    expect(agent.asked).toEqual([])
    expect((await agent.call('place_food_order', { ...confirm, notes: 'Ring' })).problem).toBeUndefined()
    expect(agent.asked).toHaveLength(1)
  })

  test('buys nothing after a no, and does not ask for the same again', async () => {
    const agent = await gated({ revision, answer: () => ({ action: 'decline' }) })
    const [first, second] = [await quoteFood(agent, basket), await quoteFood(agent, basket)]
    const before = await countOrders(service)
    for (const { confirm } of [first, first, second, first]) {
      const { problem } = await agent.call('place_food_order', confirm)
      expect(problem?.['code']).toBe('not_confirmed')
    }
    expect(agent.asked).toHaveLength(2)
    expect(await countOrders(service)).toBe(before)
    const listed = listPendingApprovals(home, MACHINE_TIME).find(
      ({ purchase }) => purchase.profile === agent.profile,
    )
    expect(listed).toMatchObject({ purchase: { quote_id: first.quote.quote_id }, declined: true })
  })

  test('treats a form without its yes as a no', async () => {
    const agent = await gated({ revision, answer: () => ({ action: 'accept', content: { agree: false } }) })
    const { confirm } = await quoteFood(agent, basket)
    expect((await agent.call('place_food_order', confirm)).problem?.['code']).toBe('not_confirmed')
  })

  test('names the terminal command when the question was closed without an answer, and may ask again', async () => {
    const answers = [{ action: 'cancel' } as const, YES]
    const agent = await gated({ revision, answer: () => answers.shift() ?? YES })
    const { quote, confirm } = await quoteFood(agent, basket)
    expect((await agent.call('place_food_order', confirm)).problem).toMatchObject({
      code: 'approval_required',
      approve_command: `dray approve ${quote.quote_id}`,
    })
    expect((await agent.call('place_food_order', confirm)).problem).toBeUndefined()
  })

  test('buys once, and asks once, however often the same is called', async () => {
    const agent = await gated({ revision, answer: () => YES })
    const { confirm } = await quoteFood(agent, basket)
    const first = await agent.call<Order>('place_food_order', confirm)
    const second = await agent.call<Order>('place_food_order', confirm)
    expect(second.value).toEqual({ ...first.value, replayed: expect.any(String) as string })
    expect([first.replayed, second.replayed]).toEqual([false, true])
    expect(agent.asked).toHaveLength(1)
  })

  test('cannot buy with a yes after the quote has expired', async () => {
    const agent = await gated({
      revision,
      async answer() {
        await service.control('advance_clock', { by: '16m' })
        return YES
      },
    })
    const { confirm } = await quoteFood(agent, basket)
    const before = await countOrders(service)
    expect((await agent.call('place_food_order', confirm)).problem?.['code']).toBe('quote_expired')
    expect(await countOrders(service)).toBe(before)
  })
})

describe('an answer through the program', () => {
  type Question = { inputRequests: unknown; requestState: string }
  const accepted = { agree: YES }

  /** Calls until the question, and does not answer it. */
  async function question(agent: Agent, args: Record<string, unknown>): Promise<Question> {
    const asked: unknown = await agent.client.callTool(
      { name: 'place_food_order', arguments: args },
      { allowInputRequired: true },
    )
    return asked as Question
  }

  /** Calls with an answer as if a person had given it. */
  async function answer(agent: Agent, args: Record<string, unknown>, requestState: string | undefined) {
    const params = {
      name: 'place_food_order',
      arguments: args,
      inputResponses: accepted,
      ...(requestState !== undefined && { requestState }),
    }
    return toToolAnswer<Order>(await agent.client.request({ method: 'tools/call', params }))
  }

  async function asking(): Promise<Agent> {
    return gated({ revision: '2026-07-28', answer: () => YES })
  }

  test('counts for the call in question', async () => {
    const agent = await asking()
    const { quote, confirm } = await quoteFood(agent, basket)
    const { requestState } = await question(agent, confirm)
    expect((await answer(agent, confirm, requestState)).value.total).toEqual(quote.total)
  })

  test('does not count when it was changed, forged, or omitted', async () => {
    const agent = await asking()
    const { confirm } = await quoteFood(agent, basket)
    const { requestState } = await question(agent, confirm)
    const [expires = '', mac = ''] = requestState.split('.')
    const before = await countOrders(service)
    const forged = [
      `${Number(expires) + 1}.${mac}`,
      `${expires}.${mac.slice(0, -1)}${mac.endsWith('0') ? '1' : '0'}`,
      `${expires}.`,
      'yes',
      undefined,
    ]
    for (const state of forged)
      expect((await answer(agent, confirm, state)).problem?.['code'], state).toBe('not_confirmed')
    expect(await countOrders(service)).toBe(before)
  })

  test('counts for no other arguments, quote or account', async () => {
    const agent = await asking()
    const other = await asking()
    const [one, two] = [await quoteFood(agent, basket), await quoteFood(agent, basket)]
    const { requestState } = await question(agent, one.confirm)
    const before = await countOrders(service)
    const wallet = { ...one.confirm, payment: { method: 'wallet' } }
    for (const [who, args] of [
      [agent, wallet],
      [agent, two.confirm],
      [other, one.confirm],
    ] as const)
      expect((await answer(who, args, requestState)).problem?.['code']).toBe('not_confirmed')
    expect(await countOrders(service)).toBe(before)
  })

  test('comes too late once the quote has expired', async () => {
    const agent = await asking()
    const { confirm } = await quoteFood(agent, basket)
    const { requestState } = await question(agent, confirm)
    await service.control('advance_clock', { by: '15m' })
    expect((await answer(agent, confirm, requestState)).problem?.['code']).toBe('quote_expired')
  })
})

describe('a program that cannot ask', () => {
  test('names the command for a person, and buys after that was run', async () => {
    const agent = await gated()
    const made = await quoteFood(agent, basket)
    const { quote, confirm } = made
    const { problem } = await agent.call('place_food_order', confirm)
    expect(problem).toMatchObject({
      code: 'approval_required',
      quote_id: quote.quote_id,
      total: quote.total,
      hint: `Ask the user to run \`dray approve ${quote.quote_id}\` in a terminal, then call place_food_order again with the same arguments.`,
    })
    const [waiting] = listPendingApprovals(home, MACHINE_TIME)
    expect(waiting).toMatchObject({
      purchase: { ...purchaseOf(made, agent.profile), about: expect.any(Array) },
      client: 'agent-of-the-tests 1.0',
    })
    writeApproval(home, purchaseOf(made, agent.profile))
    const bought = await agent.call<Order>('place_food_order', confirm)
    expect(bought.value.total).toEqual(quote.total)
    const again = await agent.call<Order>('place_food_order', confirm)
    expect([again.value, again.replayed]).toEqual([
      { ...bought.value, replayed: expect.any(String) as string },
      true,
    ])
  })

  test.each([
    ['another profile', { profile: 'somebody' }],
    ['another account', { account: 'shipper' }],
    ['another service', { service: 'https://other.example' }],
    ['another price', { total: { amount: 1, currency: 'GBP' } }],
    ['a time that is over', { expires_at: '2026-11-20T11:00:00.000Z' }],
  ])('is not helped by an approval for %s', async (_, other) => {
    const agent = await gated()
    const made = await quoteFood(agent, basket)
    writeApproval(home, { ...purchaseOf(made, agent.profile), ...other })
    expect((await agent.call('place_food_order', made.confirm)).problem?.['code']).toBe('approval_required')
  })

  test('learns how its call differs from one that was approved', async () => {
    const agent = await gated()
    const made = await quoteFood(agent, basket)
    const approved = purchaseOf(made, agent.profile)
    const call = (more: object) => agent.call('place_food_order', { ...made.confirm, ...more })
    const hint = `Ask the user to run \`dray approve ${made.quote.quote_id}\` in a terminal, then call place_food_order again with the same arguments.`
    const first = (await call({})).problem
    expect([first?.['hint'], first?.['differing']]).toEqual([hint, undefined])
    const listed = listPendingApprovals(home, MACHINE_TIME).find(
      ({ purchase }) => purchase.profile === agent.profile,
    )
    expect(listed?.declined).toBe(false)
    writeApproval(home, { ...approved, total: { amount: 1, currency: 'GBP' } })
    expect((await call({})).problem).toMatchObject({
      detail: 'The user approved a different place_food_order, at another price. Nothing was bought.',
      hint: `Call it with the arguments that were agreed to. For these arguments: ${hint}`,
      differing: [],
    })
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`member_${at + 10}`, at]))
    writeApproval(home, { ...approved, ...toPurchaseInput({ ...made.confirm, ...many }) })
    claimApproval({ ...home, pid: 1 }, { ...approved, total: { amount: 1, currency: 'GBP' } }, 0)
    expect((await call({})).problem?.['differing']).toHaveLength(20)
  })

  test('learns that another server took the approval first, and how to get one', () => {
    const quote = { quote_id: 'quo_1' }
    const shown = {
      quote,
      total: { amount: 1, currency: 'GBP' },
      tier: null,
      approvalId: 'quo_1',
      expiresAt: '',
    }
    const confirm = {
      operation: 'request_ride',
      given: {},
      input: {},
      about: [],
      intent: '',
      time: { now: 0, frozen: true },
      shown,
    }
    expect(approvalIsGone(guardOptions(home).actor, confirm as unknown as PurchaseToConfirm)).toMatchObject({
      code: 'approval_required',
      hint: 'Ask the user to run `dray approve quo_1` in a terminal, then call request_ride again with the same arguments.',
      extra: { quote_id: 'quo_1', approval_id: 'quo_1', approve_command: 'dray approve quo_1' },
    })
  })

  test('uses one approval once: of two servers that race for it one buys', async () => {
    const one = await gated()
    const actor = { ...guardOptions(home).actor, profile: one.profile }
    const two = await gated({ actor })
    const made = await quoteFood(one, basket)
    const before = await countOrders(service)
    writeApproval(home, purchaseOf(made, one.profile))
    const both = await Promise.all([
      one.call('place_food_order', { ...made.confirm, idempotency_key: 'the-first-one' }),
      two.call('place_food_order', { ...made.confirm, idempotency_key: 'the-second-one' }),
    ])
    const codes = new Set(both.map(({ problem }) => problem?.['code']))
    expect(codes).toEqual(new Set(['approval_required', undefined]))
    expect(await countOrders(service)).toBe(before + 1)
    expect(isPurchaseApproved(home, purchaseOf(made, one.profile), 0)).toBe(false)
  })

  test('cannot buy at a price that was not shown on this machine', async () => {
    const agent = await gated()
    const { quote, confirm } = await quoteFood(
      { call: async (tool, args) => ({ value: (await service.call(tool, args)).value }) as never },
      basket,
    )
    const { problem } = await agent.call('place_food_order', confirm)
    expect(problem).toMatchObject({
      code: 'approval_required',
      hint: 'Call quote_food_order here, show its price, then call place_food_order with its quote_id.',
    })
    expect(listPendingApprovals(home, MACHINE_TIME).map(({ purchase }) => purchase.quote_id)).not.toContain(
      quote.quote_id,
    )
  })
})

describe('a person agrees to one call at one price', () => {
  type Confirmed = { actor: Actor; confirm: PurchaseToConfirm }

  /** Returns a call that confirms a quote, and asks about it when no response comes with it. */
  async function confirmed(): Promise<
    Confirmed & {
      decided(other: Partial<Confirmed>, state?: string, now?: number): Promise<PurchaseDecision>
    }
  > {
    const agent = await gated()
    const { quote, confirm: given } = await quoteFood(agent, basket)
    const deps = {
      ...makeGuard(guardOptions(home), () => Promise.reject(new Error('nobody pays'))),
      actor: { ...guardOptions(home).actor, profile: agent.profile },
    }
    const { total, expires_at: expiresAt, quote_id: approvalId } = quote
    const time = { now: Date.parse(expiresAt) - 1000, frozen: true }
    const confirm: PurchaseToConfirm = {
      operation: 'place_food_order',
      given,
      input: { ...given, expected_total: total },
      shown: { quote, total, choice: null, approvalId, expiresAt },
      about: [],
      intent: 'one',
      time,
    }
    const decided = (
      other: Partial<Confirmed>,
      state?: string,
      now = time.now,
    ): Promise<PurchaseDecision> => {
      const { actor, confirm: call } = { actor: deps.actor, confirm, ...other }
      const answered = state === undefined ? {} : { inputResponses: { agree: YES } }
      const mcpReq = { ...answered, requestState: () => state } as McpClientSession['mcpReq']
      const program = { name: null, canAsk: true, mcpReq }
      return decide({ ...deps, actor }, { ...call, time: { ...time, now } }, program, { declined: [] })
    }
    return { actor: deps.actor, confirm, decided }
  }

  const stateOf = (decision: PurchaseDecision): string =>
    String((decision as { requestState?: unknown }).requestState)

  test('and a yes counts for no other caller, call, key, quote, fare, price or currency', async () => {
    const { actor, confirm, decided } = await confirmed()
    const shown = (other: Partial<ShownPrice>): Partial<Confirmed> => ({
      confirm: { ...confirm, shown: { ...confirm.shown, ...other } as ShownPrice },
    })
    const { total } = confirm.shown
    const others: [part: string, other: Partial<Confirmed>][] = [
      ['profile', { actor: { ...actor, profile: 'somebody' } }],
      ['service', { actor: { ...actor, service: 'https://other.example' } }],
      ['account', { actor: { ...actor, account: 'eve' } }],
      ['operation', { confirm: { ...confirm, operation: 'request_ride' } }],
      ['arguments', { confirm: { ...confirm, given: { ...confirm.given, notes: 'Ring twice' } } }],
      ['key', { confirm: { ...confirm, intent: 'another' } }],
      ['quote', shown({ approvalId: 'quo_other' })],
      ['fare', shown({ choice: 'xl' })],
      ['price', shown({ total: { ...total, amount: total.amount + 1 } })],
      ['currency', shown({ total: { ...total, currency: 'EUR' } })],
    ]
    for (const [part, other] of others) {
      const state = stateOf(await decided({}))
      const refused = await catchRejection(decided(other, state))
      const why = part === 'arguments' ? 'which differs from this one in notes' : 'or came too late'
      expect([part, refused]).toMatchObject([
        part,
        {
          code: 'not_confirmed',
          message: `The user’s answer belongs to another call, ${why}. Nothing was bought.`,
          hint: `Call ${other.confirm?.operation ?? 'place_food_order'} again without the answer: the user is asked again.`,
        },
      ])
      // A response that came with another call is used up.
      expect((await catchRejection(decided({}, state))).code).toBe('not_confirmed')
    }
    expect(await decided({}, stateOf(await decided({})))).toBe('accepted')
  })

  test('and a yes counts until the price ends, to the millisecond', async () => {
    const { confirm, decided } = await confirmed()
    const end = Date.parse(confirm.shown.expiresAt)
    expect((await catchRejection(decided({}, stateOf(await decided({})), end))).code).toBe('quote_expired')
    expect(await decided({}, stateOf(await decided({})), end - 1)).toBe('accepted')
  })

  test('and a no is valid for the quote, whatever else the call then says', async () => {
    const agent = await gated({ answer: () => ({ action: 'decline' }) })
    const { confirm } = await quoteFood(agent, basket)
    for (const more of [{}, { notes: 'Ring twice' }, { idempotency_key: 'another' }])
      expect((await agent.call('place_food_order', { ...confirm, ...more })).problem?.['code']).toBe(
        'not_confirmed',
      )
    expect(agent.asked).toHaveLength(1)
  })

  test('and a quote that was bought is not put to a person again', async () => {
    const agent = await gated({ answer: () => YES })
    const { confirm } = await quoteFood(agent, basket)
    const { value } = await agent.call<Order>('place_food_order', confirm)
    const again = await agent.call('place_food_order', { ...confirm, idempotency_key: 'another' })
    expect(again.problem).toMatchObject({
      code: 'quote_already_used',
      detail: `This quote was already used for ${value.order_id}.`,
    })
    expect(agent.asked).toHaveLength(1)
  })
})

test('an incomplete call is not put to the user', async () => {
  const agent = await gated({ answer: () => YES })
  const { quote } = await quoteFood(agent, basket)
  const { problem } = await agent.call('place_food_order', { quote_id: quote.quote_id })
  expect(problem).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer: '/payment', code: 'required' }],
  })
  expect(agent.asked).toEqual([])
})

describe('the price', () => {
  test('is the one that was shown: another expected total is rejected', async () => {
    const agent = await gated({ answer: () => YES })
    const { confirm } = await quoteFood(agent, basket)
    const { problem } = await agent.call('place_food_order', {
      ...confirm,
      expected_total: { amount: 1, currency: 'GBP' },
    })
    expect(problem).toMatchObject({ code: 'quote_mismatch', expected_total: { amount: 1 } })
    expect(agent.asked).toEqual([])
  })

  test('is sent with the call, so that the service sells at no other', async () => {
    const sent: unknown[] = []
    const watched: Client = {
      ...service,
      call: withOperationTypes((operation, input, options) => {
        sent.push(input['expected_total'])
        return service.call(operation, input, options)
      }),
    }
    const agent = await gated({ answer: () => YES }, watched)
    const { quote, confirm } = await quoteFood(agent, basket)
    await agent.call('place_food_order', confirm)
    expect(sent).toEqual([undefined, quote.total])
  })

  test('is sent, too, when the agent says null for it: null is absent, also for what a person agreed to', async () => {
    const sent: unknown[] = []
    const watched: Client = {
      ...service,
      call: withOperationTypes((operation, input, options) => {
        if (operation === 'place_food_order') sent.push(input)
        return service.call(operation, input, options)
      }),
    }
    const agent = await gated({}, watched)
    const { quote, confirm } = await quoteFood(agent, basket)
    const { problem } = await agent.call('place_food_order', confirm)
    expect(problem?.['code']).toBe('approval_required')
    writeApproval(home, purchaseOf({ quote, confirm }, agent.profile))
    const nulls = { ...confirm, expected_total: null, notes: null, idempotency_key: null }
    const bought = await agent.call<Order>('place_food_order', nulls)
    expect(bought.value.total).toEqual(quote.total)
    expect(sent).toEqual([{ ...confirm, expected_total: quote.total }])
    // With or without its nulls it is one call, which is done once.
    const again = await agent.call<Order>('place_food_order', confirm)
    expect(again.value.order_id).toBe(bought.value.order_id)
  })

  test('is asked for where price_only is null, and a required null is missing', async () => {
    const agent = await gated()
    const { confirm } = await quoteFood(agent, basket)
    const rows = [makeParcel({ reference: 'null-price' })]
    const batch = { shipments: rows, price_only: null }
    expect((await agent.call('create_shipments_batch', batch)).problem?.['code']).toBe('approval_required')
    const { problem } = await agent.call('place_food_order', { ...confirm, quote_id: null })
    expect(problem).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/quote_id', code: 'required' }],
    })
  })

  test('that was shown to another account does not count for this one', async () => {
    const actor = { ...guardOptions(home).actor, account: 'ada' }
    const other = await startAgent(home, { service, actor })
    const agent = await gated({ answer: () => YES })
    const { confirm } = await quoteFood(other, basket)
    expect((await agent.call('place_food_order', confirm)).problem?.['code']).toBe('approval_required')
    expect(agent.asked).toEqual([])
  })

  test('of a ride is that of the tier', async () => {
    const agent = await gated({ answer: () => YES })
    const { value } = await agent.call<OperationOutput<'quote_ride'>>('quote_ride', {
      pickup: { location: { latitude: 51.5308, longitude: -0.1238 } },
      dropoff: { location: { latitude: 51.5133, longitude: -0.0886 } },
    })
    const fare = value.fares.find(({ tier }) => tier === 'xl')?.fare ?? { amount: 0, currency: 'GBP' }
    const { value: ride } = await agent.call('request_ride', {
      quote_id: value.quote_id,
      tier: 'xl',
      payment: { method: 'card', payment_token: 'tok_ok' },
    })
    expect(ride['fare']).toEqual(fare)
    expect(agent.asked[0]).toContain(`Pay ${formatGroupedMoney(fare)} for this ride?`)
  })

  test('needs no person when the gate is off', async () => {
    const agent = await gated({ gate: false, answer: () => YES })
    const { confirm } = await quoteFood(agent, basket)
    expect((await agent.call('place_food_order', confirm)).problem).toBeUndefined()
    expect(agent.asked).toEqual([])
  })
})
