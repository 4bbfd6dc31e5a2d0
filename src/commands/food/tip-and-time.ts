/** The tip and the time of an order, as people type them. */
import type { CommandContext } from '../../cli/cli.ts'
import { requireMoment } from '../../cli/moment.ts'
import { AppError } from '../../core/errors.ts'
import { type Money, parseMoney } from '../../core/money.ts'
import { toTimestamp } from '../../core/time.ts'

/** The tip that was typed. Throws AppError('usage'). */
export function readTip(typed: string, currency: string): Money {
  const money = parseMoney(typed, currency)
  if ('amount' in money) return money
  throw new AppError('usage', `--tip: ${money.detail}`)
}

/** The instant that is meant, by the service's clock. Throws AppError('usage'). */
export async function readTime(cli: CommandContext, typed: string): Promise<string> {
  const asked = { flag: '--for', examples: '19:30, "tomorrow 12:00" or +45m' }
  return toTimestamp(await requireMoment(cli, typed, asked))
}
