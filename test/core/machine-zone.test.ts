import { expect, test } from 'vitest'
import { toZone } from '../../src/core/machine-zone.ts'

test.each([
  ['Europe/London', 'Europe/London'],
  [':Europe/London', 'Europe/London'],
  ['posix/Europe/London', 'Europe/London'],
  ['right/Europe/London', 'Europe/London'],
  ['/usr/share/zoneinfo/Asia/Tokyo', 'Asia/Tokyo'],
  ['CET-1CEST', 'Europe/Paris'],
  ['CET-1CEST,M3.5.0,M10.5.0/3', 'Europe/Paris'],
  ['CET-1CEST,M3.5.0/2,M10.5.0/03:00:00', 'Europe/Paris'],
  ['GMT0BST', 'Europe/London'],
  ['EST5EDT', 'America/New_York'],
  ['<+1030>-10:30', undefined],
  ['JST-9', 'Etc/GMT-9'],
  ['GMT+5', 'Etc/GMT+5'],
  ['<-03>3', 'Etc/GMT+3'],
  ['IST-5:30', 'Asia/Kolkata'],
  ['UTC0', 'UTC'],
  ['', 'UTC'],
  // another day of change than the zone of these names has
  ['CET-1CEST,M4.5.0,M10.5.0', undefined],
  ['Europe/Londn', undefined],
  ['UTC+24', undefined],
])('TZ=%s is %s', (tz, zone) => {
  expect(toZone(tz)).toBe(zone)
})

test('a fixed offset counts to the west, as POSIX says', () => {
  const at = Temporal.Instant.from('2026-11-20T12:00:00Z')
  expect(at.toZonedDateTimeISO(toZone('GMT+5') ?? '').offset).toBe('-05:00')
  expect(at.toZonedDateTimeISO(toZone('JST-9') ?? '').offset).toBe('+09:00')
})
