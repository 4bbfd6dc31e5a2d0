import { expect, test } from 'vitest'
import { foldForSearch } from '../../src/core/fold.ts'
import { fc } from '../support/properties.ts'

test.each([
  ['Crème Brûlée', 'creme brulee'],
  ['PHỞ BÒ', 'pho bo'],
  ['Jalapeño', 'jalapeno'],
  ['Smørrebrød', 'smorrebrod'],
  ['Weißbier', 'weissbier'],
  ['WEIẞBIER', 'weissbier'],
  ['  Pad \t Thai ', 'pad thai'],
  ['Ｐａｄ Ｔｈａｉ', 'pad thai'],
  ['Shepherd’s pie', "shepherd's pie"],
  ['İstanbul', 'istanbul'],
  ['\u200bPad\u2060 Th\u00adai\ufeff', 'pad thai'],
  ['Pad\u2800Thai', 'pad thai'],
  ['Tofu\u2011Curry', 'tofu-curry'],
  ['ΓΎΡΟΣ', 'γυροσ'],
])('%s is found as %s', (text, folded) => {
  expect(foldForSearch(text)).toBe(folded)
})

test('words that differ only in marks stay different', () => {
  expect(foldForSearch('ข้าว')).not.toBe(foldForSearch('ขาว'))
  expect(foldForSearch('が')).not.toBe(foldForSearch('か'))
})

test('capitals, the way a letter is composed and folding again change nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(foldForSearch(foldForSearch(text))).toBe(foldForSearch(text))
      expect(foldForSearch(text.normalize('NFD'))).toBe(foldForSearch(text.normalize('NFC')))
    }),
    { numRuns: 1000 },
  )
})
