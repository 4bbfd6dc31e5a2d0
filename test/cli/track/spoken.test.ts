import { expect, test } from 'vitest'
import { NOTHING_SAID, notesToSay, titleLines } from '../../../src/cli/track/spoken.ts'
import type { ResourceView } from '../../../src/core/presenter.ts'
import { makeRenderOptions } from '../../support/screens.ts'

const RENDER_OPTIONS = makeRenderOptions(80, { accessible: true })
const NOW = Date.parse('2026-11-20T12:05:00Z')
const MINUTE = 60_000

const RIDE: ResourceView = {
  id: ['ride_id', 'rid_1'],
  name: 'Ride rid_1',
  title: 'Economy to Bank, £14.97',
  publicTitle: 'Ride',
  state: 'Driver on the way',
  mood: 'moving',
  status: 'accepted',
  isFinal: false,
  history: [
    {
      status: 'accepted',
      at: '2026-11-20T12:00:00.000Z',
      by: 'driver',
      reason: null,
      words: 'Driver assigned',
      why: null,
    },
  ],
  upcoming: [],
  workerField: { member: 'driver', role: 'Driver' },
  worker: { name: 'Amara', vehicle: 'grey Toyota Prius' },
  arrival: { words: 'Arrives about', at: '2026-11-20T12:10:00.000Z', since: '2026-11-20T12:00:00.000Z' },
  routeMap: null,
  proof: null,
  notes: ['PIN 4711: tell it to the driver at the pickup.'],
  openCommand: null,
}

function arriving(at: string): ResourceView {
  return { ...RIDE, arrival: { words: 'Arrives about', at } }
}

test('says what it is, when it arrives and the PIN, each once', () => {
  expect(titleLines(RIDE, NOTHING_SAID)).toEqual(['Economy to Bank, £14.97'])
  const first = notesToSay(RIDE, NOTHING_SAID, NOW, RENDER_OPTIONS)
  expect(first.lines).toEqual([
    'Arrives about 12:10, in 5 minutes',
    'PIN 4711: tell it to the driver at the pickup.',
  ])
  expect(titleLines(RIDE, first.said)).toEqual([])
  expect(notesToSay(RIDE, first.said, NOW + MINUTE, RENDER_OPTIONS).lines).toEqual([])
})

test('says the arrival again when it moves by minutes, not by seconds, and after each change', () => {
  const { said } = notesToSay(RIDE, NOTHING_SAID, NOW, RENDER_OPTIONS)
  expect(notesToSay(arriving('2026-11-20T12:11:00.000Z'), said, NOW, RENDER_OPTIONS).lines).toEqual([])
  const later = notesToSay(arriving('2026-11-20T12:12:00.000Z'), said, NOW, RENDER_OPTIONS)
  expect(later.lines).toEqual(['Arrives about 12:12, in 7 minutes'])
  const changed = { ...RIDE, history: [...RIDE.history, ...RIDE.history] }
  expect(notesToSay(changed, later.said, NOW, RENDER_OPTIONS).lines).toEqual([
    'Arrives about 12:10, in 5 minutes',
  ])
})

test('before anybody is sent it reports when the next states are expected', () => {
  const waiting: ResourceView = {
    ...RIDE,
    arrival: null,
    upcoming: [
      { status: 'arrived', words: 'At the pickup', due: '2026-11-20T14:00:00.000Z' },
      { status: 'in_progress', words: 'Ride started', due: null },
      { status: 'completed', words: 'Arrived', due: '2026-11-20T14:20:00.000Z' },
    ],
  }
  expect(notesToSay(waiting, NOTHING_SAID, NOW, RENDER_OPTIONS).lines[0]).toBe(
    'At the pickup about 14:00, Arrived about 14:20',
  )
  expect(
    notesToSay({ ...waiting, isFinal: true, notes: [] }, NOTHING_SAID, NOW, RENDER_OPTIONS).lines,
  ).toEqual([])
})
