import type { AnyOperation } from '../../src/core/operation.ts'
import { EXAMPLES } from '../../src/generated/examples.ts'

/** The input of an operation's example, as the reference shows it; of an operation that a test made, its own. */
export function exampleInput({
  name,
  example,
}: Pick<AnyOperation, 'name' | 'example'>): Record<string, unknown> {
  return EXAMPLES.find((made) => made.name === name)?.input ?? example({})
}
