/**
 * B11 of `reliability.md` for the thirty operations of the moving world: any steps beside the model, on either engine;
 * with `DRAY_MODEL_RUNS` of 200 or more, as in the long battery, until every refusal that they declare was heard.
 * `DRAY_MODEL_SEED` makes other steps.
 */
import { expect, test } from 'vitest'
import type { ErrorCode } from '../../src/core/errors.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { checkInvariants } from '../support/invariants.ts'
import { fc } from '../support/properties.ts'
import { ENGINES } from '../support/stores.ts'
import { operations } from './food-life.ts'
import * as carrier from './moving-carrier.ts'
import { begin, cancel, confirm } from './moving-confirms.ts'
import { again, type Life } from './moving-life.ts'
import { DAY } from './moving-model.ts'
import { quote } from './moving-quotes.ts'
import * as reads from './moving-reads.ts'
import { openMovingWorld } from './moving-setup.ts'
import { type Step, stepsOf } from './moving-steps.ts'

const HOUR = 3_600_000
const RUNS = Number(process.env['DRAY_MODEL_RUNS'] ?? 60)
const SEED = Number(process.env['DRAY_MODEL_SEED'] ?? 20261120)

const DOERS: { [Name in Step['do']]: (life: Life, step: Extract<Step, { do: Name }>) => Promise<void> } = {
  quote,
  confirm,
  cancel,
  again,
  show: reads.show,
  evidence: reads.evidence,
  rides: reads.rides,
  search: reads.search,
  slots: reads.slots,
  member: reads.member,
  membership: reads.membership,
  wait: reads.wait,
  expire: reads.expire,
  send: carrier.send,
  batch: carrier.batch,
  stop: carrier.stop,
  parcel: carrier.parcel,
  parcels: carrier.parcels,
  rates: carrier.rates,
  coverage: carrier.coverage,
  hubs: carrier.hubs,
}

const heard = new Map<string, number>()

/** Plays the steps; returns the faults of the store afterwards, and at the end of everything. */
async function live(
  engine: (typeof ENGINES)[number],
  steps: readonly (Step | undefined)[],
  oneActiveRide: boolean,
): Promise<string[]> {
  const { world, model } = await openMovingWorld(engine, oneActiveRide)
  let last = 0
  const life: Life = { world, model, heard, keyed: [], serial: () => ++last }
  if (oneActiveRide) await begin(life)
  for (const step of steps) {
    if (step !== undefined) await (DOERS[step.do] as (life: Life, step: Step) => Promise<void>)(life, step)
  }
  const found = await checkInvariants(world.db)
  await reads.pass(life, 12 * DAY, false)
  await reads.expectEnds(life)
  found.push(...(await checkInvariants(world.db)))
  await world.db.close()
  return found
}

/** Codes that no call can cause, each with the reason. */
const NEVER: Readonly<Record<string, string>> = {
  'quote_ride service_unavailable': 'only another route engine than the formula can fail',
  'create_task task_type_not_found': 'a quote holds a type that there is, and none is ever taken away',
  'get_membership_status insufficient_scope': 'every account has profile.read',
}

/** Returns every error that an operation can have, including the gateway's for credentials and keys. */
function declared({ name, scope, entitlement, idempotency, errors, input }: AnyOperation): string[] {
  const codes: ErrorCode[] = [...errors]
  if (scope !== undefined) codes.push('insufficient_scope')
  if (entitlement === 'service_one') codes.push('membership_required')
  if (entitlement === 'carrier_agreement') codes.push('agreement_required')
  if (idempotency === 'required') codes.push('idempotency_key_required')
  if (idempotency !== 'none') codes.push('idempotency_key_reused')
  if ('cursor' in input.properties) codes.push('invalid_cursor')
  return [...new Set(codes)].map((code) => `${name} ${code}`)
}

const LIVES = fc.tuple(
  stepsOf(40),
  fc.nat({ max: 2 }).map((value) => value === 0),
)

test('on SQLite, whatever is done, everybody hears what the contract says', { timeout: HOUR }, async () => {
  await fc.assert(
    fc.asyncProperty(LIVES, async ([steps, oneActiveRide]) => {
      expect(await live({ name: 'SQLite', locate: async () => ':memory:' }, steps, oneActiveRide)).toEqual([])
    }),
    { numRuns: RUNS, seed: SEED },
  )
  if (RUNS < 200) return
  const areas = ['account', 'rides', 'delivery', 'carrier', 'services', 'tasks']
  const area = [...operations.values()].filter((each) => areas.includes(each.area))
  expect(area).toHaveLength(30)
  const wanted = area.flatMap((operation) => [`${operation.name} ok`, ...declared(operation)])
  expect(wanted.filter((each) => !heard.has(each) && NEVER[each] === undefined)).toEqual([])
  expect(Object.keys(NEVER).filter((each) => heard.has(each) || !wanted.includes(each))).toEqual([])
})

test('and on PostgreSQL', { timeout: HOUR }, async () => {
  const engine = ENGINES.find(({ name }) => name === 'PostgreSQL')
  if (engine === undefined) throw new Error('there is no PostgreSQL')
  await fc.assert(
    fc.asyncProperty(LIVES, async ([steps, oneActiveRide]) => {
      expect(await live(engine, steps, oneActiveRide)).toEqual([])
    }),
    { numRuns: Math.ceil(RUNS / 50), seed: SEED },
  )
})
