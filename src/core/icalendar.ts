/** Calendar files (iCalendar, RFC 5545) with one entry. Pure. */
import { sha256Hex } from './hash.ts'

/** A visit as a calendar shows it to whoever may see it. Times in RFC 3339. */
export type CalendarEntry = {
  /** The id of what it is about. The file has its hash, which is the same in every version and names nothing. */
  id: string
  /** The number of the version; it grows with each change that a calendar shows. */
  sequence: number
  updated_at: string
  starts_at: string
  ends_at: string
  status: 'TENTATIVE' | 'CONFIRMED' | 'CANCELLED'
  summary: string
}

/** The details that only its owner sees. */
export type CalendarDetails = { location: string; description: string }

/** The first lines of every file, by which the program knows its own. */
export const CALENDAR_START = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//dray//dray//EN\r\n'

export const CALENDAR_MEDIA_TYPE = 'text/calendar; charset=utf-8'

/**
 * Returns the file of an entry: lines of at most 75 octets that end with CRLF. Without a METHOD its DTSTAMP is the last change, so
 * that the same version always gives the same bytes.
 */
export function formatCalendar(entry: CalendarEntry, details?: CalendarDetails): string {
  const { id, sequence, updated_at, starts_at, ends_at, status, summary } = entry
  const lines = [
    'BEGIN:VEVENT',
    `UID:${sha256Hex(id).slice(0, 32)}@dray`,
    `DTSTAMP:${toCalendarTime(updated_at)}`,
    `SEQUENCE:${sequence}`,
    `DTSTART:${toCalendarTime(starts_at)}`,
    `DTEND:${toCalendarTime(ends_at)}`,
    `STATUS:${status}`,
    `SUMMARY:${escapeText(summary)}`,
    ...(details === undefined
      ? []
      : [`LOCATION:${escapeText(details.location)}`, `DESCRIPTION:${escapeText(details.description)}`]),
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return CALENDAR_START + lines.map((line) => `${foldLine(line)}\r\n`).join('')
}

/** Formats an instant in UTC, in whole seconds: `20261121T090000Z`. */
function toCalendarTime(timestamp: string): string {
  return new Date(timestamp).toISOString().replaceAll(/[-:]|\.\d+/g, '')
}

/** Escapes a TEXT value. Other control characters than line breaks are in no content line. */
function escapeText(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n?|\n/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, ' ')
}

const MAX_LINE_OCTETS = 75
const encoder = new TextEncoder()

/** Folds a content line between two characters: the lines after the first begin with a space, which counts. */
function foldLine(line: string): string {
  let folded = ''
  let octets = 0
  for (const character of line) {
    const { length } = encoder.encode(character)
    if (octets + length > MAX_LINE_OCTETS) {
      folded += '\r\n '
      octets = 1
    }
    folded += character
    octets += length
  }
  return folded
}
