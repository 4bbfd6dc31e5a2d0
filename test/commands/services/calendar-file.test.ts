/** A booking as a file for calendars. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newKey } from '../../support/food.ts'
import { bookJob, timestampAt } from '../../support/services.ts'
import { makeTempFolder } from '../../support/stores.ts'
import { runIn } from '../../support/world-client.ts'
import { openTestSandbox } from '../../support/world.ts'

const TUESDAY = '2026-11-24'
const START = timestampAt('10:00', TUESDAY)

test('the file of a booking says when, where, for how much and on what terms, and a move replaces it', async () => {
  const world = await openTestSandbox()
  const { booking_id } = await bookJob(world, { starts_at: START })
  const file = join(await makeTempFolder(), 'visit.ics')
  const write = async () => {
    await runIn(world, `services show ${booking_id} --ics ${file}`)
    return readFileSync(file, 'utf8').replaceAll('\r\n ', '')
  }
  const first = await write()
  expect(first).toContain('SUMMARY:Regular clean\\, Bright Corner Cleaning\r\n')
  expect(first).toContain('LOCATION:Home\r\n')
  expect(first).toContain(
    `DESCRIPTION:Booking ${booking_id}\\, £36.00.\\nYou can cancel free or move the start`,
  )
  expect(first).toContain('SEQUENCE:0\r\nDTSTART:20261124T100000Z\r\nDTEND:20261124T120000Z\r\n')
  // The same booking gives the same bytes, and its own file is replaced without --force.
  expect(await write()).toBe(first)
  await world.ok('move_booking', { booking_id, starts_at: timestampAt('14:00', TUESDAY) }, { key: newKey() })
  const moved = await write()
  expect(moved).toContain('SEQUENCE:1\r\nDTSTART:20261124T140000Z\r\n')
  expect(/UID:.*/.exec(moved)?.[0]).toBe(/UID:.*/.exec(first)?.[0])
  await world.ok('cancel_booking', { booking_id }, { key: newKey() })
  expect(await write()).toMatch(/SEQUENCE:2\r\n[^]*STATUS:CANCELLED\r\n/)
})

test('a foreign file stays, another ending is rejected, and a request has no time to write', async () => {
  const world = await openTestSandbox()
  const { booking_id } = await bookJob(world, { starts_at: START })
  const folder = await makeTempFolder()
  const own = join(folder, 'own.ics')
  writeFileSync(own, 'BEGIN:VCALENDAR\r\nPRODID:another\r\n')
  expect(await runIn(world, `services show ${booking_id} --ics ${own}`, 2)).toContain('--force')
  expect(readFileSync(own, 'utf8')).toContain('another')
  await runIn(world, `services show ${booking_id} --ics ${own} --force`)
  expect(readFileSync(own, 'utf8')).toContain('VEVENT')
  expect(await runIn(world, `services show ${booking_id} --ics ${join(folder, 'visit.txt')}`, 2)).toContain(
    'does not end with .ics',
  )
  const request = await bookJob(world)
  const none = join(folder, 'none.ics')
  expect(await runIn(world, `services show ${request.booking_id} --ics ${none}`, 2)).toContain(
    'has no start yet',
  )
  expect(existsSync(none)).toBe(false)
})
