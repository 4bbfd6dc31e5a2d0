import { expect, test } from 'vitest'
import { findClosestWord } from '../../src/core/nearest.ts'

test.each([
  ['stauts', 'status'],
  ['exit-code', 'exit-codes'],
  ['trakc', 'track'],
  ['upload', 'upload'],
])('%s most likely means %s', (typed, meant) => {
  expect(findClosestWord(typed, ['start', 'status', 'track', 'upload', 'exit-codes'])).toBe(meant)
})

test('a word that is unlike all means none', () => {
  expect(findClosestWord('refund', ['start', 'status', 'track'])).toBeUndefined()
})
