import type { FieldError } from '../core/errors.ts'
import type { AnyOperation } from '../core/operation.ts'
import { tidy } from './tidy.ts'

/** A compiled validator: returns true if and only if the value fits the operation's input schema. */
export type Check = (value: unknown) => boolean

type Input = Record<string, unknown>

/**
 * Returns an operation's input with its codes cleaned and its countries as alpha-2, and all its errors with their places. The details need
 * a library, which is loaded only when the input does not fit.
 */
export async function validate(
  { operation, check }: { operation: AnyOperation; check: Check },
  given: Input,
): Promise<{ input: Input; errors: FieldError[] }> {
  const { input, errors } = await tidy(operation.input, given)
  if (check(input)) return { input, errors }
  const { explain } = await import('./validation-details.ts')
  return { input, errors: [...explain(operation.input, input), ...errors] }
}

/** Names each place as the caller wrote it: a parameter of path or query, or a JSON pointer into the body. */
export function locate(operation: AnyOperation, errors: FieldError[]): FieldError[] {
  return errors.map(({ pointer = '', ...rest }) => {
    const top = pointer.split('/')[1] ?? ''
    const inBody = operation.method !== 'GET' && !operation.pathParameters.includes(top)
    return inBody ? { pointer, ...rest } : { parameter: top, ...rest }
  })
}
