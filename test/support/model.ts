/**
 * Drives a model beside the program: starts both, plays drawn steps on either engine, and checks the store. A failure
 * shrinks by leaving out steps, and its seed replays it.
 */
import { expect, test } from 'vitest'
import type { Area } from '../../src/core/areas.ts'
import type { ErrorCode } from '../../src/core/errors.ts'
import { type AnyOperation, isExtension } from '../../src/core/operation.ts'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import INTERFACE from '../operations.json' with { type: 'json' }
import { checkInvariants } from './invariants.ts'
import type { ModelRun, Model } from './model-calls.ts'
import { fc } from './properties.ts'
import { type Engine, ENGINES } from './stores.ts'
import type { TestSandbox } from './world.ts'

const HOUR = 3_600_000
const SEED = Number(process.env['DRAY_MODEL_SEED'] ?? process.env['DRAY_TEST_SEED'] ?? 20261120)

type AnyStep = { do: string }

/** The steps of a run; shrinking replaces some by nothing. */
export type StepSequence<Step> = { steps: readonly (Step | undefined)[] }

/** Returns a step of a name. */
export type StepOf<Step extends AnyStep, Name extends Step['do']> = Extract<Step, { do: Name }>

/** The parts of a model that are its own. */
type ModelDefinition<
  M extends Model,
  Step extends AnyStep,
  Run extends StepSequence<Step> = StepSequence<Step>,
> = {
  /** The areas whose operations the steps call. */
  areas: readonly Area[]
  /** The number of runs that `npm test` makes. */
  runs: number
  /** So many runs cause every declared error. */
  runsForAllErrors: number
  /** Errors that no call can cause, as `operation code`, each with the reason. */
  never: Readonly<Record<string, string>>
  draws: fc.Arbitrary<Run>
  open(engine: Engine, run: Run): Promise<{ world: TestSandbox; model: M }>
  inspect: ModelRun['inspect']
  /** Acts before the first step. */
  begin(life: ModelRun<M>, run: Run): Promise<void>
  play: { [Name in Step['do']]: (life: ModelRun<M>, step: StepOf<Step, Name>) => Promise<void> }
  /** Waits until all has ended, and checks it. */
  end(life: ModelRun<M>): Promise<void>
}

/** Declares the tests of a model; `DRAY_MODEL_RUNS` makes more runs, and `DRAY_MODEL_SEED` makes other steps. */
export function testModel<
  M extends Model,
  Step extends AnyStep,
  Run extends StepSequence<Step> = StepSequence<Step>,
>(modelled: ModelDefinition<M, Step, Run>): void {
  const { areas, never, draws } = modelled
  const runs = Number(process.env['DRAY_MODEL_RUNS'] ?? modelled.runs)
  const heard = new Map<string, number>()

  /** Fails where a drawn run leaves a fault in the store. */
  const expectNoFaults = (engine: Engine, numRuns: number): Promise<void> =>
    fc.assert(
      fc.asyncProperty(draws, async (run) => {
        expect(await live(modelled, heard, engine, run)).toEqual([])
      }),
      { numRuns, seed: SEED },
    )

  test('on SQLite, whatever is done, every response is that of the model', { timeout: HOUR }, async () => {
    await expectNoFaults({ name: 'SQLite', locate: async () => ':memory:' }, runs)
    if (runs < modelled.runsForAllErrors) return
    const wanted = await listResults(areas)
    expect(wanted.filter((each) => !heard.has(each) && never[each] === undefined)).toEqual([])
    expect(Object.keys(never).filter((each) => heard.has(each) || !wanted.includes(each))).toEqual([])
  })

  test('and on PostgreSQL', { timeout: HOUR }, async () => {
    expect.hasAssertions()
    const engine = ENGINES.find(({ name }) => name === 'PostgreSQL')
    if (engine === undefined) throw new Error('there is no PostgreSQL')
    await expectNoFaults(engine, Math.ceil(runs / 50))
  })
}

/** Plays the steps; returns the faults of the store afterwards, and at the end of everything. */
async function live<M extends Model, Step extends AnyStep, Run extends StepSequence<Step>>(
  { open, begin, play, end, inspect }: ModelDefinition<M, Step, Run>,
  heard: Map<string, number>,
  engine: Engine,
  run: Run,
): Promise<string[]> {
  const { world, model } = await open(engine, run)
  let last = 0
  const life: ModelRun<M> = { world, model, heard, keyed: [], serial: () => ++last, inspect }
  await begin(life, run)
  for (const step of run.steps) {
    if (step !== undefined) await play[step.do as Step['do']](life, step as StepOf<Step, Step['do']>)
  }
  const found = await checkInvariants(world.db)
  await end(life)
  found.push(...(await checkInvariants(world.db)))
  await world.db.close()
  return found
}

/** Returns every result that the operations of some areas can have, as `operation code`. */
async function listResults(areas: readonly Area[]): Promise<string[]> {
  const all: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((load) => load()))
  const own = all.filter((operation) => areas.includes(operation.area) && !isExtension(operation))
  const promised = INTERFACE.filter(({ area }) => areas.some((each) => each === area))
  expect(own.map(({ name }) => name)).toEqual(promised.map(({ operation }) => operation))
  return own.flatMap((operation) => [`${operation.name} ok`, ...declared(operation)])
}

/** Returns every error that an operation can have, including the gateway's for credentials and keys. */
function declared({ name, scope, entitlement, idempotency, errors, input }: AnyOperation): string[] {
  const codes: ErrorCode[] = [...errors]
  if (scope !== undefined) codes.push('insufficient_scope')
  if (entitlement === 'service_one') codes.push('membership_required')
  if (entitlement.endsWith('_agreement')) codes.push('agreement_required')
  if (idempotency === 'required') codes.push('idempotency_key_required')
  if (idempotency !== 'none') codes.push('idempotency_key_reused')
  if ('cursor' in input.properties) codes.push('invalid_cursor')
  return [...new Set(codes)].map((code) => `${name} ${code}`)
}
