/** Returns for every operation an input that succeeds: its example with the caller's own ids. */
import type { AnyOperation } from '../../src/core/operation.ts'
import { CASES, IDS } from './all-cases.ts'
import { fileOf, type Input, type Pair } from './cases.ts'
import { exampleInput } from './example-input.ts'
import type { TestWorld } from './world.ts'

/** Returns the example of an operation with an id of the account `as`. */
export async function exampleOf(
  world: TestWorld,
  operation: AnyOperation,
  as = 'everything',
): Promise<Input> {
  const [id] = operation.pathParameters
  const { input, needs = IDS[id ?? '']?.make } = CASES[operation.name] ?? {}
  if (input !== undefined) return input(world, as)
  if (id !== undefined && needs === undefined)
    throw new Error(`${operation.name}: add how its ${id} is made to ids of ${fileOf(operation)}`)
  return { ...exampleInput(operation), ...(await needs?.(world, as)) }
}

/** Says where an example is mended that a loop needs to succeed: the message of its assertion. */
export function exampleAt(operation: AnyOperation): string {
  return `the example of ${operation.name} must succeed: make what it needs in needs of ${fileOf(operation)}`
}

/** Returns whether a second input is known that differs from the example. */
export function hasAnother({ name, input: { properties } }: AnyOperation): boolean {
  return CASES[name]?.another !== undefined || 'quote_id' in properties || 'note' in properties
}

/** Returns two inputs that would succeed and differ, for an operation that `hasAnother`. */
export async function pairOf(world: TestWorld, operation: AnyOperation): Promise<Pair> {
  const { properties } = operation.input
  const { another = 'note' in properties ? { note: 'by telephone' } : undefined } =
    CASES[operation.name] ?? {}
  if (typeof another === 'function') return another()
  const input = await exampleOf(world, operation)
  return { input, other: another ? { ...input, ...another } : await exampleOf(world, operation) }
}

/** Valid ids of nobody. */
export const UNKNOWN: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(IDS).map(([id, { nobodys }]) => [id, nobodys]),
)
