/** Menus of many shop systems and tills, whose columns of money nobody declared: the price of today, or a question. */
import { describe, expect, test } from 'vitest'
import { mappingError } from '../../../../src/tabular/columns/mapping.ts'
import { readMenu } from '../../../support/menus.ts'

/** Reads a menu of two items; says which header is the price, and the error where none is. */
function readPrices(headers: string, ...rows: string[]) {
  const lines = rows.map((cells, at) => `Mains,Dish ${at},${cells}`)
  const mapped = readMenu(['Category,Item,' + headers, ...lines].join('\n'))
  const [at] = mapped.mapping.sources.get('price')?.from[0]?.at ?? []
  return {
    header: at === undefined ? 'asked' : mapped.mapping.table.header[at],
    error: mappingError(mapped, 1),
  }
}

test.each([
  ['Price,Compare At Price', '6.50,8.00', 'Price'],
  ['Compare At Price,Price', '8.00,6.50', 'Price'],
  ['supply_price,retail_price', '2.10,6.50', 'retail_price'],
  ['price,special_price,msrp', '6.50,5.00,8.00', 'price'],
  ['UVP,Preis', '8.00,6.50', 'Preis'],
  ['Einkaufspreis,Verkaufspreis,Streichpreis', '2.00,6.50,8.00', 'Verkaufspreis'],
  ['Pseudopreis,Preis netto,Preis brutto', '9.00,5.42,6.50', 'Preis brutto'],
  ['Member price,Price', '5.00,6.50', 'Price'],
  ['Price,Staff price,Trade price', '6.50,5.00,4.00', 'Price'],
  ['RRP,Our price', '8.00,6.50', 'Our price'],
  ['Price,Deposit', '6.50,0.25', 'Price'],
  ['Preis,Pfand,Preis pro 100g', '6.50,0.25,1.20', 'Preis'],
  ['Price/100g,Price', '1.20,6.50', 'Price'],
  ['Price,Price [Shop A],Price [Shop B]', '6.50,6.50,6.50', 'Price'],
  ['Prix HT,Prix TTC', '5.42,6.50', 'Prix TTC'],
  ['PVP,Precio oferta', '6.50,6.00', 'PVP'],
  ['Selling price,Purchase price', '6.50,2.00', 'Selling price'],
  ['Price,Price type,Price updated', '6.50,fixed,2026-01-01', 'Price'],
])('%s (%s): it is %s', (headers, cells, header) => {
  expect(readPrices(headers, cells)).toEqual({ header, error: undefined })
})

test.each([
  ['Price,Price [Shop A],Price [Shop B]', '6.50,6.50,7.00'],
  ['Default price,Price [Shop A],Price [Shop B]', '6.50,6.50,7.00'],
  ['Price,Price incl VAT', '5.42,6.50'],
  ['Price,Gross', '5.42,6.50'],
  ['Price,New price', '6.50,7.25'],
  ['Base Price,Online price', '6.50,7.00'],
  ['Unit price,Price', '1.20,6.50'],
  ['Price tax excluded,Wholesale price,Unit price', '5.42,3.00,1.20'],
  ['Price,Price 2', '6.50,5.00'],
  ['Price (GBP),Price (EUR)', '6.50,7.00'],
  ['Member price,Non-member price', '5.00,6.50'],
  ['Collection price,Delivery price', '6.50,7.00'],
  ['Price Level 1,Price Level 2', '6.50,5.00'],
  ['Happy hour price,Price', '5.00,6.50'],
  ['Glass,Bottle', '6.50,24.00'],
  ['List price,Cost', '7.25,3.00'],
])('%s: it is asked, and none is named', (headers, cells) => {
  const { header, error } = readPrices(headers, cells)
  expect([header, error?.exitCode]).toEqual(['asked', 2])
  expect(error?.hint).toContain('--map price=HEADER')
})

describe('where two remain, both are shown with three values of each', () => {
  const ROWS = ['7.25,6.04', '8.00,6.67', '8.00,7.00', '9.00,7.50', '9.50,8.00']

  test('when the words say nothing of a price', () => {
    expect(readPrices('Eat in,Take away', ...ROWS).error?.hint).toContain(
      'price can be "Eat in" (7.25, 8.00, 9.00) or "Take away" (6.04, 6.67, 7.00).',
    )
  })

  test('when both can be it', () => {
    expect(readPrices('Price,Online price', ...ROWS).error?.message).toBe(
      'The columns are ambiguous: price can be "Price" (7.25, 8.00, 9.00) or "Online price" (6.04, 6.67, 7.00).',
    )
  })
})

test('a flag, or a column that is left unread, settles it', () => {
  const csv = 'category,name,price,Online price\nMains,Pie,6.50,7.00\n'
  const mapped = (options: object) => mappingError(readMenu(csv, options), 1)
  expect(mapped({})).toBeDefined()
  expect(mapped({ map: new Map([['price', 'Online price']]) })).toBeUndefined()
  expect(mapped({ ignore: ['Online price'] })).toBeUndefined()
})
