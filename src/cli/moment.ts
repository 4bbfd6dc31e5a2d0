/** Parses times as people type them, in the same way and time zone for every command. */
import type { Client } from '../client/client.ts'
import { AppError } from '../core/errors.ts'
import { MARKET_TIMEZONE } from '../core/market.ts'
import { findClockChange, formatLocalDateTime, parseWhen, toTimestamp } from '../core/time.ts'
import type { CommandContext } from './cli.ts'

type MomentOptions = {
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

/** Returns whether the text is a time, at whatever hour it is now. */
export function isMoment(typed: string): boolean {
  return parseWhen(typed, ANY_TIME, MARKET_TIMEZONE) !== undefined
}

/**
 * Parses `tomorrow 09:00`, `14:00`, `2026-11-21`, `+2h` or RFC 3339 into milliseconds; undefined for other text.
 * Where the zone matters, a notice on stderr shows it. Throws AppError('usage') for a time that the clocks skip.
 */
export async function readMoment(
  cli: CommandContext,
  typed: string,
  reading: MomentOptions = {},
): Promise<number | undefined> {
  const { zone = MARKET_TIMEZONE, now = async () => fetchServiceTime(await cli.client()) } = reading
  // Invalid text is reported without a request for the service's time.
  if (!isMoment(typed)) return undefined
  const at = DATED.test(typed) ? 0 : await now()
  const ms = parseWhen(typed, at, zone)
  if (ms === undefined || ZONELESS.test(typed)) return ms
  const said = typed.trim()
  const change = findClockChange(typed, at, zone)
  if (change?.kind === 'skipped')
    throw new AppError('usage', `"${said}" does not exist in ${zone}: the clocks go forward at that time.`, {
      hint: `Choose another time, such as "${formatLocalDateTime(change.later, zone)}".`,
    })
  const twice =
    change === undefined
      ? ''
      : ` This time occurs twice because the clocks go back; this is the first. The second is ${toTimestamp(change.later)}.`
  await cli.say(`"${said}" is ${formatLocalDateTime(ms, zone)} in ${zone}.${twice}`)
  return ms
}

/** Parses the time of a flag. Throws AppError('usage') with examples. */
export async function requireMoment(
  cli: CommandContext,
  typed: string,
  { flag, examples, ...reading }: MomentOptions & { flag: string; examples: string },
): Promise<number> {
  const ms = await readMoment(cli, typed, reading)
  if (ms !== undefined) return ms
  throw new AppError(
    'usage',
    `${flag} must be a time such as ${examples}, not ${JSON.stringify(typed.slice(0, 40))}.`,
  )
}

export async function fetchServiceTime(client: Client): Promise<number> {
  return (await client.serviceTime()).now
}
