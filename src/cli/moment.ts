/** Parses times as people type them, in the same way and time zone for every command. */
import { AppError } from '../core/errors.ts'
import { MARKET_TIMEZONE } from '../core/market.ts'
import { localDate, localTime, parseWhen } from '../core/time.ts'
import type { Cli } from './cli.ts'

type Reading = {
  /** The time zone of the store or the person; the market's by default. */
  zone?: string
  /** Returns the service's time; called only when the typed time depends on it. */
  now?: () => Promise<number>
}

/** A date, which is independent of any clock, or an instant with its offset. */
const DATED = /^\s*\d{4}-/
/** Any time will do to check the syntax: with this one, no relative time is before 1970. */
const ANY_TIME = 1_800_000_000_000
/** An instant with its offset, a span from now, and `now`: they are the same in every zone. */
const ZONELESS = /^\s*(?:[+-]|now\s*$|\d{4}-.*(?:z|[+-]\d\d:\d\d)\s*$)/i

/**
 * Parses `tomorrow 09:00`, `14:00`, `2026-11-21`, `+2h` or RFC 3339 into milliseconds; undefined for other text.
 * Where the zone matters, a notice on stderr shows it.
 */
export async function readMoment(
  cli: Cli,
  typed: string,
  reading: Reading = {},
): Promise<number | undefined> {
  const { zone = MARKET_TIMEZONE, now = () => serviceNow(cli) } = reading
  // Invalid text is reported without a request for the service's time.
  if (parseWhen(typed, ANY_TIME, zone) === undefined) return undefined
  const ms = parseWhen(typed, DATED.test(typed) ? 0 : await now(), zone)
  if (ms !== undefined && !ZONELESS.test(typed))
    await cli.say(`"${typed.trim()}" is ${localDate(ms, zone)} ${localTime(ms, zone)} in ${zone}.`)
  return ms
}

/** Parses the time of a flag. Throws AppError('usage') with examples. */
export async function requireMoment(
  cli: Cli,
  typed: string,
  { flag, examples, ...reading }: Reading & { flag: string; examples: string },
): Promise<number> {
  const ms = await readMoment(cli, typed, reading)
  if (ms !== undefined) return ms
  throw new AppError(
    'usage',
    `${flag} must be a time such as ${examples}, not ${JSON.stringify(typed.slice(0, 40))}.`,
  )
}

export async function serviceNow(cli: Cli): Promise<number> {
  return (await (await cli.client()).serviceTime()).now
}
