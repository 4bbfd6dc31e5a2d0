/** Parcels cost money too: those of agents count, need approval, and are recorded. */
import fs from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { withOperationTypes } from '../../src/client/client.ts'
import type { OperationInput } from '../../src/client/operations.ts'
import type { Money } from '../../src/core/money.ts'
import { listPendingApprovals, writeApproval } from '../../src/local-state/approvals.ts'
import type { AuditLine } from '../../src/local-state/audit.ts'
import { makeEmptyLedger } from '../../src/local-state/ledger.ts'
import { countFee, parseSpendLimit, reserveSpend } from '../../src/mcp/spend.ts'
import { type AgentOptions, guardOptions, openHome, startAgent, YES } from '../support/agent.ts'
import type { Home } from '../support/home.ts'
import { gbp } from '../support/money.ts'
import { makeParcel, makeRows } from '../support/parcel.ts'

type Parcel = { tracking_number: string; price: { total: Money } }
type Batch = { counts: Record<string, number>; results: { total?: Money }[] }

/** The price of one of these parcels: £4.72 and 8% for fuel, with tax. */
const EACH = 612

const NO = { action: 'decline' } as const

let home: Home
let service: Client
let names = 0
const sent: string[] = []
/** Runs before the next batch is created, after its price was told. */
let beforeBatch: (() => Promise<void>) | undefined

beforeAll(async () => {
  ;({ home, service } = await openHome())
  const real = service
  service = {
    ...real,
    call: withOperationTypes(async (operation, input, options) => {
      if (operation.startsWith('create_'))
        sent.push(`${operation}${input['price_only'] ? ' price_only' : ''}`)
      if (operation === 'create_shipments_batch' && input['price_only'] !== true) {
        const before = beforeBatch
        beforeBatch = undefined
        await before?.()
      }
      return real.call(operation, input, options)
    }),
  }
})

async function start(options: Partial<Omit<AgentOptions, 'service'>> = {}, name = `agent-${(names += 1)}`) {
  const purse = { service: 'here', account: name }
  const agent = await startAgent(home, { service, purse, ...options })
  return { ...agent, name }
}

async function countParcels(): Promise<number> {
  const { data } = await service.control('list_events', { limit: 100 })
  return data.filter(({ type }) => type === 'shipment.created').length
}

describe('a limit', () => {
  test('stops a manifest of 500 parcels before any is created, for one call to the service', async () => {
    const agent = await start({ limits: [parseSpendLimit('40GBP/day')] })
    const before = await countParcels()
    sent.length = 0
    const { problem } = await agent.call('create_shipments_batch', { shipments: makeRows(500, 'L') })
    expect(problem).toMatchObject({ code: 'spend_limit_reached', price: gbp(500 * EACH) })
    expect(sent).toEqual(['create_shipments_batch price_only'])
    expect(await countParcels()).toBe(before)
  })

  test('counts parcels one by one and in manifests, to the last penny', async () => {
    const agent = await start({ limits: [parseSpendLimit('18.36GBP/day')] })
    expect((await agent.call('create_shipment', makeParcel({ reference: 'ONE' }))).problem).toBeUndefined()
    const batch = await agent.call<Batch>('create_shipments_batch', { shipments: makeRows(2, 'TWO') })
    expect(batch.value.counts['created']).toBe(2)
    const { problem } = await agent.call('create_shipment', makeParcel({ reference: 'FOUR' }))
    expect(problem).toMatchObject({ code: 'spend_limit_reached', left: gbp(0) })
  })

  test('is not charged for duplicates and rejected rows', async () => {
    const limits = [parseSpendLimit('12.24GBP/day')]
    const agent = await start({ limits })
    const [one, two] = makeRows(2, 'BACK')
    const shipments = [one, one, makeParcel({ reference: 'NOWHERE' }, { postal_code: 'ZZ1 1ZZ' })]
    await agent.call('create_shipments_batch', { shipments })
    expect((await agent.call('create_shipment', two ?? {})).problem).toBeUndefined()
    const again = await agent.call('create_shipments_batch', { shipments, manifest_reference: 'again' })
    expect(again.problem).toBeUndefined()
    expect((await agent.call('create_shipment', makeParcel())).problem?.['code']).toBe('spend_limit_reached')
  })

  test('gets exactly the price of a row back that was rejected after its price was counted', async () => {
    const agent = await start({ limits: [parseSpendLimit('18.36GBP/day')] })
    const shipments = makeRows(3, 'LATE')
    const taken = makeParcel({ reference: 'LATE2', service_level: 'two_day' })
    // Between the price and the call a clerk takes the reference of the second row.
    beforeBatch = async () =>
      void (await service.call('create_shipment', taken as OperationInput<'create_shipment'>, {
        idempotencyKey: 'clerk',
      }))
    const { value } = await agent.call<Batch>('create_shipments_batch', { shipments })
    expect(value.counts).toMatchObject({ created: 2, rejected: 1 })
    expect((await agent.call('create_shipment', makeParcel({ reference: 'LAST' }))).problem).toBeUndefined()
    const { problem } = await agent.call('create_shipment', makeParcel({ reference: 'MORE' }))
    expect(problem).toMatchObject({ code: 'spend_limit_reached', left: gbp(0) })
  })

  test('is not charged for a rejected call', async () => {
    const agent = await start({ limits: [parseSpendLimit('6.12GBP/day')] })
    const other = makeParcel({ reference: 'ONE' })
    const { problem } = await agent.call('create_shipment', {
      ...other,
      options: { signature_required: true },
    })
    expect(problem?.['code']).toBe('duplicate_reference')
    expect((await agent.call('create_shipment', makeParcel({ reference: 'FREE' }))).problem).toBeUndefined()
  })

  test('is shared by profiles of the same account, each with a limit of its own', async () => {
    const actor = (profile: string) => ({ ...guardOptions(home).actor, profile })
    const one = await start({ limits: [parseSpendLimit('20GBP/day')], actor: actor('one') })
    const two = await start({ limits: [parseSpendLimit('7GBP/day')], actor: actor('two') }, one.name)
    expect((await one.call('create_shipment', makeParcel())).problem).toBeUndefined()
    const other = makeParcel({ reference: 'SECOND' })
    expect((await two.call('create_shipment', other)).problem?.['code']).toBe('spend_limit_reached')
    expect((await one.call('create_shipment', other)).problem).toBeUndefined()
  })

  test('does not apply to price-only calls, which count nothing', async () => {
    const agent = await start({ limits: [parseSpendLimit('0GBP')] })
    const input = { shipments: makeRows(2, 'ASK'), price_only: true }
    const first = await agent.call<Batch & { batch_id: null }>('create_shipments_batch', input)
    expect(first.value).toMatchObject({ batch_id: null, price_only: true, counts: { created: 2 } })
    expect((await agent.call('create_shipments_batch', input)).replayed).toBe(false)
  })
})

describe('a corrected recipient', () => {
  const JERSEY = { line1: '9 Dock Lane', city: 'St Helier', postal_code: 'JE2 3AB', country_code: 'JE' }

  /** The rise of the price of one of these parcels that goes to Jersey instead. */
  type Corrected = {
    agent: Awaited<ReturnType<typeof start>>
    rise: number
    correct(parcel: Parcel): Record<string, unknown>
    parcels: Parcel[]
  }

  /** Starts an agent that has sent parcels, and knows what their correction to Jersey costs. */
  async function corrected(count: number, options: Parameters<typeof start>[0]): Promise<Corrected> {
    const sender = await start()
    const parcels: Parcel[] = []
    for (let at = 0; at < count; at += 1) {
      const parcel = makeParcel({ service_level: 'two_day' }, { line1: `${(names += 1)} Weaver Row` })
      parcels.push((await sender.call<Parcel>('create_shipment', parcel)).value)
    }
    const recipient = { contact: { name: 'Nora Quill' }, address: JERSEY }
    const [first] = parcels
    const tracking_number = first?.tracking_number ?? ''
    const { problem } = await sender.call('correct_recipient', { tracking_number, recipient })
    const total = problem?.['total'] as Money
    const correct = ({ tracking_number: number }: Parcel) => ({
      tracking_number: number,
      recipient,
      expected_total: total,
    })
    const agent = await start(options)
    return { agent, parcels, correct, rise: total.amount - (first?.price.total.amount ?? 0) }
  }

  const priceOf = async ({ tracking_number }: Parcel): Promise<Money> =>
    (await service.call('get_shipment', { tracking_number })).value.price.total

  test('counts by what it costs more, once, and gives nothing back', async () => {
    const { rise } = await corrected(1, {})
    const limits = [parseSpendLimit(`${((2 * rise + 1) / 100).toFixed(2)}GBP/day`)]
    const { agent, parcels, correct } = await corrected(3, { limits })
    const [one, two, three] = parcels as [Parcel, Parcel, Parcel]
    for (const parcel of [one, one, two])
      expect((await agent.call('correct_recipient', correct(parcel))).problem).toBeUndefined()
    const { problem } = await agent.call('correct_recipient', correct(three))
    expect(problem).toMatchObject({ code: 'spend_limit_reached', price: gbp(rise), left: gbp(1) })
    expect(await priceOf(three)).toEqual(three.price.total)
    // Back home it is cheaper.
    const { recipient } = makeParcel({}, { line1: '1 Weaver Row' })
    const back = { tracking_number: two.tracking_number, recipient, expected_total: two.price.total }
    expect((await agent.call('correct_recipient', back)).problem).toBeUndefined()
    expect((await agent.call('correct_recipient', correct(two))).problem).toMatchObject({
      code: 'spend_limit_reached',
      left: gbp(1),
    })
    // A correction at the same price costs nothing.
    const next = { tracking_number: three.tracking_number, recipient }
    expect((await agent.call('correct_recipient', next)).problem).toBeUndefined()
  })

  test('is asked for where it costs more, and only there', async () => {
    const { agent, parcels, correct, rise } = await corrected(2, { gate: true, answer: () => NO })
    const [one] = parcels as [Parcel]
    const { problem } = await agent.call('correct_recipient', correct(one))
    expect(problem).toMatchObject({ code: 'not_confirmed' })
    expect(agent.asked).toEqual([
      expect.stringContaining(`Pay £${(rise / 100).toFixed(2)} for this correction?`),
    ])
    expect(agent.asked[0]).toContain(`£${(one.price.total.amount / 100).toFixed(2)} → £`)
    expect(await priceOf(one)).toEqual(one.price.total)
    const same = { tracking_number: one.tracking_number, recipient: makeParcel()['recipient'] }
    expect((await agent.call('correct_recipient', same)).problem).toBeUndefined()
    const willing = await start({ gate: true, answer: () => YES })
    expect((await willing.call('correct_recipient', correct(one))).problem).toBeUndefined()
    expect(willing.asked).toHaveLength(1)
  })

  test('waits for a terminal where the client cannot prompt', async () => {
    const { agent, parcels, correct, rise } = await corrected(1, { gate: true })
    const [one] = parcels as [Parcel]
    const input = correct(one)
    const { problem } = await agent.call('correct_recipient', input)
    expect(problem).toMatchObject({ code: 'approval_required', total: gbp(rise) })
    const [waiting] = listPendingApprovals(home, guardOptions(home).runtime.now()).filter(
      ({ purchase }) => purchase.approval_id === problem?.['approval_id'],
    )
    if (waiting === undefined) throw new Error('nothing waits')
    writeApproval(home, waiting.purchase)
    expect((await agent.call('correct_recipient', input)).problem).toBeUndefined()
  })
})

describe('a person', () => {
  test('is asked with the count, the levels and the total, and parcels are sent after the yes', async () => {
    const agent = await start({ gate: true, answer: () => YES })
    const shipments = [...makeRows(3, 'Q'), ...makeRows(1, 'E', { service_level: 'economy' })]
    const { value } = await agent.call<Batch>('create_shipments_batch', { shipments })
    expect(value.counts['created']).toBe(4)
    expect(agent.asked).toHaveLength(1)
    expect(agent.asked[0]).toMatch(
      /^Pay £[\d.]+ for these 4 parcels\?\n\nnext day: 3 parcels, £18\.36\neconomy: 1 parcel, £[\d.]+\nTotal: £[\d.]+, on the invoice of the carrier agreement\n“Q1” to “Grace Okoro”[^\n]+\n[^]+\nCountries: GB 4\nAsked by an agent/,
    )
  })

  test.each(['2025-11-25', '2026-07-28'] as const)(
    'who said no (%s) is not asked again under another key, nor by another server',
    async (revision) => {
      const options = { gate: true, revision, answer: () => ({ action: 'decline' }) as const }
      const one = await start(options)
      const parcel = makeParcel({ reference: `NO-${revision}` })
      const before = await countParcels()
      const refused = [
        await one.call('create_shipment', parcel),
        await one.call('create_shipment', { ...parcel, idempotency_key: 'another' }),
      ]
      const two = await start(options, one.name)
      refused.push(await two.call('create_shipment', parcel))
      for (const { problem } of refused) {
        expect(problem).toMatchObject({
          code: 'not_confirmed',
          approve_command: expect.stringMatching(/^dray approve apr_[0-9a-f]{10}$/) as string,
          hint: expect.stringContaining('the user is not asked about it again') as string,
        })
      }
      expect([one.asked.length, two.asked.length]).toEqual([1, 0])
      expect(await countParcels()).toBe(before)
    },
  )

  test('approves parcels at a terminal by a short name, once, also after a no', async () => {
    const agent = await start({ gate: true, answer: () => ({ action: 'decline' }) })
    const parcel = makeParcel({ reference: 'RELEASED' })
    const { problem } = await agent.call('create_shipment', parcel)
    const waiting = listPendingApprovals(home, guardOptions(home).runtime.now()).find(
      ({ purchase }) => purchase.approval_id === problem?.['approval_id'],
    )
    expect(waiting?.purchase).toMatchObject({
      quote_id: null,
      total: gbp(EACH),
      about: [
        'To: “Grace Okoro”, “12 Friar Street, RG1 1DB”',
        'next day: 1 parcel, £6.12',
        expect.any(String),
      ],
    })
    if (waiting === undefined) throw new Error('nothing waits')
    writeApproval(home, waiting.purchase)
    const { value } = await agent.call<Parcel>('create_shipment', parcel)
    expect(value.tracking_number).toMatch(/GB$/)
    expect(
      (await agent.call('create_shipment', { ...parcel, idempotency_key: 'more' })).problem,
    ).toBeDefined()
  })

  test('is not asked about parcels that the service would reject or has already', async () => {
    const agent = await start({ gate: true, answer: () => YES })
    const nowhere = makeParcel({}, { postal_code: 'ZZ1 1ZZ' })
    expect((await agent.call('create_shipment', nowhere)).problem?.['code']).toBe('address_unresolvable')
    const there = await agent.call<Batch>('create_shipments_batch', { shipments: makeRows(3, 'Q') })
    expect(there.value.counts['duplicate']).toBe(3)
    expect(agent.asked).toEqual([])
  })
})

describe('a fee for cancelling late', () => {
  const limits = [parseSpendLimit('0GBP')]

  /** Returns a ride that a driver accepted three minutes ago, so that cancelling it costs a fee. */
  async function rideUnderWay(): Promise<{ ride_id: string }> {
    const [lime, cross] = [
      { location: { latitude: 51.5129, longitude: -0.0823 } },
      { location: { latitude: 51.5308, longitude: -0.1238 } },
    ]
    const { quote_id } = (await service.call('quote_ride', { pickup: lime, dropoff: cross })).value
    const payment = { method: 'card', payment_token: 'tok_ok' } as const
    const options = { idempotencyKey: 'ride' }
    const { value } = await service.call('request_ride', { quote_id, tier: 'economy', payment }, options)
    const { ride_id } = value
    for (let status = ''; status !== 'accepted';) {
      await service.control('step_resource', { resource_id: ride_id })
      ;({ status } = (await service.call('get_ride', { ride_id })).value)
    }
    await service.control('advance_clock', { by: '121s' })
    return { ride_id }
  }

  test('never prevents a cancellation, and is counted and recorded', async () => {
    const auditFile = join(home.paths.state, 'fees.ndjson')
    const agent = await start({ limits, gate: true, auditFile })
    const { value, problem } = await agent.call<{ cancellation: { fee: Money } }>(
      'cancel_ride',
      await rideUnderWay(),
    )
    expect(problem).toBeUndefined()
    const { fee } = value.cancellation
    expect(fee.amount).toBeGreaterThan(0)
    const last = fs.readFileSync(auditFile, 'utf8').trimEnd().split('\n').at(-1) ?? ''
    expect(JSON.parse(last)).toMatchObject({ tool: 'cancel_ride', outcome: 'ok', total: fee })
    const next = await start({ limits: [parseSpendLimit('6.12GBP/day')] }, agent.name)
    expect((await next.call('create_shipment', makeParcel())).problem).toMatchObject({
      code: 'spend_limit_reached',
      left: gbp(EACH - fee.amount),
    })
  })

  test('is not counted in addition to the fare that includes it', () => {
    const ledger = makeEmptyLedger({ service: 'here', account: null })
    const ride = { intent: 'ride', generation: 0, quote: 'quo_1', total: gbp(1200), at: 0 }
    reserveSpend(ledger, ride)
    countFee(ledger, { ...ride, intent: 'cancel', total: gbp(500) })
    expect(ledger.spent).toEqual([ride])
  })
})

describe('the record', () => {
  test('has the price before parcels are sent, and the cost after', async () => {
    const auditFile = join(home.paths.state, 'parcels.ndjson')
    const agent = await start({ auditFile })
    const [row] = makeRows(1, 'REC')
    await agent.call('create_shipments_batch', { shipments: [row, row] })
    const lines = fs.readFileSync(auditFile, 'utf8').trimEnd().split('\n')
    const told = lines.map((line) => JSON.parse(line) as AuditLine)
    expect(told.map(({ event, total, outcome }) => [event, total, outcome])).toEqual([
      ['call', gbp(EACH), null],
      ['answer', gbp(EACH), 'ok'],
    ])
  })

  test.skipIf(process.platform === 'win32')(
    'comes first: where it cannot be written nothing is sent',
    async () => {
      const agent = await start({ auditFile: '/dev/full' })
      const before = await countParcels()
      const { problem } = await agent.call('create_shipment', makeParcel({ reference: 'FULL' }))
      expect(problem?.['code']).toBe('storage_full')
      expect(await countParcels()).toBe(before)
    },
  )
})

describe('a large amount in a purchase without another question', () => {
  const insured = (amount: number) => {
    const parcel = { weight_grams: 1400, length_mm: 300, width_mm: 200, height_mm: 100 }
    return { parcel: { ...parcel, declared_value: gbp(amount) } }
  }

  test('needs a person from a fifth of its ceiling, in a manifest too', async () => {
    const agent = await start({ answer: () => YES })
    const call = (operation: string, body: Record<string, unknown>) => agent.call(operation, body)
    await call('create_shipment', makeParcel(insured(49_999)))
    await call('create_shipment', makeParcel({ options: { cash_on_delivery: gbp(19_999) } }))
    expect(agent.asked).toEqual([])
    await call('create_shipment', makeParcel(insured(50_000)))
    await call('create_shipment', makeParcel({ options: { cash_on_delivery: gbp(20_000) } }))
    const rows = makeRows(2, 'Large')
    await call('create_shipments_batch', {
      shipments: [...rows, makeParcel({ reference: 'L', ...insured(90_000) })],
    })
    expect(agent.asked).toHaveLength(3)
  })

  test('buys nothing after a no, and does not ask where that is allowed', async () => {
    const before = await countParcels()
    const refusing = await start({ answer: () => ({ action: 'decline' }) })
    const { problem } = await refusing.call('create_shipment', makeParcel(insured(60_000)))
    expect(problem).toMatchObject({ code: 'not_confirmed' })
    expect(await countParcels()).toBe(before)
    const free = await start({ priceGate: false, answer: () => ({ action: 'decline' }) })
    expect((await free.call('create_shipment', makeParcel(insured(60_000)))).problem).toBeUndefined()
  })
})
