import { AppError } from '../core/errors.ts'
import { Declined } from './declined.ts'
import { sameWorld, type World } from './print.ts'

/** A command of an area or the sandbox in a hint; a quoted word may hold any character. */
const COMMAND =
  /`(dray (?:food|rides|delivery|carrier|services|tasks|business|account|sandbox) (?:'[^']*'|\\.|[^`'\\])*)`/gs

/**
 * Makes the commands in an error's hint use the caller's account and service. Areas write hints without knowing either; a
 * command that names an account or a service itself is left alone. A scope that is missing gets the command that lists
 * those there are.
 */
export function withWorldHint(error: unknown, globals: World): unknown {
  if (!(error instanceof AppError) || error instanceof Declined) return error
  const world = sameWorld(globals)
  const given =
    error.code === 'insufficient_scope'
      ? (error.hint ?? `\`dray whoami${world}\` lists the scopes of this account.`)
      : error.hint
  if (given === undefined) return error
  const hint = given.replace(COMMAND, (whole, command: string) =>
    / --(?:as|profile|store|base-url)[ =]/.test(command) ? whole : `\`${command}${world}\``,
  )
  if (hint === error.hint) return error
  return new AppError(error.code, error.message, {
    hint,
    errors: error.errors,
    extra: error.extra,
    cause: error.cause,
  })
}
