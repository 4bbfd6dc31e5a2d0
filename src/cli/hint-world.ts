import { AppError } from '../core/errors.ts'
import { ConfirmationDeclined } from './declined.ts'
import { inWorld, type TargetFlags } from './print.ts'

/**
 * Makes the commands that an error names use the caller's account, service and store. A scope that is missing gets the
 * command that lists those there are.
 */
export function withWorldHint(error: unknown, world: TargetFlags): unknown {
  if (!(error instanceof AppError) || error instanceof ConfirmationDeclined) return error
  const given =
    error.code === 'insufficient_scope'
      ? (error.hint ?? '`dray whoami` lists the scopes of this account.')
      : error.hint
  const message = inWorld(error.message, world)
  const hint = given === undefined ? undefined : inWorld(given, world)
  if (hint === error.hint && message === error.message) return error
  return new AppError(error.code, message, {
    ...(hint !== undefined && { hint }),
    errors: error.errors,
    extra: error.extra,
    cause: error.cause,
  })
}
