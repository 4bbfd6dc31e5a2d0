import { describe, expect, test } from 'vitest'
import { parseModifierGroups, writeGroups } from '../../../../src/commands/business/menu/modifiers.ts'
import { gbp } from '../../../support/money.ts'

const read = (text: string) => parseModifierGroups(text, 'GBP')

function groups(text: string) {
  const reading = read(text)
  if ('fault' in reading) throw new Error(reading.fault.detail)
  return reading.value
}

describe('modifiers in one cell', () => {
  test('are groups with least and most, options, prices and a default', () => {
    expect(groups('Size[1-1]: *Regular=0 | Large=1.50; Extras[0-3]: Cheese=0.80 | Bacon=1.20')).toEqual([
      {
        name: 'Size',
        min_selections: 1,
        max_selections: 1,
        modifiers: [
          { name: 'Regular', price_delta: gbp(0), is_default: true },
          { name: 'Large', price_delta: gbp(150) },
        ],
      },
      {
        name: 'Extras',
        min_selections: 0,
        max_selections: 2,
        modifiers: [
          { name: 'Cheese', price_delta: gbp(80) },
          { name: 'Bacon', price_delta: gbp(120) },
        ],
      },
    ])
  })

  test('may allow more than there are, which is all of them, but not ask for more', () => {
    expect(groups('Extras[0-3]: Cheese=0.80 | Bacon=1.20')[0]?.max_selections).toBe(2)
    expect(groups('Extras[3-3]: Cheese=0.80 | Bacon=1.20')[0]?.min_selections).toBe(3)
  })

  test('may say what they add with a plus', () => {
    expect(groups('Extras[0-2]: Egg=+0.80 | Ham= + £1.20')[0]?.modifiers).toMatchObject([
      { price_delta: gbp(80) },
      { price_delta: gbp(120) },
    ])
  })

  test('may have no limit, no price and an end that stands open', () => {
    expect(groups(' Sauce [0-*] : Ketchup|Mayo ; ')).toMatchObject([
      { name: 'Sauce', max_selections: null, modifiers: [{ name: 'Ketchup' }, { name: 'Mayo' }] },
    ])
  })

  test.each([
    'Size[1-1]: *Regular=0.00 | Large=1.50; Extras[0-*]: Cheese=0.80',
    String.raw`Half\; half\: \[a\]\|b\=c\\[1-1]: \*Star\=1=2.00 | Tick\|tock=0.00`,
  ])('are written as they are read: %s', (text) => {
    const present = groups(text).map(({ name, min_selections = 0, max_selections = null, modifiers }) => ({
      modifier_group_id: 'mgr_1',
      name,
      min_selections,
      max_selections,
      allow_repeats: false,
      modifiers: modifiers.map(({ price_delta = gbp(0), is_default = false, name: option }) => ({
        modifier_id: 'mod_1',
        name: option,
        price_delta,
        is_default,
        available: true,
      })),
    }))
    expect(writeGroups(present)).toBe(text)
  })

  test('may hold every sign of the grammar behind a backslash', () => {
    const [group] = groups(String.raw`Half\; half\: \[a\]\|b\=c\\[1-1]: \*Star\=1=2.00 | * Tick\|tock`)
    expect(group).toMatchObject({
      name: String.raw`Half; half: [a]|b=c` + '\\',
      modifiers: [
        { name: '*Star=1', price_delta: gbp(200) },
        { name: 'Tick|tock', is_default: true },
      ],
    })
    expect(group?.modifiers[0]).not.toHaveProperty('is_default')
  })

  test('of a currency with three decimals count in thousandths', () => {
    expect(parseModifierGroups('Size[1-1]: L=1.250', 'KWD')).toMatchObject({
      value: [{ modifiers: [{ price_delta: { amount: 1250, currency: 'KWD' } }] }],
    })
  })

  test.each([
    ['Size: Regular', 'needs the number of selections'],
    ['Size[1]: Regular', 'is not [least-most]'],
    ['Size[1-1] Regular', 'needs a colon'],
    ['[1-1]: Regular', 'no name'],
    ['Size[1-1]: Regular | =1.50', 'no name'],
    ['Size[1-1]:', 'no name'],
    ['Size[1-1]: Large=cheap', 'Large: "cheap" is not an amount'],
    ['Size[1-1]: Large=1,234', 'Large: "1,234" can mean'],
    [`Size[1-1]: ${'x'.repeat(121)}`, '121 characters'],
    [`Size[1-1]: ${Array.from({ length: 51 }, (_, at) => `o${at}`).join('|')}`, 'more than 50'],
    [Array.from({ length: 21 }, (_, at) => `G${at}[0-1]: a`).join(';'), 'at most 20 groups'],
  ])('%s is refused: %s', (text, detail) => {
    const reading = read(text)
    expect('fault' in reading && reading.fault.detail).toContain(detail)
  })
})
