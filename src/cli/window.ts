/** `--window FROM/TO`: two times by the user's clock. */
import { parseWhen } from '../domain/time.ts'
import { AppError } from '../errors.ts'
import type { Cli } from './cli.ts'

/** In milliseconds; null for a side that was left open. Throws AppError('usage'). */
export async function readWindow(
  cli: Cli,
  typed: string,
): Promise<{ from: number | null; to: number | null; now: number }> {
  const { now } = await (await cli.client()).serviceTime()
  const [from = '', to, more] = typed.split('/').map((side) => side.trim())
  if (to === undefined || more !== undefined || from + to === '')
    throw new AppError(
      'usage',
      '--window must be two times with a / between them, "tomorrow 09:00/tomorrow 13:00".',
    )
  return { from: readTime(from, now), to: readTime(to, now), now }
}

function readTime(typed: string, now: number): number | null {
  if (typed === '') return null
  const ms = parseWhen(typed, now, Temporal.Now.timeZoneId())
  if (ms !== undefined) return ms
  throw new AppError(
    'usage',
    `--window must be of times such as "tomorrow 09:00", 14:00 or +3h, not ${JSON.stringify(typed.slice(0, 40))}.`,
  )
}
