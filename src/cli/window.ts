/** `--window FROM/TO`: two times. */
import { AppError } from '../core/errors.ts'
import type { CommandContext } from './cli.ts'
import { readMoment, fetchServiceTime } from './moment.ts'

/** Parses a window into milliseconds; null for an open side. Throws AppError('usage'). */
export async function readWindow(
  cli: CommandContext,
  typed: string,
): Promise<{ from: number | null; to: number | null; now: number }> {
  const now = await fetchServiceTime(await cli.client())
  const [from = '', to, more] = typed.split('/').map((side) => side.trim())
  if (to === undefined || more !== undefined || from + to === '')
    throw new AppError(
      'usage',
      '--window must be two times with a / between them, "tomorrow 09:00/tomorrow 13:00".',
    )
  return { from: await readTime(cli, from, now), to: await readTime(cli, to, now), now }
}

async function readTime(cli: CommandContext, typed: string, now: number): Promise<number | null> {
  if (typed === '') return null
  const ms = await readMoment(cli, typed, { now: async () => now })
  if (ms !== undefined) return ms
  throw new AppError(
    'usage',
    `--window needs times such as "tomorrow 09:00", 14:00 or +3h, not ${JSON.stringify(typed.slice(0, 40))}.`,
  )
}
