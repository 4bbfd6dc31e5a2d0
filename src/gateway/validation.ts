import type { ProblemFieldError } from '../core/errors.ts'
import { writePositions } from '../core/event-position.ts'
import { hiddenFaults } from '../core/hidden.ts'
import type { AnyOperation } from '../core/operation.ts'
import { normalizeInput } from './normalize-input.ts'

/** A compiled validator: returns true if and only if the value fits the operation's input schema. */
export type InputValidator = (value: unknown) => boolean

/** The most hidden characters that one response names: a longer list would not be read. */
const MAX_HIDDEN_CHARACTER_ERRORS = 100

type Input = Record<string, unknown>

/**
 * Returns an operation's input with its codes cleaned and its countries as alpha-2, and all its errors with their places:
 * also texts with invisible characters. The details need a library, which is loaded only when the input does not fit.
 */
export async function validateInput(
  { operation, check }: { operation: AnyOperation; check: InputValidator },
  given: Input,
): Promise<{ input: Input; errors: ProblemFieldError[] }> {
  const tidied = await normalizeInput(operation.input, writePositions(operation.input, given))
  const { input } = tidied
  // A read stores no text that others see.
  const hidden =
    operation.method === 'GET'
      ? []
      : hiddenFaults(operation.input, input).slice(0, MAX_HIDDEN_CHARACTER_ERRORS)
  if (check(input)) return { input, errors: [...tidied.errors, ...hidden] }
  const { explainInvalidValue } = await import('./validation-details.ts')
  const faults = [...explainInvalidValue(operation.input, input), ...tidied.errors]
  const places = new Set(faults.map(({ pointer }) => pointer))
  return { input, errors: [...faults, ...hidden.filter(({ pointer }) => !places.has(pointer))] }
}

/** Names each place as the caller wrote it: a parameter of path or query, or a JSON pointer into the body. */
export function locateFieldErrors(operation: AnyOperation, errors: ProblemFieldError[]): ProblemFieldError[] {
  return errors.map(({ pointer = '', ...rest }) => {
    const top = pointer.split('/')[1] ?? ''
    const inBody = operation.method !== 'GET' && !operation.pathParameters.includes(top)
    return inBody ? { pointer, ...rest } : { parameter: top, ...rest }
  })
}
