import { expect, test } from 'vitest'
import {
  cutAt,
  splitUnescaped,
  withEscapes,
  withoutEscapes,
} from '../../../../src/commands/business/menu/escapes.ts'
import { fc } from '../../../support/properties.ts'

const { assert, array, property, string } = fc

test('a backslash takes the meaning from the separator behind it, and from itself', () => {
  expect(splitUnescaped(String.raw`a\|b|c\\|d`, '|')).toEqual([String.raw`a\|b`, String.raw`c\\`, 'd'])
  expect(cutAt(String.raw`a\=b=c=d`, '=')).toEqual([String.raw`a\=b`, 'c=d'])
  expect(cutAt('none', '=')).toBeUndefined()
})

test('a backslash at the end stands for itself', () => {
  expect(splitUnescaped('a|b\\', '|').map(withoutEscapes)).toEqual(['a', 'b\\'])
})

test('whatever texts are escaped and joined come apart as they were', () => {
  assert(
    property(array(string({ unit: 'grapheme' }), { minLength: 1 }), (texts) => {
      const joined = texts.map((text) => withEscapes(text, /[|;\\]/g)).join('|')
      expect(splitUnescaped(joined, '|;').map(withoutEscapes)).toEqual(texts)
    }),
  )
})
