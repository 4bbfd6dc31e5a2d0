import { AppError } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { type Args, text } from '../command.ts'
import { lastCreated } from '../recent.ts'

/** The delivery that is meant: the last one that was asked for from here without an id. Throws AppError('usage'). */
export function deliveryOf(cli: Cli, args: Args): string {
  const id = text(args, 'delivery_id') ?? lastCreated(cli, 'request_delivery')?.id
  if (id !== undefined) return id
  throw new AppError('usage', 'Which delivery? None was asked for from here yet.', {
    hint: '`dray delivery request` sends a courier; `dray food show` names the delivery of an order.',
  })
}
