/** Allergens as customers name them, in their own languages, and beside the dishes that contain them. */
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { formatAllergens, isAllergy, warnOfAllergens } from '../../../../src/areas/orders/rules/allergens.ts'
import { findKitchenAlert, kitchenRows } from '../../../../src/areas/orders/rules/kitchen-lines.ts'
import { formatStoreOrder } from '../../../../src/commands/business/orders/show.ts'
import { makeStoreOrder } from '../../../support/orders.ts'

const RED = '\u001B[31m'

test.each([
  'allergique aux arachides',
  'sans arachides',
  'pas de noix svp',
  'Ich bin gegen Erdnüsse allergisch',
  'ohne Nüsse bitte',
  'keine Erdnüsse',
  'laktosefrei',
  'Laktoseunverträglich',
  'Zöliakie',
  'céliaque',
  'cœliaque',
  'sin cacahuetes',
  'soy alérgico a los frutos secos',
  'senza lattosio',
  'sem amendoim',
  'lactosevrij',
  'geen noten',
])('“%s” is about an allergy', (note) => {
  expect(isAllergy(note)).toBe(true)
})

test.each(['kein Salat', 'pas de sel', 'sin cebolla', 'extra cheese', 'Klingel bei Celia', 'sans-serif'])(
  '“%s” is not',
  (note) => {
    expect(isAllergy(note)).toBe(false)
  },
)

test.each([
  ['sans arachides', ['peanuts']],
  ['ohne Erdnüsse', ['peanuts']],
  ['sin cacahuetes', ['peanuts']],
  ['allergie aux noix', ['nuts']],
  ['nut allergy', ['peanuts', 'nuts']],
  ['Milch bitte weglassen', ['milk']],
  ['senza glutine: celiaco', ['gluten']],
  ['no milk', ['milk']],
  ['mind the peanuts', ['peanuts']],
  // A wish for an ingredient names nothing.
  ['extra cheese', []],
  ['well done', []],
] as const)('of a dish with peanuts, nuts, milk and gluten “%s” names %j', (note, named) => {
  const warning = warnOfAllergens([note], ['peanuts', 'nuts', 'milk', 'gluten'])
  expect(warning.named).toEqual(named)
  expect(warning.listed.length > 0).toBe(named.length > 0)
})

describe('a dish', () => {
  const line = (name: string, allergens: string[], notes: string | null = null) => ({
    ...makeStoreOrder('7K2M').lines[0],
    line_id: name,
    name,
    allergens,
    notes,
  })
  const warned = (notes: string | null, ...lines: object[]) => {
    const order = makeStoreOrder('7K2M', { notes, lines: lines as never })
    const rows = kitchenRows(order).map(({ name, warning }) => [name, formatAllergens(warning)])
    return { rows, alert: findKitchenAlert(order) }
  }

  test('has its allergens beside it, the named ones in capitals, once the notes name any', () => {
    const dishes = [line('Pad Thai', ['gluten', 'peanuts']), line('Rice', []), line('Soup', ['celery'])]
    expect(warned('please no peanuts', ...dishes)).toEqual({
      rows: [
        ['Pad Thai', 'contains PEANUTS, gluten'],
        ['Rice', undefined],
        ['Soup', 'contains celery'],
      ],
      alert: 'ALLERGY',
    })
    expect(warned('ring twice', ...dishes).rows.map(([, words]) => words)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('calls the kitchen although its note reads as a wish; one without that allergen does not', () => {
    const note = 'Peanuts make me ill'
    expect(warned(note, line('Pad Thai', ['peanuts'])).alert).toBe('ALLERGY')
    expect(warned(note, line('Rice', ['soya'])).alert).toBe('NOTE')
  })

  test('is warned of by the note on its own line, not by that on another', () => {
    const { rows } = warned(null, line('Pad Thai', ['peanuts'], 'no peanuts'), line('Satay', ['peanuts']))
    expect(rows).toEqual([
      ['Pad Thai', 'contains PEANUTS'],
      ['Satay', undefined],
    ])
  })

  test('is red on the screen of the store, with its allergens', () => {
    const order = makeStoreOrder('7K2M', {
      notes: 'no peanuts',
      lines: [line('Pad Thai', ['peanuts', 'gluten']), line('Rice', [])] as never,
    })
    const lines = formatStoreOrder(order, { tty: true, width: 80, colour: true }).split('\n')
    const red = lines
      .filter((text) => text.includes(RED))
      .map((text) => stripVTControlCharacters(text).trim())
    expect(red).toEqual([
      'ALLERGY! Note from the customer: "no peanuts"',
      expect.stringMatching(/^2 × Pad Thai +£24\.60$/),
      'contains PEANUTS, gluten',
    ])
  })
})
