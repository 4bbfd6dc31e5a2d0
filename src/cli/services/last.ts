import { AppError } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { type Args, text } from '../command.ts'
import { lastCreated } from '../recent.ts'

/** The booking that is meant: the last one that was made from here without an id. Throws AppError('usage'). */
export function bookingOf(cli: Cli, args: Args): string {
  const id = text(args, 'booking_id') ?? lastCreated(cli, 'book_service')?.id
  if (id !== undefined) return id
  throw new AppError('usage', 'Which booking? None was made from here yet.', {
    hint: '`dray services book` books somebody; `dray recent` lists what was booked from here.',
  })
}
