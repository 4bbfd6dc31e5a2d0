import { describe, expect, test } from 'vitest'
import { GOOD_ROW, parseTestManifest, makeCsv } from '../../support/manifests.ts'

const LATER = { ...GOOD_ROW, recipient_name: '', address_line1: '', city: '', postal_code: '' }
const merge = { mergeLines: true }

describe('rows of one parcel', () => {
  test('stay apart unless asked to go together', () => {
    expect(parseTestManifest(makeCsv(GOOD_ROW, GOOD_ROW)).rows).toHaveLength(2)
  })

  test('go together when the recipient is blank or the same on the later ones', () => {
    const csv = makeCsv(
      { ...GOOD_ROW, contents: 'Teapot', notes: 'Ring' },
      { ...LATER, contents: 'Cups', notes: '' },
      { ...GOOD_ROW, city: 'LONDON', contents: 'Teapot', notes: 'Ring' },
    )
    const { rows, notes } = parseTestManifest(csv, {}, merge)
    expect(rows).toMatchObject([{ row: 2, rows: [{ row: 2 }, { row: 3 }, { row: 4 }], errors: [] }])
    expect(rows[0]?.draft?.parcel.description).toBe('Teapot, Cups')
    expect(rows[0]?.draft?.recipient.address.access_notes).toBe('Ring')
    expect(notes).toEqual([
      { kind: 'info', text: '3 rows are 1 parcel: adjacent rows of one order go together.' },
    ])
  })

  test.each([
    ['another recipient', { ...GOOD_ROW, recipient_name: 'Tunde Bakare' }],
    ['another postcode', { ...LATER, postal_code: 'E1 6EB' }],
    ['another reference', { ...GOOD_ROW, reference: 'A2' }],
    ['no reference', { ...LATER, reference: '' }],
  ])('stay apart with %s', (_, other) => {
    expect(parseTestManifest(makeCsv(GOOD_ROW, other), {}, merge).rows).toHaveLength(2)
  })

  test('stay apart when another order stands between them', () => {
    const { rows } = parseTestManifest(
      makeCsv(GOOD_ROW, { ...GOOD_ROW, reference: 'A2' }, GOOD_ROW),
      {},
      merge,
    )
    expect(rows.map(({ row }) => row)).toEqual([2, 3, 4])
  })

  test('may not give different weights', () => {
    const { rows } = parseTestManifest(makeCsv(GOOD_ROW, { ...LATER, weight_grams: '800' }), {}, merge)
    expect(rows[0]?.errors).toEqual([
      {
        column: 'weight_grams',
        pointer: '/parcel/weight_grams',
        value: '1200, 800',
        code: 'mutually_exclusive',
        detail: 'Rows 2, 3 are one parcel but give different values: 1200, 800.',
      },
    ])
  })

  test('may list more than a description holds', () => {
    const lines = Array.from({ length: 20 }, (_, index) => ({ ...LATER, contents: `Teapot number ${index}` }))
    const { rows } = parseTestManifest(makeCsv({ ...GOOD_ROW, contents: 'Tray' }, ...lines), {}, merge)
    expect(rows[0]?.errors).toEqual([])
    expect(rows[0]?.draft?.parcel.description).toMatch(/^Tray, Teapot number 0, .*…$/)
  })
})

test('50,000 rows of one reference are read in time that grows with their number', () => {
  const lines = Array.from({ length: 50_000 }, (_, index) => ({ ...GOOD_ROW, contents: `Thing ${index}` }))
  // Time of the processor: that of the clock is longer on a busy machine.
  const before = process.threadCpuUsage()
  expect(parseTestManifest(makeCsv(...lines)).rows).toHaveLength(50_000)
  const merged = parseTestManifest(makeCsv(...lines), {}, { mergeLines: true }).rows
  expect(process.threadCpuUsage(before).user).toBeLessThan(10_000_000)
  expect(merged).toHaveLength(1)
  expect(merged[0]?.draft?.parcel.description).toMatch(/^Thing 0, Thing 1, /)
})
