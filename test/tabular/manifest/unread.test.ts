/** Columns that rows fill and nothing reads: no parcel goes without what they may ask for, unless somebody says so. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readTable } from '../../../src/tabular/csv/read.ts'
import { GOOD_ROW, makeCsv } from '../../support/manifests.ts'
import { AGAIN_FILES, readParcels } from '../../support/read-parcels.ts'

const filesOf = (pattern: RegExp): string[] => readdirSync(AGAIN_FILES).filter((name) => pattern.test(name))

const filled = (header: string, ...cells: string[]) => ({
  text: makeCsv(...cells.map((cell, at) => ({ ...GOOD_ROW, reference: `A-${at}`, [header]: cell }))),
})

/** Goods in a parcel, which are no parcels. */
const ITEMS = ['cn-04.csv', 'cn-11.csv', 'cn-16.csv']

test.each(filesOf(/^cn-/))(
  '%s: a count of 3 parcels in one row is refused, and one of items is not',
  async (name) => {
    const { rows } = await readParcels(name)
    expect(rows[0]?.includes('A row is one parcel; give each parcel its own row')).toBe(!ITEMS.includes(name))
  },
)

test.each([
  'Total no. of parcels',
  'Total boxes',
  'Carton qty',
  'Nr of colli',
  'Number of labels',
  'Nombre de cartons',
  'Cantidad de cajas',
  'Nr. pacchi',
])('%s above 3 counts parcels', async (header) => {
  expect((await readParcels(filled(header, '3'))).rows[0]).toContain('A row is one parcel')
})

test.each([
  ['Items/parcels', '3'],
  ['Pkg count', '3'],
  ['Delivery option', 'Evening'],
  ['Options', 'SAT'],
  ['Extras', 'Signature'],
])('%s above %s is asked about', async (header, cell) => {
  expect((await readParcels(filled(header, cell))).error?.message).toContain(`${header}: "${cell}" in row 2`)
})

/** Options that a parcel can have. */
const OBEYED = ['op-11.csv', 'op-12.csv', 'op-22.csv', 'op-30.csv', 'op-34.csv']

test.each(filesOf(/^op-/))('%s: an option is obeyed, or refused with its column', async (name) => {
  const header = readTable(readFileSync(join(AGAIN_FILES, name), 'utf8')).header.at(-1) ?? ''
  const { error, rows } = await readParcels(name)
  const refused = error?.message ?? rows[0] ?? ''
  expect(refused.includes(header)).toBe(!OBEYED.includes(name))
  expect(error?.hint ?? '--ignore').toContain('--ignore')
  expect(error?.exitCode ?? 2).toBe(2)
})

test('the refusal has the values and their rows, and the flag that sends without', async () => {
  const file = filled('Signed for', 'Y', '', 'Y', 'no', 'Porch')
  const { error } = await readParcels(file)
  expect(error?.message).toBe(
    'Nothing reads a column that rows fill: Signed for: "Y" in 2 rows, "Porch" in row 6.',
  )
  expect(error?.extra['reason']).toMatchObject({ code: 'column_unread' })
  expect((await readParcels(file, { ignore: ['Signed for'] })).rows).toHaveLength(5)
})

test('a person is asked about each such column, and may stop', async () => {
  const file = filled('Hold at depot', 'x')
  const answer = (send: boolean) => ({
    select: async ({ choices }: { choices: readonly { value: unknown }[] }) =>
      choices[send ? 0 : 1]?.value as never,
    input: async () => '',
  })
  const { rows, answered } = await readParcels(file, {}, answer(true))
  expect([rows.length, answered]).toEqual([1, [{ flag: '--ignore', value: 'Hold at depot' }]])
  expect((await readParcels(file, {}, answer(false))).error?.code).toBe('usage')
})

test('--ignore leaves a column unread that would be read, and names the nearest of none', async () => {
  const file = filled('Cash on delivery', '25.00')
  expect((await readParcels(file, { ignore: ['Cash on delivery'] })).rows[0]).not.toContain('Cash')
  expect((await readParcels(file, { ignore: ['Cash on delivry'] })).error?.hint).toBe(
    'Did you mean "Cash on delivery"?',
  )
})

describe('nothing is asked about', () => {
  test.each([
    ['Order date', '18/11/2026'],
    ['Created at', '2026-11-18 10:05:00'],
    ['Billing Name', 'Fern Bell'],
    ['Rechnungsadresse Straße', '9 Bill Road'],
    ['Supplier', 'Roos Ltd'],
    ['Item Name', 'Mug'],
    ['SKU', 'MUG-1'],
    ['Order Total', '31.95'],
    ['VAT', '5.32'],
    ['Discount code', 'TENOFF'],
    ['Sales channel', 'Web'],
    ['Customer number', '10023'],
    ['Middle name', 'Jane'],
    ['Payment method', 'Card'],
    ['Gift wrap', 'No'],
    ['Fragile', '0'],
    ['Options', 'Size: L'],
    ['Units', '3'],
  ])('%s', async (header, cell) => {
    expect((await readParcels(filled(header, cell))).error).toBeUndefined()
  })
})

const EXPORTS = join(AGAIN_FILES, '../../exports')
const SHOPS = /^(?:amazon|bigcommerce|cnd|etsy|shopify|squarespace|woo)/

test.each([
  ...readdirSync(EXPORTS).map((name) => `../../exports/${name}`),
  ...readdirSync(join(AGAIN_FILES, '..')).flatMap((name) => (SHOPS.test(name) ? [`../${name}`] : [])),
])('nothing is asked about the unread columns of an ordinary export: %s', async (name) => {
  const { error } = await readParcels(name, { default: ['weight_grams=500', 'dimensions=20x15x5cm'] })
  expect(error?.message ?? '').not.toContain('Nothing reads')
})

test('each row with another code is named by it, whatever its header', async () => {
  expect((await readParcels(filled('Vorgang', 'V-1', 'V-2', 'V-3'))).error).toBeUndefined()
})

describe('a hint names the whole address', () => {
  test('by one name and further numbers, each by its cells', async () => {
    const text =
      'Ref,Contact,Drop 1,Drop 2,Drop 3,Drop 4,Wt,Wt u,Dims\nA1,Nora Quill,7 Weaver Row,Flat 3,London,E1 6EA,500,g,20x15x5cm\n'
    const { error } = await readParcels({ text })
    expect(error?.hint).toContain(
      '--map "address_line1=Drop 1" --map "city=Drop 3" --map "postal_code=Drop 4" --map "address_line2=Drop 2"',
    )
    const { rows } = await readParcels(
      { text },
      { map: ['address_line1=Drop 1', 'city=Drop 3', 'postal_code=Drop 4', 'address_line2=Drop 2'] },
    )
    expect(rows).toEqual(['2 Nora Quill / 7 Weaver Row / Flat 3 / London / E1 6EA'])
  })

  test('by one prefix, and a hint that is followed in part loses no line', async () => {
    const text =
      'Job,Cnee Nm,Cnee Ad1,Cnee Ad2,Cnee Town,Cnee PC,Kilos,L,W,H\nA1,Nora Quill,7 Weaver Row,Flat 3,London,E1 6EA,1.2,200,150,50\n'
    const { error } = await readParcels({ text })
    expect(error?.hint).toContain(
      '--map reference=Job --map "recipient_name=Cnee Nm" --map "address_line1=Cnee Ad1" --map "city=Cnee Town" --map "postal_code=Cnee PC" --map "address_line2=Cnee Ad2"',
    )
    const map = [
      'reference=Job',
      'recipient_name=Cnee Nm',
      'address_line1=Cnee Ad1',
      'city=Cnee Town',
      'postal_code=Cnee PC',
    ]
    expect((await readParcels({ text }, { map })).error?.message).toContain('Cnee Ad2: "Flat 3" in row 2')
  })

  test('evri.csv: the town is its last line', async () => {
    const flags = { default: ['dimensions=20x15x5cm'] }
    expect((await readParcels('evri.csv', flags)).error?.hint).toContain('--map city=Address_line_3')
    const { rows } = await readParcels('evri.csv', { ...flags, map: ['city=Address_line_3'] })
    expect(rows).toEqual(['2 Nora Quill / 7 Weaver Row / Flat 3 / London / E1 6EA'])
  })
})
