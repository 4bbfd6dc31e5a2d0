/** Calendar files as RFC 5545 wants them. */
import { expect, test } from 'vitest'
import { sha256Hex } from '../../src/core/hash.ts'
import { type CalendarEntry, formatCalendar } from '../../src/core/icalendar.ts'

const VISIT: CalendarEntry = {
  id: 'bkg_1',
  sequence: 0,
  updated_at: '2026-11-20T09:00:00.250Z',
  starts_at: '2026-11-21T10:00:00.000Z',
  ends_at: '2026-11-21T12:00:00+01:00',
  status: 'CONFIRMED',
  summary: 'Regular clean',
}

test('an entry has its times in UTC, and each line ends with CRLF', () => {
  expect(formatCalendar(VISIT).split('\r\n')).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//dray//dray//EN',
    'BEGIN:VEVENT',
    `UID:${sha256Hex('bkg_1').slice(0, 32)}@dray`,
    'DTSTAMP:20261120T090000Z',
    'SEQUENCE:0',
    'DTSTART:20261121T100000Z',
    'DTEND:20261121T110000Z',
    'STATUS:CONFIRMED',
    'SUMMARY:Regular clean',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})

test.each([
  ['Ana; Ravi, and \\ so on', String.raw`Ana\; Ravi\, and \\ so on`],
  ['two\nlines\r\nor three', String.raw`two\nlines\nor three`],
  ['a bell\u0007 and a tab\t.', 'a bell  and a tab .'],
])('%j is escaped', (summary, escaped) => {
  expect(formatCalendar({ ...VISIT, summary })).toContain(`\r\nSUMMARY:${escaped}\r\n`)
})

/** Undoes what the format does to a text. */
const unfold = (file: string, name: string): string | undefined =>
  file
    .replaceAll('\r\n ', '')
    .split('\r\n')
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1)

test.each(['a'.repeat(400), 'é'.repeat(200), '🧽'.repeat(100), `${'a'.repeat(66)}🧽🧽`])(
  'a long line is folded at 75 octets, and never within a character',
  (summary) => {
    const file = formatCalendar({ ...VISIT, summary })
    const lines = file.split('\r\n').map((line) => Buffer.byteLength(line))
    expect(Math.max(...lines)).toBeLessThanOrEqual(75)
    expect(file).not.toContain('\uFFFD')
    expect(unfold(file, 'SUMMARY')).toBe(summary)
  },
)

test('a line of 75 octets is not folded', () => {
  const summary = 'a'.repeat(75 - 'SUMMARY:'.length)
  expect(formatCalendar({ ...VISIT, summary })).toContain(`SUMMARY:${summary}\r\n`)
})
