import { expect, test } from 'vitest'
import { nearest } from '../../src/core/nearest.ts'

test.each([
  ['stauts', 'status'],
  ['exit-code', 'exit-codes'],
  ['trakc', 'track'],
  ['upload', 'upload'],
])('%s most likely means %s', (typed, meant) => {
  expect(nearest(typed, ['start', 'status', 'track', 'upload', 'exit-codes'])).toBe(meant)
})

test('a word that is unlike all means none', () => {
  expect(nearest('refund', ['start', 'status', 'track'])).toBeUndefined()
})
