import type { FieldError } from '../errors.ts'
import type { AnyOperation } from '../operation.ts'

/** A compiled validator: true iff the value fits the operation's input schema. */
export type Check = (value: unknown) => boolean

/** Everything wrong with an input, with the place of each; empty when it fits. Details cost a library, loaded only on failure. */
export async function findErrors(
  operation: AnyOperation,
  input: unknown,
  check: Check,
): Promise<FieldError[]> {
  if (check(input)) return []
  const { explain } = await import('./validation-details.ts')
  return explain(operation.input, input)
}

/** Names each place as the caller wrote it: a parameter of path or query, or a pointer into the body. */
export function locate(operation: AnyOperation, errors: FieldError[]): FieldError[] {
  return errors.map(({ pointer = '', ...rest }) => {
    const top = pointer.split('/')[1] ?? ''
    const inBody = operation.method !== 'GET' && !operation.pathParameters.includes(top)
    return inBody ? { pointer, ...rest } : { parameter: top, ...rest }
  })
}
