/** One finding of `dray doctor`. */
import { commandLine } from '../../cli/output/shell.ts'
import { AppError, EXIT, type ExitName } from '../../core/errors.ts'

export type Check = {
  /** The thing that was looked at. */
  check: string
  status: 'ok' | 'warning' | 'wrong' | 'skipped'
  detail: string
  /** A command, or a sentence where no command fixes it. */
  fix: string | null
  /** The exit code where it is wrong; null otherwise. */
  exit_code: number | null
}

export function okCheck(check: string, detail: string): Check {
  return { check, status: 'ok', detail, fix: null, exit_code: null }
}

export function warningCheck(check: string, detail: string, fix?: string): Check {
  return { check, status: 'warning', detail, fix: fix ?? null, exit_code: null }
}

export function failedCheck(check: string, detail: string, fix: string | undefined, exit: ExitName): Check {
  return { check, status: 'wrong', detail, fix: fix ?? null, exit_code: EXIT[exit] }
}

export function skippedCheck(check: string, detail: string): Check {
  return { check, status: 'skipped', detail, fix: null, exit_code: null }
}

/** Returns an error as a finding. Rethrows a bug. */
export function toFailedCheck(check: string, error: unknown, fix?: string): Check {
  if (!(error instanceof AppError)) throw error
  const { message, hint, entry } = error
  return failedCheck(check, message.replace(/\.$/, ''), fix ?? commandIn(hint) ?? hint, entry.exit)
}

/** Returns the command that takes back the variable whose value an error refuses; undefined for another error. */
export function unsetRefused(error: unknown): string | undefined {
  const variable = error instanceof AppError ? /^DRAY_[A-Z_]+(?= must )/.exec(error.message)?.[0] : undefined
  return variable === undefined ? undefined : `unset ${variable}`
}

/** Returns the command that a hint names; undefined for a hint without one. */
function commandIn(hint: string | undefined): string | undefined {
  return /^Run `(dray [^`]+)`/.exec(hint ?? '')?.[1]
}

/** Returns a command for a shell, with its words quoted where needed. */
export function formatShellCommand(...words: string[]): string {
  return commandLine(words)
}

export function bytesText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}
