/**
 * B11 of `reliability.md` for food and business: any steps beside the model, on either engine; with `DRAY_MODEL_RUNS` of
 * 300 or more, as in the long battery, until every refusal that the twenty operations declare was heard. `DRAY_MODEL_SEED`
 * makes other steps.
 */
import { expect, test } from 'vitest'
import type { ErrorCode } from '../../src/core/errors.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { checkInvariants } from '../support/invariants.ts'
import { fc } from '../support/properties.ts'
import { ENGINES } from '../support/stores.ts'
import { create, importRows, items, remove, setAvailability, stock, update } from './food-catalogue.ts'
import { again, type Life, operations } from './food-life.ts'
import * as orders from './food-orders.ts'
import { quote } from './food-quotes.ts'
import * as reads from './food-reads.ts'
import { openFoodWorld } from './food-setup.ts'
import { type Step, stepsOf } from './food-steps.ts'
import * as time from './food-time.ts'

const HOUR = 3_600_000
const RUNS = Number(process.env['DRAY_MODEL_RUNS'] ?? 100)
const SEED = Number(process.env['DRAY_MODEL_SEED'] ?? 20261120)

const DOERS: { [Name in Step['do']]: (life: Life, step: Extract<Step, { do: Name }>) => Promise<void> } = {
  quote,
  place: orders.place,
  cancel: orders.cancel,
  show: reads.show,
  store: orders.store,
  list: reads.list,
  settle: time.settle,
  'open check': time.openTable,
  again,
  pause: time.pause,
  membership: time.membership,
  menu: reads.menu,
  search: reads.search,
  wait: time.wait,
  create,
  update,
  availability: setAvailability,
  delete: remove,
  import: importRows,
  items,
}

const heard = new Map<string, number>()

/** Plays the steps; returns the faults of the store afterwards, and days later. */
async function live(
  engine: (typeof ENGINES)[number],
  steps: readonly (Step | undefined)[],
): Promise<string[]> {
  const { world, model } = await openFoodWorld(engine)
  let last = 0
  const life: Life = { world, model, heard, keyed: [], serial: () => ++last }
  await stock(life)
  await orders.begin(life)
  for (const step of steps) {
    if (step !== undefined) await (DOERS[step.do] as (life: Life, step: Step) => Promise<void>)(life, step)
  }
  const found = await checkInvariants(world.db)
  await time.wait(life, { do: 'wait', ms: 72 * HOUR, lazily: false })
  found.push(...(await checkInvariants(world.db)))
  await world.db.close()
  return found
}

/** Codes that no call can cause, each with the reason. */
const NEVER: Readonly<Record<string, string>> = {
  'complete_business_order payment_required':
    'an order by card or wallet that is not paid is refused at accept, and cannot be completed before that',
}

/** Returns every error that an operation can have, including the gateway's for credentials and keys. */
function declared({ name, scope, entitlement, idempotency, errors, input }: AnyOperation): string[] {
  const codes: ErrorCode[] = [...errors]
  if (scope !== undefined) codes.push('insufficient_scope')
  if (entitlement === 'service_one') codes.push('membership_required')
  if (entitlement === 'business_agreement') codes.push('agreement_required')
  if (idempotency === 'required') codes.push('idempotency_key_required')
  if (idempotency !== 'none') codes.push('idempotency_key_reused')
  if ('cursor' in input.properties) codes.push('invalid_cursor')
  return [...new Set(codes)].map((code) => `${name} ${code}`)
}

test('on SQLite, whatever is done, everybody hears what the contract says', { timeout: HOUR }, async () => {
  await fc.assert(
    fc.asyncProperty(stepsOf(40), async (steps) => {
      expect(await live({ name: 'SQLite', locate: async () => ':memory:' }, steps)).toEqual([])
    }),
    { numRuns: RUNS, seed: SEED },
  )
  if (RUNS < 300) return
  const area = [...operations.values()].filter((each) => each.area === 'food' || each.area === 'business')
  expect(area).toHaveLength(20)
  const wanted = area.flatMap((operation) => [`${operation.name} ok`, ...declared(operation)])
  expect(wanted.filter((each) => !heard.has(each) && NEVER[each] === undefined)).toEqual([])
  expect(Object.keys(NEVER).filter((each) => heard.has(each) || !wanted.includes(each))).toEqual([])
})

test('and on PostgreSQL', { timeout: HOUR }, async () => {
  const engine = ENGINES.find(({ name }) => name === 'PostgreSQL')
  if (engine === undefined) throw new Error('there is no PostgreSQL')
  await fc.assert(
    fc.asyncProperty(stepsOf(40), async (steps) => {
      expect(await live(engine, steps)).toEqual([])
    }),
    { numRuns: Math.ceil(RUNS / 50), seed: SEED },
  )
})
