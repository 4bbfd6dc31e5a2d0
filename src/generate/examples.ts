/**
 * Makes the example calls of the API reference: one story through all operations on a new sandbox, with real
 * responses.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { frozenClock } from '../core/clock.ts'
import type { AnyOperation } from '../core/operation.ts'
import { type Gateway, makeGateway } from '../gateway/gateway.ts'
import { drainDue } from '../sandbox/drain.ts'
import { DEFAULT_SEED, seedStore } from '../sandbox/seed.ts'
import { type Example, EXAMPLES_AS, EXAMPLES_NOW } from '../server/docs/example.ts'
import { openStore } from '../store/open.ts'
import { hasDue } from '../store/timeline.ts'
import { curlLine, drayLine } from './example-lines.ts'
import { STORY } from './story.ts'
import type { Answers, Input, Step } from './story.ts'

/** Returns the source of a module with an example for every operation, in a working order. */
export async function examplesSource(operations: readonly AnyOperation[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'dray-examples-'))
  try {
    const examples = await tellStory(join(folder, 'dray.db'), operations)
    return `import type { Example } from '../server/docs/example.ts'

/** A new sandbox returns these responses again, in this order. */
export const EXAMPLES: readonly Example[] = ${JSON.stringify(examples, null, 1)}
`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function tellStory(store: string, operations: readonly AnyOperation[]): Promise<Example[]> {
  const { load } = await import('../generated/registry.ts')
  const db = await openStore(store, {
    random: () => 0.5,
    seed: (tx) =>
      seedStore(tx, {
        seed: DEFAULT_SEED,
        clock: frozenClock(Date.parse(EXAMPLES_NOW)),
        cursorKey: 'examples',
      }),
  })
  const gateway = makeGateway({
    db,
    now: () => 0,
    weakRandomBytes: (count) => new Uint8Array(count),
    load,
    hasDue,
    drain: (tx, stored, now, due, limit) => drainDue(tx, stored.world, now, due, limit),
    onBug(error) {
      throw error
    },
  })

  const done: Record<string, unknown> = {}
  const examples: Example[] = []
  for (const step of STORY) {
    const example = await makeCall(gateway, operations, step, done)
    done[step.name ?? step.operation] = example.answer
    examples.push(example)
  }
  await db.close()
  // The main calls must follow the order of the interface, so that a reader can make them from top to bottom.
  const told = STORY.flatMap(({ operation, name }) => (name === undefined ? [operation] : []))
  const wrong = operations.findIndex(({ name }, index) => told[index] !== name)
  if (wrong !== -1) throw new Error(`the story tells ${told[wrong]} where ${operations[wrong]?.name} stands`)
  return examples
}

/** Makes the call of a step. */
async function makeCall(
  gateway: Gateway,
  operations: readonly AnyOperation[],
  step: Step,
  done: Answers,
): Promise<Example> {
  const operation = operations.find(({ name }) => name === step.operation)
  if (operation === undefined) throw new Error(`there is no operation ${step.operation}`)
  const name = step.name ?? step.operation
  const input = step.input(done)
  const key = operation.idempotency === 'none' ? undefined : `example-${name.replaceAll('_', '-')}`
  const { status, body } = await gateway.invoke({
    operation: operation.name,
    credential: { account: EXAMPLES_AS },
    input,
    ...(key !== undefined && { idempotencyKey: key }),
  })
  if (status >= 300) throw new Error(`the example ${name} is refused: ${body}`)
  const answer = JSON.parse(body) as Input
  return {
    operation: operation.name,
    name,
    ...(step.neededBy !== undefined && { neededBy: step.neededBy }),
    input,
    curl: curlLine(operation, input, key),
    dray: await drayLine(operation, input, key),
    status,
    answer,
  }
}
