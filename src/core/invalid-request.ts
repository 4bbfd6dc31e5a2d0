import { AppError, type ProblemFieldError } from './errors.ts'

/** Returns the one error that reports all faults of an input together. */
export function invalidRequest(
  errors: ProblemFieldError[],
  otherwise = 'The request does not fit',
): AppError {
  const [first] = errors
  const isHidden = errors.length > 0 && errors.every(({ code }) => code === 'hidden_characters')
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  return new AppError(
    isHidden ? 'hidden_characters' : 'invalid_request',
    `${first?.detail ?? otherwise}${more}.`,
    { errors },
  )
}
