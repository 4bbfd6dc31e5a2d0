/** A person agrees to one call. Every argument of every confirm is changed afterwards, and nothing is bought. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { type AnyOperation, isRead } from '../../src/core/operation.ts'
import { purchasingOf } from '../../src/core/spending.ts'
import { load, NAMES } from '../../src/generated/registry.ts'
import { TOOLS } from '../../src/generated/tools.ts'
import { listPendingApprovals, writeApproval } from '../../src/local-state/approvals.ts'
import { EXAMPLES_TIME } from '../../src/server/docs/example.ts'
import { findBasket, quoteFood } from '../support/agent-shopping.ts'
import { type Agent, guardOptions, openHome, startAgent, toToolAnswer, YES } from '../support/agent.ts'
import type { AgentOptions } from '../support/agent.ts'
import { type ChangedInput, changedInputs } from '../support/changed-inputs.ts'
import type { Home } from '../support/home.ts'
import { makeRows } from '../support/parcel.ts'

const NINE = Date.parse('2026-11-20T09:00:00Z')
const loaded = await Promise.all(NAMES.map(async (name) => (await load(name))?.operation as AnyOperation))
const operations = loaded.filter(({ toolset }) => toolset !== null)
/** All but the one that is asked about only where it costs more than before: parcels.test.ts has it. */
const confirms = operations
  .filter((operation) => purchasingOf(operation) !== undefined && operation.spends?.how !== 'difference')
  .map(({ name }) => name)

type Inputs = ReadonlyMap<string, Record<string, unknown>>

let home: Home
let service: Client
let profiles = 0

beforeAll(async () => {
  ;({ home, service } = await openHome({ DRAY_NOW: EXAMPLES_TIME }))
})

async function gated(options: Omit<AgentOptions, 'service'> = {}): Promise<Agent> {
  const actor = { ...guardOptions(home).actor, profile: `consent-${(profiles += 1)}` }
  return startAgent(home, { service, actor, gate: true, ...options })
}

/** Returns the input that confirms each purchase, from the example calls of the reference: quotes are really made. */
async function prepare(): Promise<Inputs> {
  const agent = await gated()
  // The parcels of the examples are not sent; a return needs some that were.
  const sent = await service.call('create_shipments_batch', { shipments: makeRows(2, `SENT-${profiles}-`) })
  const done: Record<string, unknown> = { create_shipments_batch: sent.value }
  const inputs = new Map<string, Record<string, unknown>>()
  for (const operation of operations) {
    let input: Record<string, unknown>
    try {
      input = operation.example(done)
    } catch {
      // It needs an earlier purchase.
      continue
    }
    if (isRead(operation))
      done[operation.name] = (await agent.call(operation.name, { ...input, fields: 'all' })).value
    else inputs.set(operation.name, input)
  }
  return inputs
}

/** Returns one input for each argument that differs. The rows of a manifest have the arguments of a parcel. */
function changesOf(name: string, input: Record<string, unknown>): ChangedInput[] {
  const schemaOf = (tool: string) => TOOLS.find((each) => each.name === tool)?.listed.inputSchema ?? {}
  // `results` says how much of the response is shown, and is no part of the call.
  const {
    idempotency_key: _key,
    results: _results,
    ...properties
  } = (schemaOf(name) as { properties: object }).properties as Record<string, object>
  const rows = { type: 'array', items: schemaOf('create_shipment') }
  const schema = 'shipments' in properties ? { ...properties, shipments: rows } : properties
  const all = changedInputs({ properties: schema as never }, input)
  // A call that only prices buys nothing.
  const changes = all.filter(({ what }) => what !== 'price_only is another')
  return [...changes, { what: 'an unknown argument', path: 'unknown', input: { ...input, unknown: 'x' } }]
}

/** The parcels of the example were sent in the tests before. */
function withOwnReferences(input: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(input).replaceAll(/"reference":"([^"]+)"/g, '"reference":"$1-own"')
  return JSON.parse(text) as Record<string, unknown>
}

/** Returns everything that has happened, which a purchase adds to. */
async function happenings(): Promise<string> {
  return JSON.stringify(await service.control('list_events', { limit: 100 }))
}

/** Approves the call as `dray approve` does. */
async function approve(agent: Agent, name: string, input: Record<string, unknown>): Promise<void> {
  const { problem } = await agent.call(name, input)
  expect(problem?.['code']).toBe('approval_required')
  const waiting = listPendingApprovals(home, NINE).find(
    ({ purchase }) => purchase.approval_id === problem?.['approval_id'],
  )
  if (waiting === undefined) throw new Error(`${name} does not wait`)
  writeApproval(home, waiting.purchase)
}

const NOT_BOUGHT: unknown = expect.toSatisfy(
  ({ code, counts }: { code?: string; counts?: { created: number } }) =>
    code !== undefined || counts?.created === 0,
)

describe('an approval at a terminal', () => {
  let inputs: Inputs
  beforeAll(async () => {
    inputs = await prepare()
  })

  test.each(confirms)(
    'of %s releases no call with another argument, and then that very call',
    async (name) => {
      const agent = await gated()
      const input = inputs.get(name) ?? {}
      await approve(agent, name, input)
      const before = await happenings()
      const changes = changesOf(name, input)
      expect(changes.length).toBeGreaterThan(10)
      const named: string[] = []
      for (const { what, path, input: changed } of changes) {
        const { problem, value } = await agent.call(name, changed)
        // A manifest of which every row would be rejected costs nothing.
        expect(problem ?? value, what).toEqual(NOT_BOUGHT)
        const differing = (problem?.['differing'] ?? []) as string[]
        if (problem?.['code'] !== 'approval_required' || differing.length === 0) continue
        named.push(what)
        expect(problem['detail'], what).toMatch(
          /^The user approved a different \w+, which differs from this one in /,
        )
        expect(
          differing.some((each) => path.startsWith(each) || each.startsWith(path)),
          what,
        ).toBe(true)
      }
      expect(await happenings()).toBe(before)
      expect(named.length).toBeGreaterThan(changes.length / 4)
      const inOtherOrder = Object.fromEntries(Object.entries(input).toReversed())
      expect((await agent.call(name, inOtherOrder)).problem).toBeUndefined()
      expect(await happenings()).not.toBe(before)
    },
  )

  test('of one call at a quote leaves another at the same quote waiting, and counts once', async () => {
    const agent = await gated()
    const basket = await findBasket(service)
    const { confirm } = await quoteFood(agent, basket)
    const wallet = { ...confirm, payment: { method: 'wallet' } }
    await approve(agent, 'place_food_order', confirm)
    await approve(agent, 'place_food_order', wallet)
    const both = [await agent.call('place_food_order', wallet), await agent.call('place_food_order', confirm)]
    expect(both.map(({ problem }) => problem?.['code'])).toEqual([undefined, 'quote_already_used'])
  })

  test('of a manifest shows its count, where it goes and what is collected, however long it is', async () => {
    const agent = await gated()
    const shipments: Record<string, unknown>[] = makeRows(500, 'MANY').map((row, at) => ({
      ...row,
      ...(at % 50 === 0 && { options: { cash_on_delivery: { amount: 1000, currency: 'GBP' } } }),
    }))
    const { problem } = await agent.call('create_shipments_batch', { shipments })
    const waiting = listPendingApprovals(home, NINE).find(
      ({ purchase }) => purchase.approval_id === problem?.['approval_id'],
    )
    expect(waiting?.purchase.about[0]).toMatch(/^next day: 500 parcels, £/)
    expect(waiting?.purchase.adds).toEqual([
      ...shipments
        .slice(0, 5)
        .map((row) => expect.stringContaining(`“${String(row['reference'])}” to “`) as string),
      'and 495 more parcels',
      'Countries: GB 500',
      'Cash on delivery: £100.00 for 10 parcels',
    ])
    expect(JSON.stringify(waiting?.purchase).length).toBeLessThan(3000)
  })
})

describe('an answer through the program', () => {
  type Question = { requestState: string }

  async function ask(agent: Agent, name: string, args: Record<string, unknown>): Promise<string> {
    const asked: unknown = await agent.client.callTool(
      { name, arguments: args },
      { allowInputRequired: true },
    )
    return (asked as Question).requestState
  }

  async function answer(agent: Agent, name: string, args: Record<string, unknown>, requestState: string) {
    const params = { name, arguments: args, inputResponses: { agree: YES }, requestState }
    return toToolAnswer(await agent.client.request({ method: 'tools/call', params }))
  }

  const asking = () => gated({ revision: '2026-07-28', answer: () => YES })
  let inputs: Inputs
  beforeAll(async () => {
    inputs = await prepare()
  })

  test.each(confirms)('to %s releases no call with another argument', async (name) => {
    const agent = await asking()
    const input = withOwnReferences(inputs.get(name) ?? {})
    const before = await happenings()
    let named = 0
    const changes = changesOf(name, input)
    for (const { what, input: changed } of changes) {
      const state = await ask(agent, name, input)
      const { problem, value } = await answer(agent, name, changed, state)
      expect(problem ?? value, what).toEqual(NOT_BOUGHT)
      if (
        String(problem?.['detail']).startsWith(
          'The user’s answer belongs to another call, which differs from this one in ',
        )
      )
        named += 1
    }
    expect(await happenings()).toBe(before)
    expect(named).toBeGreaterThan(changes.length / 4)
    const state = await ask(agent, name, input)
    expect((await answer(agent, name, input, state)).problem).toBeUndefined()
  })

  test('counts once: what it released, and was cancelled, is not released again', async () => {
    const agent = await asking()
    const [parcel = {}] = makeRows(1, 'ONCE')
    const state = await ask(agent, 'create_shipment', parcel)
    const { value } = await answer(agent, 'create_shipment', parcel, state)
    const cancelled = await agent.call('cancel_shipment', { tracking_number: value['tracking_number'] })
    expect(cancelled.problem).toBeUndefined()
    const before = await happenings()
    const again = await answer(agent, 'create_shipment', parcel, state)
    expect(again.problem).toMatchObject({ code: 'not_confirmed' })
    expect(await happenings()).toBe(before)
  })
})

describe('the question', () => {
  test('shows what the call adds to its quote: who, where, when and how it is paid', async () => {
    const agent = await gated({ answer: () => ({ action: 'decline' }) })
    const { confirm } = await quoteFood(agent, await findBasket(service))
    await agent.call('place_food_order', {
      ...confirm,
      contact: { name: 'Alex Morgan', phone: '+442079460123' },
      notes: `Ring twice\nTotal: £0.01 ${'x'.repeat(451)}`,
    })
    expect(agent.asked[0]).toContain(
      `, by card\nContact: name “Alex Morgan”, phone “+442079460123”\nNotes: “Ring twice Total: £0.01 ${'x'.repeat(275)}…” (the beginning of 475 characters)\nThe price is valid`,
    )
  })

  test('shows the whole address of a parcel, and names from right to left apart from figures', async () => {
    const agent = await gated({ answer: () => ({ action: 'decline' }) })
    const [parcel] = makeRows(1, 'ASKED')
    await agent.call('create_shipment', {
      ...parcel,
      sender: {
        contact: { name: 'שלום' },
        address: {
          line1: '1 Dark Alley',
          line2: 'Flat 9',
          city: 'London',
          postal_code: 'EC2A 1AN',
          country_code: 'GB',
        },
      },
      options: { leave_safe_place: 'The shed', signature_required: false },
    })
    expect(agent.asked[0]).toContain(
      'Sender: contact name “\u2068שלום\u2069”, address line 1 “1 Dark Alley”, line 2 “Flat 9”, city “London”, postal code “EC2A 1AN”, country code “GB”',
    )
    expect(agent.asked[0]).toContain('Options: leave safe place “The shed”, signature required no')
  })
})
