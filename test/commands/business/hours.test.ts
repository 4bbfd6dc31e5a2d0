/** Opening hours as people type them at `dray business hours`. */
import { expect, test } from 'vitest'
import { readTimes, readWeek } from '../../../src/commands/business/hours/times.ts'

const OPEN = { opens: '11:00', closes: '23:00' }

test.each([
  [['daily', '11-23'], 'mon tue wed thu fri sat sun'],
  [['Mon-Fri 11-23', 'sat', 'closed', 'SUNDAY', 'closed'], 'mon tue wed thu fri'],
  [['fri-mon', '11:00-23:00', 'tue,wed,thu', 'closed'], 'mon fri sat sun'],
])('%j', (typed, days) => {
  expect(readWeek(typed)).toEqual(days.split(' ').map((day) => ({ day, ...OPEN })))
})

test('a day has several periods, up to midnight or past it', () => {
  expect(readTimes(['0-24', '7:30-9:15,18-02'])).toEqual([
    { opens: '00:00', closes: '00:00' },
    { opens: '07:30', closes: '09:15' },
    { opens: '18:00', closes: '02:00' },
  ])
  expect(readTimes(['closed'])).toEqual([])
})

test.each([
  [['mon-fri', '11-23'], 'Each day needs its hours. Missing: sat, sun.'],
  [['daily', '11-23', 'sun', 'closed'], 'sun is given twice.'],
  [['daily'], '"daily" must be days with their hours, such as mon-fri 11-23.'],
  [['11-23'], '"11-23" must be days such as mon-fri, sat or daily.'],
  [['weekdays', '11-23'], '"weekdays" must be days such as mon-fri, sat or daily.'],
  [['daily', '11'], '"11" must be opening hours such as 11:00-15:00, or closed.'],
  [['daily', '24-02'], '"24-02" must be opening hours such as 11:00-15:00, or closed.'],
  [['daily', '11-24:30'], '"11-24:30" must be opening hours such as 11:00-15:00, or closed.'],
  [['daily', '9am-5pm'], '"9am-5pm" must be opening hours such as 11:00-15:00, or closed.'],
  [['daily', 'closed', '11-23'], '"closed" must be opening hours such as 11:00-15:00, or closed.'],
])('%j is refused', (typed, message) => {
  expect(() => readWeek(typed)).toThrow(message)
})
