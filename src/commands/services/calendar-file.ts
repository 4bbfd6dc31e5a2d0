/** A booking as a file for calendars. */
import { extname } from 'node:path'
import { bookingPresenter } from '../../areas/services/presenter.ts'
import type { CommandContext } from '../../cli/cli.ts'
import type { Flag } from '../../cli/command.ts'
import { assertOutputPath, type WriteTarget, writeOutputFile } from '../../cli/files/write.ts'
import type { OperationOutput } from '../../client/operations.ts'
import { AppError } from '../../core/errors.ts'
import { CALENDAR_START, formatCalendar } from '../../core/icalendar.ts'

export const ICS_FLAG = {
  flag: 'ics',
  kind: 'text',
  value: 'FILE',
  fileAccess: 'write',
  description: 'also write it for a calendar: a file named .ics',
} as const satisfies Flag

const CALENDAR_FILE = { name: 'calendar', isOurs: (start: string) => start.startsWith(CALENDAR_START) }

/** Reads the flags before anything is sent. Throws AppError('usage' | 'file_error'). */
export function readCalendarOutput({
  ics: path,
  force = false,
}: {
  ics?: string | undefined
  force?: boolean | undefined
}): WriteTarget | undefined {
  if (path === undefined) return undefined
  if (!/^\.ics$/i.test(extname(path)))
    throw new AppError('usage', `--ics ${path} does not end with .ics.`, {
      hint: 'Calendars open files with this ending, such as --ics visit.ics.',
    })
  const target = { path, file: CALENDAR_FILE, force }
  assertOutputPath(target)
  return target
}

/** Writes the file. Throws AppError('usage') for a booking without a start. */
export async function writeCalendar(
  cli: CommandContext,
  booking: OperationOutput<'get_service_booking'>,
  target: WriteTarget,
): Promise<void> {
  const visit = bookingPresenter.calendar(booking)
  if (visit === null)
    throw new AppError('usage', `Booking ${booking.booking_id} has no start yet: no calendar can show it.`, {
      hint: '`dray services track` waits for the provider to confirm one.',
    })
  await writeOutputFile(target, cli.runtime.pid, formatCalendar(visit.entry, visit.details))
  await cli.say(`Wrote ${target.path}.`)
}
