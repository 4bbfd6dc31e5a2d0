import { describe, expect, test } from 'vitest'
import type { MenuOutcome } from '../../../../src/commands/business/menu/draft.ts'
import {
  checkJsonItems,
  looksLikeJson,
  readJsonItems,
} from '../../../../src/commands/business/menu/json-menu.ts'
import { catchError } from '../../../support/caught.ts'
import { draftsOf, errorsOf } from '../../../support/menus.ts'
import { gbp } from '../../../support/money.ts'

const read = (value: unknown, category?: string) =>
  checkJsonItems(
    readJsonItems(typeof value === 'string' ? value : JSON.stringify(value)),
    { assumed: 'GBP', store: 'GBP' },
    category,
  )

const LAKSA = { name: 'Laksa', category: 'Soups', price: gbp(900) }

describe('a menu in JSON', () => {
  test.each([
    ['a list', [LAKSA]],
    ['an object with items', { items: [LAKSA] }],
    ['a list as it is printed', { data: [LAKSA], has_more: false, next_cursor: null }],
  ])('is %s', async (_, value) => {
    expect(draftsOf(await read(value))).toEqual([LAKSA])
  })

  test('differs from CSV by how it begins', () => {
    expect(looksLikeJson(' \n[{')).toBe(true)
    expect(looksLikeJson('name,price')).toBe(false)
  })

  test('may be what the service shows of its items', async () => {
    const shown = {
      item_id: 'itm_1',
      merchant_id: 'mer_1',
      ...LAKSA,
      description: null,
      category: { category_id: 'cat_1', name: 'Soups', sort_order: 4 },
      modifier_groups: [
        {
          modifier_group_id: 'mgr_1',
          name: 'Size',
          min_selections: 1,
          max_selections: null,
          allow_repeats: false,
          modifiers: [
            { modifier_id: 'mod_1', name: 'L', price_delta: gbp(0), available: true, is_default: true },
          ],
        },
      ],
      availability: { available: false, until: '2026-11-21T18:00:00.000Z', reason: 'sold_out' },
      effective_available: false,
      schedule: [{ day: 'fri', opens: '11:00', closes: '15:00' }],
      category_schedule: null,
      available_from: '2026-11-20T11:00:00.000Z',
      version: 3,
      created_at: '2026-11-20T09:00:00.000Z',
      updated_at: '2026-11-20T09:00:00.000Z',
      barcode: null,
    }
    expect(draftsOf(await read({ data: [shown], has_more: false, next_cursor: null }))).toEqual([
      {
        ...LAKSA,
        category_sort: 4,
        available: false,
        unavailable_until: '2026-11-21T18:00:00.000Z',
        unavailable_reason: 'sold_out',
        modifier_groups: [
          {
            name: 'Size',
            min_selections: 1,
            max_selections: null,
            allow_repeats: false,
            modifiers: [{ name: 'L', price_delta: gbp(0), available: true, is_default: true }],
          },
        ],
      },
    ])
  })

  test('may have amounts in words, but no bare numbers', async () => {
    expect(draftsOf(await read([{ ...LAKSA, price: '£9.00', cost: { amount: 310 } }]))).toEqual([
      { ...LAKSA, cost: gbp(310) },
    ])
    expect(errorsOf(await read([{ ...LAKSA, price: 9 }]))).toEqual([['price', 'wrong_type']])
  })

  test('takes the category that is said for all', async () => {
    expect(draftsOf(await read([{ name: 'Laksa', price: '9' }], 'Soups'))).toEqual([LAKSA])
  })

  test('says what is wrong with which field, and on which line the item begins', async () => {
    const menu =
      await read(`[\n  {"name": "A"},\n  {"name": "B", "category": "C", "price": "1", "kcal": 3, "stock": -1,
      "modifier_groups": [{"name": "G", "modifiers": []}]},\n  7]`)
    expect(menu.rows.map(({ line }) => line)).toEqual([2, 3, 5])
    expect(errorsOf(menu)).toEqual([
      ['price', 'required'],
      ['category', 'required'],
      ['kcal', 'unknown_member'],
      ['modifier_groups.0.modifiers', 'required'],
      ['stock', 'out_of_range'],
      ['item', 'wrong_type'],
    ])
  })

  test.each([
    ['[', 'not valid JSON'],
    ['{"name": "x"}', 'neither a list'],
    ['[]', 'no items'],
    ['{"data": [{}], "has_more": true}', '--all'],
  ])('%s is none', (text, detail) => {
    expect(catchError(() => readJsonItems(text)).message).toContain(detail)
  })

  test('rejects shortened codes, errors of spreadsheets and words for nothing, by their member', async () => {
    const changes = [
      { sku: '1.23457E+11' },
      { external_ref: '5.01235E+12' },
      { name: '#N/A' },
      { description: '#VALUE!' },
      { category: 'undefined' },
      { supplier_id: 'NULL' },
    ]
    const { rows } = await read(changes.map((change) => ({ ...LAKSA, ...change })))
    expect(rows.map(({ draft, errors }) => [draft, errors.map(({ column }) => column)])).toEqual(
      changes.map((change) => [undefined, Object.keys(change)]),
    )
    const [shortened, , error, , word] = rows.map(({ errors }) => errors[0]?.detail)
    expect(shortened).toBe(
      'A spreadsheet has shortened this number; format its column as text and enter it again.',
    )
    expect(error).toBe('#N/A is an error of the spreadsheet; correct it there and save the file again.')
    expect(word).toBe('A program wrote this for an empty cell; write the value.')
    expect(
      draftsOf(await read([{ ...LAKSA, name: 'No. 5', sku: 'E12', description: 'None left' }])),
    ).toHaveLength(1)
  })

  test('gives back its rejected items, to be corrected and read again', async () => {
    const menu = await read([LAKSA, { ...LAKSA, name: 'Pho', price: 9 }])
    const outcomes = menu.rows.map(({ row, line = 0, name, category, price, errors }): MenuOutcome => ({
      row,
      line,
      name,
      category,
      price,
      result: errors.length > 0 ? 'rejected' : 'created',
      ...(errors.length > 0 && { reason: { code: 'invalid_row', errors } }),
    }))
    const text = String(await menu.errors(outcomes))
    expect(JSON.parse(text)).toMatchObject({
      items: [{ name: 'Pho', _row: 2, _errors: [{ column: 'price' }] }],
    })
    expect(draftsOf(await read(text.replace('"price": 9', '"price": "9"')))).toEqual([
      { ...LAKSA, name: 'Pho' },
    ])
    expect(menu.results(outcomes).split('\r\n')[0]).toBe(
      '\uFEFFname,category,external_ref,row,result,item_id,menu_price,reason',
    )
  })
})
