/** Compares parcels with the model. */
import { expect } from 'vitest'
import type { ErrorCode } from '../../src/core/errors.ts'
import {
  callAndCompare,
  pickAt,
  type Body,
  type ModelCall,
  omitUndefined,
  paged,
  readAllPages,
} from '../support/model-calls.ts'
import { amountOf } from '../support/money.ts'
import { makeParcel } from '../support/parcel.ts'
import { PARCEL_TRANSITIONS } from '../support/state-tables.ts'
import type { MovingRun } from './moving-life.ts'
import { isStoppable, type MovingModel, type ModelParcel, SCANNED_AGAIN } from './moving-model.ts'
import type { MovingStepOf } from './moving-steps.ts'

const UNKNOWN = 'ZC473124829GB'
const WRONG = 'ZC473124828GB'
const EUROS = { amount: 1, currency: 'EUR' }
const LEVELS = ['next_day', 'two_day', 'economy'] as const
const SCENARIOS = [
  'happy',
  'attempt_fails;times=2',
  'lost',
  'damaged',
  'delayed;hours=5',
  'returned',
  'attempt_fails;times=3',
]

/** Returns a parcel request with one fault or none. */
function requestOf(to: number, level: string): { body: Body; code?: ErrorCode } {
  const flaws: { body: Body; code: ErrorCode }[] = [
    { code: 'hub_not_found', body: makeParcel({ hub_id: 'NOPE' }) },
    { code: 'destination_not_covered', body: makeParcel({}, { country_code: 'FR', postal_code: '75001' }) },
    {
      code: 'service_level_not_available',
      body: makeParcel({ service_level: 'same_day' }, { postal_code: 'M1 4EU' }),
    },
    {
      code: 'parcel_limits_exceeded',
      body: makeParcel({ parcel: { weight_grams: 1, length_mm: 1201, width_mm: 1, height_mm: 1 } }),
    },
    { code: 'address_unresolvable', body: makeParcel({}, { postal_code: 'ZZ99 9ZZ' }) },
    { code: 'currency_mismatch', body: makeParcel({ options: { cash_on_delivery: EUROS } }) },
    { code: 'invalid_request', body: makeParcel({ recipient: undefined }) },
  ]
  const flaw = to % 4 === 0 ? pickAt(flaws, to >> 2) : undefined
  return (
    flaw ?? {
      body: makeParcel(
        { service_level: level },
        pickAt([{}, { postal_code: 'SW1A 1AA', city: 'London' }], to) ?? {},
      ),
    }
  )
}

function held({ parcels }: MovingModel, as: string, reference: string | undefined): ModelParcel | undefined {
  if (reference === undefined) return undefined
  return parcels.find(
    (each) => each.account === as && each.reference === reference && each.status !== 'cancelled',
  )
}

/** Returns a text that is equal for equal parcels. */
function contentOf(body: Body): string {
  return JSON.stringify(body)
}

export async function runSendStep(life: MovingRun, step: MovingStepOf<'send'>): Promise<void> {
  const { model } = life
  const { body: request, code } = requestOf(step.to, pickAt(LEVELS, step.level) ?? 'next_day')
  const reference = step.reference === undefined ? undefined : `R${step.reference}`
  const body = await callAndCompare(life, 'create_shipment', {
    as: step.as,
    input: omitUndefined({ ...request, reference }),
    key: step.key,
    scenario: pickAt(SCENARIOS, step.scenario),
    malformed: code === 'invalid_request',
    rule() {
      const taken = held(model, step.as, reference) !== undefined
      return [...(code === undefined ? [] : [code]), ...(taken ? ['duplicate_reference' as const] : [])]
    },
  })
  if (body === undefined) return
  expect(body['status']).toBe('pre_transit')
  await expectRate(life, step.as, body)
  await add(life, step.as, { number: String(body['tracking_number']), reference, request })
}

async function add(
  life: MovingRun,
  account: string,
  { number, reference, request }: { number: string; reference: string | undefined; request: Body },
): Promise<void> {
  const { model } = life
  expect(model.parcels.some((each) => each.number === number)).toBe(false)
  const level = String(request['service_level'])
  const content = contentOf(request)
  const made: ModelParcel = { number, account, reference, content, status: '', events: 0, level }
  model.parcels.push(made)
  await followParcel(life, made)
}

/** Checks a parcel's price against the rates at the same instant. */
async function expectRate({ world }: MovingRun, as: string, body: Body): Promise<void> {
  const { address } = body['recipient'] as { address: Body }
  const { weight_grams, length_mm, width_mm, height_mm } = body['parcel'] as Body
  const { data } = await world.ok(
    'quote_rates',
    {
      to_postal_code: address['postal_code'],
      to_country_code: address['country_code'],
      service_level: body['service_level'],
      weight_grams,
      length_mm,
      width_mm,
      height_mm,
    },
    { as },
  )
  expect(amountOf(data[0]?.price.total)).toBe(amountOf((body['price'] as Body)['total']))
}

export async function runBatchStep(life: MovingRun, step: MovingStepOf<'batch'>): Promise<void> {
  const { model } = life
  const rows = step.rows.map(({ to, reference }) => {
    const { body, code } = requestOf(to, 'next_day')
    return { body, code, reference: reference === undefined ? undefined : `R${reference}` }
  })
  const shipments = rows.map(({ body, reference }) => omitUndefined({ ...body, reference }))
  const body = await callAndCompare(life, 'create_shipments_batch', {
    as: step.as,
    input: { shipments: step.many ? Array.from({ length: 501 }, () => shipments[0]) : shipments },
    key: step.key,
    rule: () => (step.many ? ['manifest_too_large'] : []),
  })
  if (body === undefined) return
  const results = body['results'] as Body[]
  expect(results.map(({ row }) => row)).toEqual(rows.map((_, index) => index + 1))
  const counts = { total: rows.length, created: 0, duplicate: 0, rejected: 0 }
  for (const [index, row] of rows.entries()) {
    const result = results[index] ?? {}
    const wanted = judgeRow(model, step.as, row)
    counts[wanted] += 1
    expect(result['result'], JSON.stringify(result)).toBe(wanted)
    if (wanted !== 'created' || row.reference === undefined) continue
    await add(life, step.as, {
      number: String(result['tracking_number']),
      reference: row.reference,
      request: row.body,
    })
  }
  expect(body['counts']).toEqual(counts)
}

type Row = { body: Body; code?: ErrorCode | undefined; reference: string | undefined }

function judgeRow(model: MovingModel, as: string, { body, code, reference }: Row) {
  if (reference === undefined || code === 'invalid_request') return 'rejected' as const
  const known = held(model, as, reference)
  if (known !== undefined)
    return known.content === contentOf(body) ? ('duplicate' as const) : ('rejected' as const)
  return code === undefined ? ('created' as const) : ('rejected' as const)
}

function pick({ model }: MovingRun, which: number, done = false): ModelParcel | undefined {
  const over = model.parcels.filter((each) => !isStoppable(each))
  return pickAt(done && over.length > 0 ? over : model.parcels, which)
}

/** Calls an operation on a parcel, sometimes on one that does not exist. */
function about(
  parcel: ModelParcel | undefined,
  who: string | undefined,
  flaw: number,
): ModelCall & { known: ModelParcel | undefined } {
  const as = who ?? parcel?.account ?? 'shipper'
  const number = flaw === 0 ? WRONG : flaw === 1 || parcel === undefined ? UNKNOWN : parcel.number
  const isOwn = parcel !== undefined && flaw > 1 && parcel.account === as
  const found: ErrorCode[] = flaw === 0 ? ['invalid_tracking_number'] : isOwn ? [] : ['shipment_not_found']
  return { as, input: { tracking_number: number }, rule: () => found, known: isOwn ? parcel : undefined }
}

export async function runStopStep(life: MovingRun, step: MovingStepOf<'stop'>): Promise<void> {
  const { known: parcel, ...call } = about(pick(life, step.which, step.done), step.as, step.flaw)
  const before = call.rule
  const body = await callAndCompare(life, 'cancel_shipment', {
    ...call,
    key: step.key,
    rule: () => (parcel !== undefined && !isStoppable(parcel) ? ['not_cancellable'] : (before?.() ?? [])),
  })
  if (body === undefined || parcel === undefined) return
  const disposition = { pre_transit: 'not_collected', lost: 'lost' }[parcel.status] ?? 'intercept_and_return'
  if (parcel.status !== 'cancelled') {
    expect((body['cancellation'] as Body)['disposition']).toBe(disposition)
    parcel.events += 1
  }
  parcel.status = 'cancelled'
  expect(body['status']).toBe('cancelled')
  expect(body['scan_history'], 'cancelling twice adds nothing').toHaveLength(parcel.events)
}

export async function runParcelStep(life: MovingRun, step: MovingStepOf<'parcel'>): Promise<void> {
  const { known: own, ...call } = about(pick(life, step.which), step.as, step.flaw)
  if (!step.events) {
    const body = await callAndCompare(life, 'get_shipment', call)
    if (body !== undefined && own !== undefined) expect(body['status']).toBe(own.status)
    return
  }
  const forged = step.flaw === 2
  const listing = { ...call, input: { ...call.input, ...paged(forged ? 'forged' : 'own', step.limit) } }
  const body = await callAndCompare(life, 'list_shipment_events', { ...listing, forged })
  if (body === undefined || own === undefined) return
  const data = await readAllPages(life, 'list_shipment_events', listing, body, step.limit)
  expect(data.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: own.events }, (_, index) => index + 1),
  )
}

/** Follows the automatic changes of a parcel, as long as the rules allow them. */
export async function followParcel({ world, model }: MovingRun, known: ModelParcel): Promise<void> {
  const { body, status, text } = await world.call(
    'get_shipment',
    { tracking_number: known.number },
    { as: known.account },
  )
  expect(status, text).toBe(200)
  const events = body['scan_history'] as Body[]
  for (const event of events.slice(known.events)) {
    const next = String(event['status'])
    const from = known.events === 0 ? '' : known.status
    const allowed = [...(PARCEL_TRANSITIONS[from] ?? []), ...SCANNED_AGAIN.filter((again) => again === from)]
    expect(allowed, `${known.number} from ${from} to ${next}`).toContain(next)
    expect(Date.parse(String(event['occurred_at']))).toBeLessThanOrEqual(model.now)
    known.status = next
    known.events += 1
  }
  const times = events.map((event) => String(event['occurred_at']))
  expect(times).toEqual(times.toSorted())
  expect([body['status'], events.length, body['reference'] ?? undefined]).toEqual([
    known.status,
    known.events,
    known.reference,
  ])
  expect(body['proof_of_delivery'] !== null, text).toBe(known.status === 'delivered')
}

export async function runParcelsStep(life: MovingRun, step: MovingStepOf<'parcels'>): Promise<void> {
  const { model } = life
  const reference = step.reference === undefined ? undefined : `R${step.reference}`
  const input = omitUndefined({
    status: step.status.length > 0 ? step.status : undefined,
    reference,
    ...paged(step.forged ? 'forged' : 'own', step.limit),
  })
  const call = { as: step.as, input, forged: step.forged }
  const body = await callAndCompare(life, 'list_shipments', call)
  if (body === undefined) return
  const data = await readAllPages(life, 'list_shipments', call, body, step.limit)
  const wanted = model.parcels.filter(
    (each) =>
      each.account === step.as &&
      (step.status.length === 0 || step.status.includes(each.status)) &&
      (reference ?? each.reference) === each.reference,
  )
  expect(data.map((each) => each['tracking_number'])).toEqual(wanted.map(({ number }) => number).toReversed())
}

const RATE = {
  to_postal_code: 'RG1 1AA',
  to_country_code: 'GB',
  weight_grams: 1400,
  length_mm: 300,
  width_mm: 200,
  height_mm: 100,
}

export async function runRatesStep(life: MovingRun, { as, variant }: MovingStepOf<'rates'>): Promise<void> {
  const flaws: { code: ErrorCode; over: Body }[] = [
    { code: 'hub_not_found', over: { from_hub_id: 'NOPE' } },
    { code: 'destination_not_covered', over: { to_country_code: 'FR' } },
    { code: 'parcel_limits_exceeded', over: { weight_grams: 30_001 } },
    { code: 'currency_mismatch', over: { declared_value_amount: 1, declared_value_currency: 'EUR' } },
    { code: 'invalid_request', over: { weight_grams: 0 } },
  ]
  const flaw = flaws[variant % 8]
  const body = await callAndCompare(life, 'quote_rates', {
    as,
    input: { ...RATE, ...flaw?.over },
    malformed: flaw?.code === 'invalid_request',
    rule: () => (flaw === undefined ? [] : [flaw.code]),
  })
  if (body === undefined) return
  const totals = (body['data'] as { price: { total: unknown } }[]).map(({ price }) => amountOf(price.total))
  expect(totals.length).toBeGreaterThan(0)
  expect(totals).toEqual(totals.toSorted((a, b) => a - b))
}

export async function runCoverageStep(
  life: MovingRun,
  { as, variant }: MovingStepOf<'coverage'>,
): Promise<void> {
  const [input, deliverable] = pickAt<[Body, boolean | undefined]>(
    [
      [{ postal_code: 'SW1A 1AA', country_code: 'GB' }, true],
      [{ latitude: 51.5, longitude: -0.1 }, true],
      [{ postal_code: '75001', country_code: 'FR' }, false],
      [{ postal_code: 'SW1A 1AA', country_code: 'GB', latitude: 51.5, longitude: -0.1 }, undefined],
      [{}, undefined],
    ],
    variant,
  ) ?? [{}, undefined]
  const body = await callAndCompare(life, 'check_coverage', {
    as,
    input,
    malformed: deliverable === undefined,
  })
  if (body !== undefined) expect(body['deliverable']).toBe(deliverable)
}

export async function runHubsStep(
  life: MovingRun,
  { as, variant, limit }: MovingStepOf<'hubs'>,
): Promise<void> {
  const bad = variant % 5 === 0
  const forged = variant % 7 === 1
  const near = { postal_code: bad ? 'ZZ99 9ZZ' : 'EC3M 7AW', country_code: 'GB' }
  const input = { ...(variant % 5 < 3 && near), ...paged(forged ? 'forged' : 'own', limit) }
  const call: ModelCall = { as, input, forged, rule: () => (bad ? ['address_unresolvable'] : []) }
  const body = await callAndCompare(life, 'list_hubs', call)
  if (body === undefined) return
  const ids = (await readAllPages(life, 'list_hubs', call, body, limit)).map((each) => each['hub_id'])
  expect(new Set(ids).size).toBe(ids.length)
}
