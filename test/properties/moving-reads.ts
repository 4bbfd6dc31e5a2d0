/** Compares reads of the moving world with the model, and advances the clock. */
import { expect } from 'vitest'
import { metresBetween } from '../support/distance.ts'
import {
  callAndCompare,
  pickAt,
  type Body,
  iso,
  omitUndefined,
  advanceProgramClock,
  paged,
  UNKNOWN_ID,
  readAllPages,
} from '../support/model-calls.ts'
import { NINE_AM } from '../support/world.ts'
import { followParcel } from './moving-carrier.ts'
import { checkWallet, followModelResource, GET, type MovingRun } from './moving-life.ts'
import {
  CELL,
  DAY,
  ENDS,
  HOUR,
  hasResourceEnded,
  isShown,
  isStoppable,
  currentModelStatus,
  type ModelResource,
} from './moving-model.ts'
import { CITY } from './moving-quotes.ts'
import type { MovingStepOf } from './moving-steps.ts'

const PREFIX = { ride: 'rid', delivery: 'dlv', booking: 'bkg', task: 'tsk' } as const

function pick(
  { model }: MovingRun,
  area: ModelResource['area'],
  which: number,
  unknown: boolean,
): ModelResource | undefined {
  return unknown
    ? undefined
    : pickAt(
        model.things.filter((each) => each.area === area),
        which,
      )
}

export async function runMovingShowStep(
  life: MovingRun,
  { area, as: who, which, unknown }: MovingStepOf<'show'>,
): Promise<void> {
  const thing = pick(life, area, which, unknown)
  const as = who ?? thing?.account ?? 'member'
  const [name, member, missing] = GET[area]
  const id = thing?.id ?? `${PREFIX[area]}_${UNKNOWN_ID}`
  const rule = () => (thing === undefined || thing.account !== as ? [missing] : [])
  await callAndCompare(life, name, { as, input: { [member]: id }, rule })
}

/** Checks that evidence only grows, and that only the task's owner reads it. */
export async function runEvidenceStep(
  life: MovingRun,
  { as: who, which, unknown, part }: MovingStepOf<'evidence'>,
): Promise<void> {
  const thing = pick(life, 'task', which, unknown)
  const as = who ?? thing?.account ?? 'member'
  const body = await callAndCompare(life, 'get_task_evidence', {
    as,
    input: omitUndefined({ task_id: thing?.id ?? `tsk_${UNKNOWN_ID}`, kind: part ? 'photo' : undefined }),
    rule: () => (thing === undefined || thing.account !== as ? ['task_not_found'] : []),
  })
  if (body === undefined || thing === undefined) return
  const items = body['items'] as Body[]
  if (part) for (const item of items) expect(item['kind']).toBe('photo')
  expect((body['manifest'] as Body)['item_count']).toBe(items.length)
  const status = currentModelStatus(thing)
  if (['created', 'assigned', 'en_route'].includes(status)) expect(items).toEqual([])
  if (status === 'completed') expect(body['rules_satisfied']).toBe(true)
}

/** Checks that a list is newest first, complete and without duplicates, whatever the page size. */
export async function runRidesStep(
  life: MovingRun,
  { as, status, from, limit, forged }: MovingStepOf<'rides'>,
): Promise<void> {
  const { model } = life
  const since = from === undefined ? undefined : pickAt(model.things, from)?.created
  const input = omitUndefined({
    status: status.length > 0 ? status : undefined,
    created_from: since === undefined ? undefined : iso(since),
    ...paged(forged ? 'forged' : 'own', limit),
  })
  const call = { as, input, forged }
  const first = await callAndCompare(life, 'list_rides', call)
  if (first === undefined) return
  const data = await readAllPages(life, 'list_rides', call, first, limit)
  const wanted = model.things.filter(
    (each) =>
      each.area === 'ride' &&
      each.account === as &&
      (status.length === 0 || status.includes(currentModelStatus(each))) &&
      each.created >= (since ?? 0),
  )
  expect(data.map((ride) => ride['ride_id'])).toEqual(wanted.map(({ id }) => id).toReversed())
  const [newest] = data
  if (newest === undefined) return
  const shown = await life.world.call('get_ride', { ride_id: newest['ride_id'] }, { as })
  expect(shown.body).toEqual(newest)
}

const MANCHESTER = { latitude: 53.48, longitude: -2.24 }

export async function runMovingSearchStep(
  life: MovingRun,
  { what, as, far, filter, limit, forged }: MovingStepOf<'search'>,
): Promise<void> {
  const point = far ? MANCHESTER : CITY
  const page = paged(forged ? 'forged' : 'own', limit)
  const [name, more, id] = {
    rides: ['search_ride_options', filter % 2 === 0 ? { passengers: 5 } : {}, 'tier'],
    providers: ['search_service_providers', filter % 2 === 0 ? { category: 'cleaning' } : {}, 'provider_id'],
    types: ['list_task_types', filter % 2 === 0 ? { category: 'inspection' } : {}, 'task_type'],
  }[what] as [string, Body, string]
  const call = { as, input: { ...point, ...more, ...page }, forged }
  const first = await callAndCompare(life, name, call)
  if (first === undefined) return
  const data = await readAllPages(life, name, call, first, limit)
  const ids = data.map((each) => String(each[id]))
  expect(new Set(ids).size).toBe(ids.length)
  if (far) return expect(ids).toEqual([])
  if (what === 'rides')
    expect(ids).toEqual(filter % 2 === 0 ? ['xl'] : ['economy', 'comfort', 'xl', 'premium', 'accessible'])
  if (what === 'types') {
    expect(ids).not.toContain('document_drop')
    expect(ids).toHaveLength(filter % 2 === 0 ? 2 : 6)
  }
  if (what === 'providers') expectProviders(data)
}

/** Checks that the nearest provider comes first, with its distance. */
function expectProviders(data: readonly Body[]): void {
  const metres = data.map((each) => Number(each['distance_m']))
  expect(metres).toEqual(metres.toSorted((a, b) => a - b))
  for (const each of data) {
    const base = each['base_location'] as typeof CITY
    expect(Math.abs(Math.round(metresBetween(base, CITY)) - Number(each['distance_m']))).toBeLessThanOrEqual(
      1,
    )
    expect(Number(each['distance_m'])).toBeLessThanOrEqual(Number((each['travel'] as Body)['radius_m']))
  }
}

/** Checks that exactly those starts are shown from which the whole job is free. */
export async function runSlotsStep(life: MovingRun, step: MovingStepOf<'slots'>): Promise<void> {
  const { model } = life
  const provider = pickAt(model.providers, step.provider)
  const service = pickAt(provider?.services ?? [], step.service)
  if (provider === undefined || service === undefined) return
  const date = iso(model.now + step.day * DAY).slice(0, 10)
  const flaws = [
    { code: 'provider_not_found' as const, over: { provider_id: `prv_${UNKNOWN_ID}` } },
    { code: 'service_not_offered' as const, over: { service_code: 'no_such_thing' } },
    { code: 'duration_not_allowed' as const, over: { duration_minutes: service.minutes + 7 } },
    { code: 'invalid_request' as const, over: { service_code: undefined } },
  ]
  const flaw = flaws[step.flaw]
  const body = await callAndCompare(life, 'get_provider_availability', {
    as: step.as,
    input: omitUndefined({ provider_id: provider.id, date, service_code: service.code, ...flaw?.over }),
    malformed: flaw?.code === 'invalid_request',
    rule: () => (flaw === undefined ? [] : [flaw.code]),
  })
  if (body === undefined) return
  const starts = (body['data'] as Body[]).map((each) => Date.parse(String(each['starts_at'])))
  const from = Date.parse(`${date}T00:00:00.000Z`)
  for (let start = from; start < from + DAY; start += CELL) {
    const shown = isShown(model, provider, start, service)
    if (shown !== undefined) expect(starts.includes(start), `${provider.name} at ${iso(start)}`).toBe(shown)
  }
  expect(starts).toEqual(starts.toSorted((a, b) => a - b))
}

export async function runMemberStep(life: MovingRun, { as }: MovingStepOf<'member'>): Promise<void> {
  const body = await callAndCompare(life, 'get_membership_status', { as, input: {} })
  const active = life.model.people.get(as)?.member === true
  expect([body?.['active'], body?.['entitlement']]).toEqual([active, 'service_one'])
}

const LAST_CLOCK_MS = NINE_AM + 20 * DAY

/** Advances to the instant at which a quote expires, or to the millisecond before. */
export async function runExpireStep(
  life: MovingRun,
  { which, early }: MovingStepOf<'expire'>,
): Promise<void> {
  const { now, quotes } = life.model
  const quote = pickAt(
    quotes.filter(({ expires, usedBy }) => usedBy === undefined && expires > now + 1),
    which,
  )
  if (quote === undefined) return
  await advanceModelClock(life, quote.expires - now - (early ? 1 : 0), false)
}

/** Advances the clock: due events happen at once, or with the next read. */
export async function runMovingWaitStep(life: MovingRun, step: MovingStepOf<'wait'>): Promise<void> {
  // within the month for which memberships are paid and hours are known
  const { ms, lazily } = step
  await advanceModelClock(life, life.model.now > LAST_CLOCK_MS ? Math.min(ms, HOUR) : ms, lazily)
}

export async function advanceModelClock(life: MovingRun, ms: number, lazily: boolean): Promise<void> {
  const { model } = life
  const until = model.now + ms
  await advanceProgramClock(life, until, lazily)
  const living = model.things.filter((thing) => !hasResourceEnded(thing))
  model.now = until
  for (const thing of living) await followModelResource(life, thing)
  for (const parcel of model.parcels) if (isStoppable(parcel)) await followParcel(life, parcel)
  for (const handle of new Set(living.map(({ account }) => account))) await checkWallet(life, handle)
}

/** Checks that every resource reaches a final status of its scenario. */
export async function expectEnds({ model }: MovingRun): Promise<void> {
  for (const thing of model.things) {
    const said = `${thing.id} ${thing.scenario}: ${thing.history.map(({ status }) => status).join(' ')}`
    expect(hasResourceEnded(thing), said).toBe(true)
    if (!thing.calledOff) expect(ENDS[thing.area][thing.scenario], said).toContain(currentModelStatus(thing))
  }
}
