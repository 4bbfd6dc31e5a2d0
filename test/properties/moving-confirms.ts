/** Compares the four confirms and the cancellations with the model. */
import { expect } from 'vitest'
import type { ErrorCode } from '../../src/core/errors.ts'
import {
  callAndCompare,
  pickAt,
  type Body,
  type ModelCall,
  iso,
  omitUndefined,
  UNKNOWN_ID,
} from '../support/model-calls.ts'
import { amountOf, gbp } from '../support/money.ts'
import { checkWallet, expectThing, followModelResource, GET, type MovingRun } from './moving-life.ts'
import {
  acceptedAt,
  type MovingArea,
  modelCancellationFee,
  countHalfHours,
  DAY,
  ENDS,
  HOUR,
  isCancellableResource,
  isStartFree,
  hasResourceEnded,
  judgePayment,
  type Judgement,
  judgeUse,
  type ModelQuoteKind,
  type MovingPaymentMethod,
  MINUTE,
  type MovingModelQuote,
  type MovingModel,
  type ModelProvider,
  resultsOf,
  currentModelStatus,
  type ModelResource,
} from './moving-model.ts'
import {
  balanceOf,
  EVIDENCE,
  judgeCourier,
  judgeStart,
  runMovingQuoteStep,
  REQUIREMENTS,
  pickHalfHour,
} from './moving-quotes.ts'
import { advanceModelClock } from './moving-reads.ts'
import type { MovingStepOf } from './moving-steps.ts'

type Confirm = MovingStepOf<'confirm'>

const KIND: Readonly<Record<MovingArea, ModelQuoteKind>> = {
  ride: 'ride',
  delivery: 'delivery',
  booking: 'service',
  task: 'task',
}
const NAME = {
  ride: 'request_ride',
  delivery: 'request_delivery',
  booking: 'book_service',
  task: 'create_task',
} as const
const ACCEPTED: Readonly<Record<MovingArea, readonly MovingPaymentMethod[]>> = {
  ride: ['card', 'wallet', 'cash'],
  delivery: ['card', 'wallet', 'cash'],
  booking: ['card', 'wallet'],
  task: ['card', 'wallet'],
}
const CONTACT = { name: 'Ana Reid', phone: '+447700900123' }
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  driver_cancels: ['', ';at=accepted', ';at=arriving', ';at=arrived'],
  courier_cancels: ['', ';at=arrived_at_pickup'],
  courier_delay: [';seconds=600'],
  undeliverable: ['', ';reason=refused'],
  'task provider_cancels': ['', ';at=en_route'],
  'booking provider_cancels': ['', ';at=en_route', ';at=confirmed'],
  bad_evidence: ['', ';kind=blurry', ';times=2'],
  task_fails: ['', ';reason=location_closed'],
}

/** Makes a customer whose wallet is nearly empty, so that payments are rejected. */
export async function createPoorCustomer(life: MovingRun): Promise<void> {
  const rest = {
    token: 'tok_ok',
    expected: 'none',
    flaw: 'none',
    scenario: 0,
    key: undefined,
    wait: 'no',
  } as const
  for (let sofas = 0; sofas < 3; sofas++) {
    await runMovingQuoteStep(life, {
      do: 'quote',
      area: 'delivery',
      as: 'everything',
      variant: 1,
      pick: 0,
      more: 3,
    })
    const which = { as: 'everything', which: 0, usable: true, variant: 0 }
    await runMovingConfirmStep(life, { do: 'confirm', area: 'delivery', method: 'wallet', ...which, ...rest })
  }
  // a ride for tomorrow: no customer may have a second one where one at a time is allowed
  await runMovingQuoteStep(life, {
    do: 'quote',
    area: 'ride',
    as: 'everything',
    variant: 1,
    pick: 0,
    more: 3,
  })
  const which = { as: 'everything', which: 0, usable: true, variant: 4 }
  await runMovingConfirmStep(life, { do: 'confirm', area: 'ride', method: 'cash', ...which, ...rest })
}

/** The special part of a confirm, beside the common one. */
type Extra = {
  input: Body
  total: number
  must: ErrorCode[]
  may?: ErrorCode[]
  malformed?: boolean
  scenario?: string
  provider?: ModelProvider
  start?: number | undefined
  cells?: number
}

export async function runMovingConfirmStep(life: MovingRun, step: Confirm): Promise<void> {
  const { area } = step
  const quote = await findQuote(life, step)
  const as = step.as ?? quote?.account ?? 'member'
  const extra = EXTRAS[area](life, step, quote?.kind === KIND[area] ? quote : undefined, as)
  const [scenario, name] = scenarioOf(step, extra)
  const call = callOf(life, step, { as, quote, extra })
  const body = await callAndCompare(life, NAME[area], { ...call, scenario })
  if (body === undefined || quote === undefined) return
  await addConfirmedResource(life, body, { step, as, quote, extra, name })
}

type ConfirmationContext = { as: string; quote: MovingModelQuote | undefined; extra: Extra }

function tokenOf({ method, flaw, token }: Confirm): string | undefined {
  return method === 'card' && flaw !== 'no token' ? token : undefined
}

function callOf(life: MovingRun, step: Confirm, { as, quote, extra }: ConfirmationContext): ModelCall {
  const { area, method } = step
  const token = tokenOf(step)
  const expected = { none: undefined, right: extra.total, wrong: extra.total + 1 }[step.expected]
  const isBadMethod = area === 'ride' && method === 'pay_at_table'
  return {
    as,
    input: omitUndefined({
      quote_id: quote?.id ?? `quo_${UNKNOWN_ID}`,
      payment: omitUndefined({ method, payment_token: token }),
      expected_total: expected === undefined ? undefined : gbp(expected),
      ...extra.input,
    }),
    key: step.flaw === 'no key' ? undefined : (step.key ?? `key-${life.serial()}`),
    malformed: (method === 'card' && token === undefined) || isBadMethod || extra.malformed === true,
    rule: () => resultsOf(judgeConfirm(life.model, step, { as, quote, extra })),
  }
}

function judgeConfirm(
  model: MovingModel,
  step: Confirm,
  { as, quote, extra }: ConfirmationContext,
): Judgement {
  const { area, method } = step
  const wrong = judgeUse(model, quote, as, KIND[area])
  // a day after it expired it is deleted
  const gone = quote !== undefined && model.now > quote.expires + DAY
  if (wrong !== undefined) return { must: [wrong], may: gone ? ['quote_not_found'] : [] }
  const paying = { as, method, token: tokenOf(step), total: extra.total, accepted: ACCEPTED[area] }
  const unseen: ErrorCode[] = step.expected === 'wrong' ? ['quote_mismatch'] : []
  return { must: [...unseen, ...extra.must, ...judgePayment(model, paying)], may: extra.may ?? [] }
}

/** Checks a new resource in every view, and adds it to the model. */
async function addConfirmedResource(
  life: MovingRun,
  body: Body,
  {
    step,
    as,
    quote,
    extra,
    name,
  }: ConfirmationContext & { step: Confirm; quote: MovingModelQuote; name: string },
): Promise<void> {
  const { model } = life
  const { area, method } = step
  const [, member] = GET[area]
  const id = String(body[member])
  const status = String(body['status'])
  const thing: ModelResource = {
    area,
    id,
    account: as,
    quote,
    method,
    token: tokenOf(step),
    scenario: name,
    total: extra.total,
    created: model.now,
    history: [{ status, at: model.now }],
    fee: 0,
    calledOff: false,
    provider: extra.provider?.id,
    start: extra.start,
    cells: extra.cells ?? 0,
  }
  expect(status).toBe(firstStatus(model.now, thing))
  expect(body['created_at']).toBe(iso(model.now))
  quote.usedBy = id
  model.things.push(thing)
  expectThing(model, thing, body)
  if (thing.start !== undefined) expect((body['slot'] as Body)['starts_at']).toBe(iso(thing.start))
  if (area === 'ride') {
    const { data } = await life.world.ok('list_rides', { limit: 1 }, { as })
    expect(data[0]?.ride_id).toBe(id)
  }
  await followModelResource(life, thing)
  await checkWallet(life, as)
}

function firstStatus(now: number, { area, quote, start }: ModelResource): string {
  if (area === 'booking') return start === undefined ? 'requested' : 'confirmed'
  if (area === 'delivery') return 'pending'
  if (area === 'task') return 'created'
  const later = quote.body['scheduled_for']
  return typeof later === 'string' && Date.parse(later) > now + HOUR / 2 ? 'scheduled' : 'processing'
}

function freshOf({ model }: MovingRun, { area }: Pick<Confirm, 'area'>): MovingModelQuote[] {
  return model.quotes.filter(
    ({ kind, usedBy, expires }) => kind === KIND[area] && usedBy === undefined && model.now < expires,
  )
}

/** Returns a quote to confirm. A step for a valid one makes it when needed, perhaps at the edge of its time. */
async function findQuote(life: MovingRun, step: Confirm): Promise<MovingModelQuote | undefined> {
  const { area, as = 'everything', which, variant } = step
  if (step.usable && freshOf(life, step).length === 0)
    await runMovingQuoteStep(life, { do: 'quote', area, as, variant: 1, pick: which, more: variant })
  const quote = pickQuote(life, step)
  const { now } = life.model
  if (quote !== undefined && step.wait !== 'no' && quote.expires > now + 1)
    await advanceModelClock(life, quote.expires - now - (step.wait === 'almost' ? 1 : 0), false)
  return quote
}

function pickQuote(life: MovingRun, { area, which, usable, flaw }: Confirm): MovingModelQuote | undefined {
  if (flaw === 'unknown') return undefined
  const own = life.model.quotes.filter(({ kind }) => (kind === KIND[area]) === (flaw !== 'other kind'))
  const fresh = flaw === 'other kind' ? [] : freshOf(life, { area })
  return pickAt((usable && fresh.length > 0 ? fresh : own).toReversed(), which)
}

/** Returns the header of a scenario, and the model's name for its result. */
function scenarioOf(
  { area, scenario: nth }: Confirm,
  { scenario: only }: Extra,
): [string | undefined, string] {
  const names = Object.keys(ENDS[area]).filter((each) => !each.includes(';'))
  const name = only ?? pickAt(names, nth) ?? 'happy'
  const options =
    only === undefined ? (pickAt(OPTIONS[name] ?? OPTIONS[`${area} ${name}`] ?? [''], nth >> 2) ?? '') : ''
  const known = `${name}${options}`
  return [known, known in ENDS[area] ? known : name]
}

const EXTRAS: Readonly<
  Record<
    MovingArea,
    (life: MovingRun, step: Confirm, quote: MovingModelQuote | undefined, as: string) => Extra
  >
> = {
  ride: confirmRide,
  delivery: confirmRun,
  booking: confirmJob,
  task: confirmTask,
}

function confirmRide(
  { model }: MovingRun,
  { variant }: Confirm,
  quote: MovingModelQuote | undefined,
  as: string,
): Extra {
  const tier = pickAt(['economy', 'comfort', 'xl', 'premium', 'accessible', 'economy'], variant) ?? 'economy'
  const count = variant % 5 === 0 ? 1 + (variant % 6) : undefined
  const input = omitUndefined({ tier, passenger_count: count })
  const fares = (quote?.body['fares'] ?? []) as Body[]
  const fare = fares.find((each) => each['tier'] === tier)
  if (quote === undefined || fare === undefined) return { input, total: 0, must: ['tier_not_quoted'] }
  const passengers = count ?? (quote.body['passengers'] as number | null) ?? 1
  const rule = judgeRide(model, { tier, passengers, as }, quote, fare)
  return { input, total: amountOf(fare['fare']), ...rule }
}

function judgeRide(
  model: MovingModel,
  { tier, passengers, as }: { tier: string; passengers: number; as: string },
  quote: MovingModelQuote,
  fare: Body,
): Judgement {
  const must: ErrorCode[] = []
  const may: ErrorCode[] = []
  // another ride may have paid it since
  if (balanceOf(fare) > 0) may.push('quote_mismatch')
  if (passengers > (tier === 'xl' ? 6 : 4)) must.push('capacity_exceeded')
  const active = model.things.some(
    (each) => each.area === 'ride' && each.account === as && !hasResourceEnded(each),
  )
  if (model.oneActiveRide && active) must.push('active_ride_exists')
  // the surge is that of the ride's time: only a ride for now may have changed since its quote
  if (model.oneActiveRide && tier === 'premium') must.push('tier_unavailable')
  else if (quote.body['scheduled_for'] === null) may.push('tier_unavailable')
  else if (fare['available'] === false) must.push('tier_unavailable')
  return { must, may }
}

function confirmRun({ model }: MovingRun, { variant }: Confirm, quote: MovingModelQuote | undefined): Extra {
  const dropoff = pickAt([['photo'], ['signature'], ['pincode'], ['photo', 'pincode']], variant)
  return {
    input: { pickup_contact: CONTACT, dropoff_contact: CONTACT, verification: { dropoff } },
    total: quote?.total ?? 0,
    ...judgeCourier(model),
  }
}

function confirmJob(
  life: MovingRun,
  { variant, which }: Confirm,
  quote: MovingModelQuote | undefined,
): Extra {
  const { model } = life
  const { total, body } = quote ?? { total: 0, body: {} as Body }
  const provider = model.providers.find(({ id }) => id === body['provider_id'])
  const service = provider?.services.find(({ code }) => code === body['service_code'])
  const plain = { input: { contact: CONTACT }, total, must: [] }
  if (quote === undefined || provider === undefined || service === undefined) return plain
  const cells = countHalfHours(Number(quote.body['duration_minutes']), service.buffer)
  const quoted = startQuoted(quote)
  const { asked, start, span } = wishOf(model.now, variant, {
    quoted,
    other: pickHalfHour(life, provider.hours, variant, which),
  })
  const input = omitUndefined({
    contact: CONTACT,
    starts_at: start === undefined ? undefined : iso(start),
    preferred_window: span && { starts_at: iso(span[0]), ends_at: iso(span[1]) },
  })
  const whole = { ...plain, input, provider, cells, malformed: asked === 'both' }
  const chosen = quoted ?? start
  const mismatch = quoted !== undefined && (span !== undefined || (start ?? quoted) !== quoted)
  if (mismatch) return { ...whole, must: ['quote_mismatch'], scenario: 'happy' }
  if (chosen === undefined) return { ...whole, must: judgeSpan(model.now, service.slotRequired, span) }
  const scenario = pickAt(['provider_cancels', 'customer_no_show', 'happy'], variant) ?? 'happy'
  return { ...whole, ...judgeStart(isStartFree(model, provider, chosen, cells)), start: chosen, scenario }
}

function startQuoted({ body }: MovingModelQuote): number | undefined {
  const named = body['starts_at']
  return typeof named === 'string' ? Date.parse(named) : undefined
}

type Window = [from: number, to: number] | undefined

/** Returns the start of the job, as the confirm names it. */
function wishOf(
  now: number,
  variant: number,
  { quoted, other }: { quoted: number | undefined; other: number },
) {
  const asked = pickAt(['none', 'quoted', 'other', 'window', 'both'] as const, variant) ?? 'none'
  const how = pickAt(['ok', 'ok', 'ok', 'reversed', 'past'], variant >> 2) ?? 'ok'
  const start = { none: undefined, quoted: quoted ?? other, other, window: undefined, both: other }[asked]
  const span: Window = asked === 'window' || asked === 'both' ? spanOf(how, now) : undefined
  return { asked, start, span }
}

function judgeSpan(now: number, slotRequired: boolean, span: Window): ErrorCode[] {
  const isBad = span !== undefined && (span[1] <= span[0] || span[1] <= now)
  return slotRequired || isBad ? ['window_invalid'] : []
}

function spanOf(how: string, now: number): [from: number, to: number] {
  if (how === 'past') return [now - 2 * DAY, now - DAY]
  return how === 'reversed' ? [now + DAY, now + HOUR] : [now + 2 * HOUR, now + 3 * DAY]
}

function confirmTask({ model }: MovingRun, { variant }: Confirm, quote: MovingModelQuote | undefined): Extra {
  const total = quote?.total ?? 0
  if (quote === undefined) return { input: {}, total, must: [] }
  const type = String(quote.body['task_type'])
  const held = quote.body['requirements'] as Body | null
  const given = pickAt(['none', 'right', 'right', 'right', 'other'] as const, variant) ?? 'none'
  const rules = pickAt(['none', 'none', 'tight', 'loose', 'more'] as const, variant >> 2) ?? 'none'
  const evidence = EVIDENCE[type]
  const window = quote.body['window'] as { starts_at: string; ends_at: string }
  const left = Date.parse(window.ends_at) - model.now
  return {
    input: omitUndefined({
      requirements: { none: undefined, right: REQUIREMENTS[type], other: { wrong: true } }[given],
      evidence_rules: {
        none: undefined,
        tight: [{ requirement_id: evidence?.id, geofence_radius_m: 100 }],
        loose: [{ requirement_id: evidence?.id, geofence_radius_m: 9000 }],
        more: [{ requirement_id: evidence?.id, min_count: evidence?.most }],
      }[rules],
    }),
    total,
    must: judgeTask(held, given, rules),
    // the model cannot tell whether a worker can arrive before a short window ends
    may: left < HOUR ? ['no_qualified_provider'] : [],
  }
}

function judgeTask(held: Body | null, given: string, rules: string): ErrorCode[] {
  const must: ErrorCode[] = []
  if (held === null && given !== 'right') must.push('requirements_invalid')
  if (held !== null && given === 'other') must.push('quote_mismatch')
  if (rules === 'loose') must.push('evidence_rules_invalid')
  if (rules === 'more') must.push('quote_mismatch')
  return must
}

/** Advances to two minutes after a driver accepted, or one millisecond more. */
async function toEdge(life: MovingRun, ride: ModelResource, edge: 'at' | 'after'): Promise<void> {
  if (currentModelStatus(ride) === 'processing') await advanceModelClock(life, MINUTE, false)
  const ends = (acceptedAt(ride) ?? 0) + 2 * MINUTE + (edge === 'after' ? 1 : 0)
  if (ends > life.model.now) await advanceModelClock(life, ends - life.model.now, false)
}

function pickThing(
  { things }: MovingModel,
  { area, usable, which, unknown, edge }: MovingStepOf<'cancel'>,
): ModelResource | undefined {
  if (unknown) return undefined
  if (area === 'ride' && edge !== 'no') return things.findLast((each) => each.area === area)
  const own = things.filter((each) => each.area === area)
  const fitting = own.filter(isCancellableResource)
  return pickAt(usable && fitting.length > 0 ? fitting : own, which)
}

export async function runMovingCancelStep(life: MovingRun, step: MovingStepOf<'cancel'>): Promise<void> {
  const { model } = life
  // a ride that no driver has accepted yet
  if (step.area === 'ride' && step.edge !== 'no') {
    const rest = { expected: 'none', flaw: 'none', scenario: 0, key: undefined, wait: 'no' } as const
    const plain = {
      as: 'everything',
      usable: true,
      which: 0,
      variant: 4,
      method: 'card',
      token: 'tok_ok',
    } as const
    await runMovingConfirmStep(life, { do: 'confirm', area: 'ride', ...plain, ...rest })
  }
  const thing = pickThing(model, step)
  if (thing?.area === 'ride' && step.edge !== 'no') await toEdge(life, thing, step.edge)
  const as = step.as ?? thing?.account ?? 'member'
  const [, member, missing] = GET[step.area]
  const body = await callAndCompare(life, step.area === 'ride' ? 'cancel_ride' : 'cancel_task', {
    as,
    input: { [member]: thing?.id ?? `${step.area === 'ride' ? 'rid' : 'tsk'}_${UNKNOWN_ID}` },
    key: step.key,
    rule() {
      if (thing === undefined || thing.account !== as) return [missing]
      return isCancellableResource(thing) ? [] : ['not_cancellable']
    },
  })
  if (body === undefined || thing === undefined) return
  thing.fee = modelCancellationFee(thing, model.now)
  thing.calledOff = true
  thing.history.push({ status: 'cancelled', at: model.now })
  expectThing(model, thing, body)
  await followModelResource(life, thing)
  await checkWallet(life, as)
}
