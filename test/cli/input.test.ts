import { describe, expect, test } from 'vitest'
import { type InputWorld, readValue } from '../../src/cli/input.ts'

const WORLD: InputWorld = {
  now: async () => Date.parse('2026-11-20T09:00:00Z'),
  timezone: () => 'Europe/London',
  currency: 'GBP',
}

describe('a point', () => {
  test.each([
    ['51.5014,-0.1406', { latitude: 51.5014, longitude: -0.1406 }],
    [' 51 , 0 ', { latitude: 51, longitude: 0 }],
    ['kings-cross', { latitude: 51.5308, longitude: -0.1238 }],
    ['King’s Cross', { latitude: 51.5308, longitude: -0.1238 }],
    ['Bank', { latitude: 51.5133, longitude: -0.0886 }],
  ])('is read from %s', async (text, point) => {
    expect(await readValue('point', text, WORLD)).toEqual({ value: point })
  })

  test.each(['51.5014', '51.5014;-0.1406', '', 'north of the river', 'toString'])(
    'is not read from "%s"',
    async (text) => {
      const read = await readValue('point', text, WORLD)
      expect(read).toEqual({
        problem: `must be latitude,longitude such as 51.5014,-0.1406 or a place such as kings-cross, not "${text}"`,
      })
    },
  )

  test('that is a misspelt place comes with the place that is meant', async () => {
    expect(await readValue('point', 'Shorditch', WORLD)).toMatchObject({
      problem: expect.stringMatching(/not "Shorditch" \(did you mean shoreditch\?\)$/) as string,
    })
  })
})
