/**
 * Makes the example calls of the API reference: one story through all operations on a new sandbox, with real
 * responses.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { frozenClock } from '../core/clock.ts'
import type { Db } from '../core/db.ts'
import type { AnyOperation, ExampleResults, ExampleInput } from '../core/operation.ts'
import { openStore } from '../db/open.ts'
import { hasDueEvents } from '../db/timeline.ts'
import { type Gateway, makeGateway } from '../gateway/gateway.ts'
import { invokeControl } from '../sandbox/control/invoke.ts'
import { runDueEvents } from '../sandbox/due-events.ts'
import { DEFAULT_SEED, seedStore } from '../sandbox/seed.ts'
import { type Example, EXAMPLES_ACCOUNT, EXAMPLES_TIME } from '../server/docs/example.ts'
import { curlLine, drayLine } from './example-lines.ts'

/** Makes the call of a step. */
type Call = (step: ExampleStep, done: ExampleResults) => Promise<Example>

/** Returns the source of a module with an example for every operation, in a working order. */
export async function examplesSource(operations: readonly AnyOperation[]): Promise<string> {
  const examples = await inNewWorld((db, call) => runExampleSteps(db, call, operations))
  return `import type { Example } from '../server/docs/example.ts'

/** A new sandbox returns these responses again, in this order. */
export const EXAMPLES: readonly Example[] = ${JSON.stringify(examples, null, 1)}
`
}

/** Runs a story in a new sandbox with a frozen clock. */
export async function inNewWorld<T>(tell: (db: Db, call: Call) => Promise<T>): Promise<T> {
  const { load } = await import('../generated/registry.ts')
  const folder = mkdtempSync(join(tmpdir(), 'dray-examples-'))
  try {
    const db = await openStore(join(folder, 'dray.db'), {
      random: () => 0.5,
      seed: (tx) =>
        seedStore(tx, {
          seed: DEFAULT_SEED,
          clock: frozenClock(Date.parse(EXAMPLES_TIME)),
          cursorKey: 'examples',
        }),
    })
    const gateway = makeGateway({
      db,
      now: () => 0,
      weakRandomBytes: (count) => new Uint8Array(count),
      load,
      hasDue: hasDueEvents,
      drain: runDueEvents,
      onBug(error) {
        throw error
      },
    })
    const told = await tell(db, (step, done) => makeCall(gateway, step, done))
    await db.close()
    return told
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function runExampleSteps(db: Db, call: Call, operations: readonly AnyOperation[]): Promise<Example[]> {
  const done: Record<string, unknown> = {}
  const examples: Example[] = []
  for (const step of listSteps(operations)) {
    for (const by of step.advances) await advance(db, step.name, by)
    if (Object.hasOwn(done, step.name)) throw new Error(`two examples are called ${step.name}`)
    const example = await call(step, done)
    done[step.name] = example.answer
    examples.push(example)
  }
  return examples
}

async function advance(db: Db, name: string, by: string): Promise<void> {
  const deps = { now: () => 0, random: () => new Uint8Array(), env: {} }
  await invokeControl(db, 'advance_clock', { by }, deps).catch((cause: unknown) => {
    throw new Error(`the example of ${name} cannot advance the clock by ${by}`, { cause })
  })
}

export type ExampleStep = {
  operation: AnyOperation
  name: string
  /** The operation whose example needs it. */
  neededBy?: string
  /** Spans by which the clock is advanced before the call. */
  advances: readonly string[]
  scenario?: string | undefined
  input(done: ExampleResults): ExampleInput
}

/**
 * Returns the examples in the order of the interface: a reader makes the calls from top to bottom. The document groups them
 * by operation, so a call that another example needs comes right after the operation's own.
 */
export function listSteps(operations: readonly AnyOperation[]): ExampleStep[] {
  return operations.flatMap((operation) => {
    const { name, example, exampleNeeds: own = [] } = operation
    const needed = operations.flatMap(({ name: neededBy, exampleNeeds = [] }) =>
      exampleNeeds
        .filter((need) => 'operation' in need)
        .filter((call) => call.operation === name)
        .map((call): ExampleStep => {
          const { scenario, input = example } = call
          return { operation, name: call.name, neededBy, advances: [], scenario, input }
        }),
    )
    const advances = own.flatMap((need) => ('advance' in need ? [need.advance] : []))
    return [{ operation, name, advances, input: example }, ...needed]
  })
}

/** Returns the responses so far. Reading one that is not there yet throws an error with both names. */
export function answersFor(example: string, done: ExampleResults): ExampleResults {
  return new Proxy(done, {
    get(answers, name) {
      if (Object.hasOwn(answers, name)) return answers[String(name)] as unknown
      throw new Error(
        `the example of ${example} reads the answer of ${String(name)}, which is not run before it`,
      )
    },
  })
}

async function makeCall(
  gateway: Gateway,
  { operation, name, neededBy, advances, scenario, input: inputFor }: ExampleStep,
  done: ExampleResults,
): Promise<Example> {
  const input = inputFor(answersFor(name, done))
  const key = operation.idempotency === 'none' ? undefined : `example-${name.replaceAll('_', '-')}`
  const { status, body } = await gateway.invoke({
    operation: operation.name,
    credential: { account: EXAMPLES_ACCOUNT },
    input,
    ...(key !== undefined && { idempotencyKey: key }),
    ...(scenario !== undefined && { scenario }),
  })
  // The secret of an example is not to be taken for one that is used.
  const answer = JSON.parse(body.replaceAll(/whsec_[^"]+/g, 'whsec_example')) as ExampleInput
  if (status >= 300)
    throw new Error(
      `the example of ${name} is refused: ${String(answer['detail'])} Change it or the examples before it, or give ${operation.name} exampleNeeds: calls, or the time that has to pass.`,
    )
  return {
    operation: operation.name,
    name,
    ...(neededBy !== undefined && { neededBy }),
    ...(advances.length > 0 && { advanced: advances }),
    input,
    curl: curlLine(operation, input, { key, scenario }),
    dray: await drayLine(operation, input, { key, scenario }),
    status,
    answer,
  }
}
