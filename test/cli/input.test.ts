import { describe, expect, test } from 'vitest'
import { type InputWorld, parseFlagValue } from '../../src/cli/input.ts'
import { parseModifierGroups } from '../../src/commands/business/menu/modifiers.ts'

const WORLD: InputWorld = {
  moment: async () => undefined,
  currency: 'GBP',
  modifiers: async (typed, currency) => parseModifierGroups(typed, currency),
}

describe('yes or no', () => {
  test.each([
    ['yes', true],
    ['True', true],
    ['1', true],
    ['no', false],
    ['n', false],
  ])('%s', async (text, value) => {
    expect(await parseFlagValue('boolean', text, WORLD)).toEqual({ value })
  })

  test('is not maybe', async () => {
    expect(await parseFlagValue('boolean', 'maybe', WORLD)).toEqual({
      problem: 'must be yes or no, not "maybe"',
    })
  })
})

test.each([
  ['30m', { value: 30 }],
  ['1h30m', { value: 90 }],
  ['45', { value: 45 }],
  ['off', { value: 0 }],
  ['90s', { problem: 'must be a length such as 30m or 1h, not "90s"' }],
  ['soon', { problem: 'must be a length such as 30m or 1h, not "soon"' }],
])('minutes are read from %s', async (text, read) => {
  expect(await parseFlagValue('minutes', text, WORLD)).toEqual(read)
})

describe('modifier groups', () => {
  const size = { name: 'Size', min_selections: 1, max_selections: 1 }

  test('are read as a menu file writes them', async () => {
    expect(await parseFlagValue('modifiers', 'Size[1-1]: *Cup | Pot=1.80', WORLD)).toEqual({
      value: [
        {
          ...size,
          modifiers: [
            { name: 'Cup', is_default: true },
            { name: 'Pot', price_delta: { amount: 180, currency: 'GBP' } },
          ],
        },
      ],
    })
  })

  test('are read as JSON', async () => {
    const groups = [{ ...size, allow_repeats: true, modifiers: [{ name: 'Cup' }] }]
    expect(await parseFlagValue('modifiers', ` ${JSON.stringify(groups)}`, WORLD)).toEqual({ value: groups })
    expect(await parseFlagValue('modifiers', '[{', WORLD)).toEqual({ problem: 'must be JSON, not "[{"' })
  })

  test('that are invalid get an error with the syntax', async () => {
    const read = await parseFlagValue('modifiers', 'Cup or Pot', WORLD)
    expect(read).toEqual({ problem: expect.stringContaining('write Size[1-1]: ') })
  })
})

describe('a place', () => {
  test('is a point, a name or a postcode', async () => {
    for (const typed of ['51.5142,-0.0931', 'kings-cross', 'EC2A 1AN']) {
      expect(await parseFlagValue('point', typed, WORLD)).toHaveProperty('value.latitude')
    }
  })

  test('that is misspelt gets a suggestion', async () => {
    expect(await parseFlagValue('point', 'kings-cros', WORLD)).toEqual({
      problem: expect.stringMatching(/not "kings-cros" \(did you mean kings-cross\?\)$/),
    })
  })
})

describe('a day of a store', () => {
  const night: InputWorld = {
    ...WORLD,
    moment: async (text) => (text === 'now' ? Date.parse('2026-11-21T02:00:00Z') : undefined),
  }

  test.each([
    ['today', '2026-11-20'],
    ['Yesterday', '2026-11-19'],
    ['2026-11-21', '2026-11-21'],
  ])('%s means the business day at two o’clock at night', async (text, value) => {
    expect(await parseFlagValue('store_when', text, night)).toEqual({ value })
  })

  test('and a time of day is taken as it is', async () => {
    const typed = { ...WORLD, moment: async () => Date.parse('2026-11-20T12:00:00Z') }
    expect(await parseFlagValue('store_when', '2026-11-20 12:00', typed)).toEqual({
      value: '2026-11-20T12:00:00.000Z',
    })
  })
})
