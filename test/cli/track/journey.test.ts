import { expect, test } from 'vitest'
import { listTrackingChanges, etaText, renderTracking } from '../../../src/cli/track/journey.ts'
import type { ResourceView } from '../../../src/core/presenter.ts'
import { makeRenderOptions } from '../../support/screens.ts'

const RENDER_OPTIONS = makeRenderOptions(80)
const NOW = Date.parse('2026-11-20T12:05:00Z')

const JOURNEY: ResourceView = {
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
  upcoming: [{ status: 'completed', words: 'Arrived', due: null }],
  workerField: { member: 'driver', role: 'Driver' },
  worker: { name: 'Amara', vehicle: 'grey Toyota Prius' },
  arrival: { words: 'Arrives about', at: '2026-11-20T12:10:00.000Z', since: '2026-11-20T12:00:00.000Z' },
  routeMap: null,
  proof: null,
  notes: ['PIN 4711'],
  openCommand: null,
}

test('shows how much of the leg is done beside when it ends', () => {
  expect(renderTracking(JOURNEY, NOW, RENDER_OPTIONS)).toContain(
    '━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌ Arrives about 12:10, in 5 minutes',
  )
  const late = renderTracking(JOURNEY, NOW + 3_600_000, RENDER_OPTIONS)
  expect(late).toContain(`${'━'.repeat(24)} Arrives about 12:10, any moment`)
})

test('draws no bar for screen readers', () => {
  const screen = renderTracking(JOURNEY, NOW, { ...RENDER_OPTIONS, accessible: true })
  expect(screen).not.toMatch(/[━╌]/)
  expect(screen).toContain('Arrives about 12:10, in 5 minutes')
})

test('counts minutes down', () => {
  const eta = { words: 'Arrives about', at: '2026-11-20T12:10:00.000Z' }
  expect([0, 4, 10].map((minutes) => etaText(eta, NOW + minutes * 60_000, RENDER_OPTIONS))).toEqual([
    'Arrives about 12:10, in 5 minutes',
    'Arrives about 12:10, in 1 minute',
    'Arrives about 12:10, any moment',
  ])
})

test('the person who was sent is not reported after the end', () => {
  expect(listTrackingChanges(JOURNEY, 0, null, 'now').at(-1)).toMatchObject({
    who: 'Amara, grey Toyota Prius',
  })
  expect(listTrackingChanges({ ...JOURNEY, isFinal: true }, 0, null, 'now').map(({ who }) => who)).toEqual(
    JOURNEY.history.map(() => null),
  )
})

test.each([24, 20, 14])('fits a terminal of %i rows, with a smaller map or none', (height) => {
  const point = { latitude: 51.5, longitude: -0.1 }
  const places = [
    { point: { latitude: 51.53, longitude: -0.12 }, mark: 'P', label: 'Kings Cross' },
    { point: { latitude: 51.48, longitude: -0.09 }, mark: 'D', label: 'Bank' },
  ]
  const drawn = renderTracking(
    {
      ...JOURNEY,
      routeMap: {
        places,
        mover: { point, bearing: null, label: 'Amara', to: 'D' },
        shared: null,
      },
    },
    NOW,
    {
      ...RENDER_OPTIONS,
      height,
    },
  )
  // The cursor is on the line below.
  expect(drawn.split('\n').length).toBeLessThan(height)
  expect(drawn).toContain('P Kings Cross   D Bank')
  expect(drawn.includes('┌')).toBe(height > 14)
})
