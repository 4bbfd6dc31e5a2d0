/** Returns for every operation an input that succeeds: its example with the caller's own ids. */
import type { AnyOperation } from '../../src/core/operation.ts'
import { OPERATION_CASES, ID_CASES } from './all-cases.ts'
import { toCaseFile, type CaseInput, type InputPair } from './cases.ts'
import { exampleInput } from './example-input.ts'
import type { TestSandbox } from './world.ts'

/** Returns the example of an operation with an id of the account `as`. */
export async function makeCaseExample(
  world: TestSandbox,
  operation: AnyOperation,
  as = 'everything',
): Promise<CaseInput> {
  const [id] = operation.pathParameters
  const { input, needs = ID_CASES[id ?? '']?.make } = OPERATION_CASES[operation.name] ?? {}
  if (input !== undefined) return input(world, as)
  if (id !== undefined && needs === undefined)
    throw new Error(`${operation.name}: add how its ${id} is made to ids of ${toCaseFile(operation)}`)
  return { ...exampleInput(operation), ...(await needs?.(world, as)) }
}

/** Says where an example is fixed that a loop needs to succeed: the message of its assertion. */
export function exampleAt(operation: AnyOperation): string {
  return `the example of ${operation.name} must succeed: make what it needs in needs of ${toCaseFile(operation)}`
}

/** Returns whether a second input is known that differs from the example. */
export function hasAnother({ name, input: { properties } }: AnyOperation): boolean {
  return OPERATION_CASES[name]?.secondInput !== undefined || 'quote_id' in properties || 'note' in properties
}

/** Returns two inputs that would succeed and differ, for an operation that `hasAnother`. */
export async function pairOf(world: TestSandbox, operation: AnyOperation): Promise<InputPair> {
  const { properties } = operation.input
  const { secondInput: another = 'note' in properties ? { note: 'by telephone' } : undefined } =
    OPERATION_CASES[operation.name] ?? {}
  if (typeof another === 'function') return another()
  const input = await makeCaseExample(world, operation)
  return { input, other: another ? { ...input, ...another } : await makeCaseExample(world, operation) }
}

/** Valid ids of nobody. */
export const UNKNOWN: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ID_CASES).map(([id, { nobodys }]) => [id, nobodys]),
)
