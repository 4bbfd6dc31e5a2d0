import { expect, test } from 'vitest'
import { changeWords, type MenuChange } from '../../src/web/kitchen/change-words.ts'
import { gbp } from '../support/money.ts'

const SHUT = { available: false, until: null, reason: null }
const OPEN = { available: true, until: null, reason: null }

test.each<[string, Pick<MenuChange, 'change' | 'replaced' | 'values'>]>([
  ['created', { change: 'created', replaced: null, values: { price: gbp(340) } }],
  ['deleted', { change: 'deleted', replaced: {}, values: {} }],
  [
    'price £3.40 → £3.60, description',
    {
      change: 'updated',
      replaced: { price: gbp(340), description: null },
      values: { price: gbp(360), description: 'Hot' },
    },
  ],
  ['name, before Pho', { change: 'updated', replaced: { name: 'Pho' }, values: { name: 'Big Pho' } }],
  [
    'unavailable',
    { change: 'availability_changed', replaced: { availability: OPEN }, values: { availability: SHUT } },
  ],
  ['modifiers', { change: 'updated', replaced: { modifier_groups: [] }, values: { modifier_groups: [] } }],
])('a change of the menu reads: %s', (words, change) => {
  expect(changeWords(change)).toBe(words)
})
