/** Files as people really have them, each with the parcels that it makes. Names and addresses are made up. */
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Target } from '../../../src/client/client.ts'
import { carrierUpload } from '../../../src/commands/carrier/upload.command.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { makeHome } from '../../support/home.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { runCommand } from '../../support/run-command.ts'

const FILES = join(import.meta.dirname, '../../support/files')
const DEFAULTS = ['--default', 'weight_grams=500', '--default', 'dimensions=20x15x5cm']

type Reason = { code: string; errors: { column: string; code: string; value: string; detail: string }[] }
type Document = { data: { reference: string; result: string; reason: Reason | null }[] }
type Parcel = {
  reference: string
  recipient: { contact: { name: string }; company?: string; address: Record<string, string> }
  parcel: Record<string, unknown>
  options: Record<string, unknown>
  service_level: string
}

/** Uploads a file as a script does, and returns what was made of it. */
async function upload(name: string, ...flags: string[]) {
  using home = makeHome()
  const path = join(home.cwd, name)
  copyFileSync(join(FILES, name), path)
  let target: Target | undefined
  const open = embeddedIn(home)
  const ran = await runCommand(home, carrierUpload, [path, '--yes', '--json', ...flags], {
    openClient: (wanted) => open((target = wanted)),
  })
  const client = target && (await open(target))
  const listed = await client?.call('list_shipments', { limit: 100 })
  await client?.close()
  const made = (listed?.value.data ?? []) as unknown as Parcel[]
  const parcels = new Map(made.map((each) => [each.reference, each]))
  const rows = ran.error === undefined ? (ran.json() as Document).data : []
  const faults = Object.fromEntries(
    rows.flatMap(({ reference, reason }) =>
      reason === null ? [] : [[reference, reason.errors.map(({ column, detail }) => `${column}: ${detail}`)]],
    ),
  )
  return { ...ran, parcels, faults }
}

const placeOf = ({ recipient: { contact, address } }: Parcel) =>
  [contact.name, address['line1'], address['line2'], address['city'], address['postal_code']].join(' / ')

describe('a recipient is never a payer, and keeps all lines of the address', () => {
  test.each<[string, string[], Record<string, string>]>([
    ['billship.csv', [], { A1: 'Fern Holloway / 12 Lamb Street /  / London / E1 6EA' }],
    ['bigcommerce.csv', DEFAULTS, { '701': 'Fern Holloway / 12 Lamb Street / Flat 3 / London / E1 6EA' }],
    ['squarespace.csv', DEFAULTS, { '00123': 'Fern Holloway / 12 Lamb Street / Flat 3 / London / E1 6EA' }],
    [
      'etsy-items.csv',
      DEFAULTS,
      { '3300000001': 'Fern Holloway / 12 Lamb Street / Flat 3 / London / E1 6EA' },
    ],
    [
      'addr3.csv',
      [],
      {
        'D-1': 'Fern Holloway / Unit 4 / Mill Yard, 12 Lamb Street / London / E1 6EA',
        'D-2': 'Otis Bell / 101 Rye Lane /  / London / SE15 4ST',
      },
    ],
    ['headers.csv', [], { A1: 'Fern Holloway / Unit 4 / 12 Lamb Street / London / E1 6EA' }],
    ['house-name.csv', [], { A1: 'Fern Holloway / Rose Cottage / Lamb Street / London / E1 6EA' }],
    [
      'company-only.csv',
      [],
      {
        'D-1': 'Fern Holloway / 12 Lamb Street /  / London / E1 6EA',
        'D-2': 'Bell Ltd / 12 Lamb Street /  / London / E1 6EA',
        'D-3': 'Fern / 12 Lamb Street /  / London / E1 6EA',
      },
    ],
  ])('%s', async (name, flags, places) => {
    const { error, parcels } = await upload(name, ...flags)
    expect(error).toBeUndefined()
    for (const [reference, place] of Object.entries(places)) {
      const parcel = parcels.get(reference)
      expect([reference, parcel && placeOf(parcel)]).toEqual([reference, place])
    }
  })

  test('delivery3.csv', async () => {
    const { parcels, faults } = await upload('delivery3.csv')
    expect(placeOf(parcels.get('A1') as Parcel)).toBe(
      'Fern Holloway / Unit 4 / Mill Yard, 12 Lamb Street / London / E1 6EA',
    )
    expect(parcels.get('A4')?.recipient.address).toMatchObject({ country_code: 'JE', postal_code: 'JE2 3QA' })
    expect(Object.keys(faults)).toEqual(['A2', 'A3'])
  })

  test('amazon-unshipped.txt', async () => {
    const { parcels } = await upload('amazon-unshipped.txt', ...DEFAULTS)
    expect([...parcels.values()].map(placeOf).toSorted()).toEqual([
      'Fern Holloway / 12 Lamb Street / Flat 3 / London / E1 6EA',
      'Otis Bell / Unit 4 / 101 Rye Lane, Peckham / London / SE15 4ST',
    ])
    expect(parcels.get('202-1000001-0000001')?.parcel['description']).toBe('Clay mug 12 cm tall, 2 × Soap')
  })
})

describe('numbers are those of the file, in its unit', () => {
  test('us.csv: pounds and ounces add up', async () => {
    const { parcels } = await upload('us.csv')
    expect(['U-1', 'U-2'].map((reference) => parcels.get(reference)?.parcel['weight_grams'])).toEqual([
      567, 340,
    ])
  })

  test('display-rounding.xlsx: what a cell holds counts, not what it shows', async () => {
    const { parcels } = await upload('display-rounding.xlsx')
    const sizes = ['D-1', 'D-2', 'D-3', 'D-4'].map((reference) => parcels.get(reference)?.parcel)
    expect(sizes).toMatchObject([
      { weight_grams: 1400, length_mm: 200 },
      { weight_grams: 1449, length_mm: 200 },
      { weight_grams: 500, length_mm: 206 },
      { weight_grams: 1250, length_mm: 200 },
    ])
  })

  test('de-gram.csv: beside decimal commas a point groups thousands', async () => {
    const { parcels, faults } = await upload('de-gram.csv')
    expect(['G-1', 'G-2', 'G-3'].map((reference) => parcels.get(reference)?.parcel['weight_grams'])).toEqual([
      1250, 12_500, 2500,
    ])
    expect(parcels.get('G-2')?.parcel['length_mm']).toBe(355)
    expect(faults).toEqual({ 'G-4': ['Gewicht: 1250.5 g has a fraction of a gram; write whole grams.'] })
  })

  test('unitcol2.csv: a unit may stand in the column beside', async () => {
    const { parcels, faults } = await upload('unitcol2.csv')
    expect(parcels.size).toBe(0)
    expect(faults['U-1']?.join()).toContain('2032 mm')
  })

  test('qty-item-weight.csv: four items weigh four times as much as one', async () => {
    const { parcels } = await upload('qty-item-weight.csv')
    expect(parcels.get('D-1')?.parcel['weight_grams']).toBe(2000)
  })

  test('parcel-count.csv: three parcels are not one', async () => {
    const { parcels, faults, code } = await upload('parcel-count.csv')
    expect([parcels.size, code]).toEqual([0, 6])
    expect(faults).toEqual({
      'D-1': [
        'Number of parcels: A row makes one parcel; give each parcel a row and a reference of its own.',
      ],
    })
  })
})

test('options.csv: what the operation can do, a manifest can say', async () => {
  const { parcels } = await upload('options.csv')
  const { options, parcel } = parcels.get('Q-1') as Parcel
  expect(options).toMatchObject({
    cash_on_delivery: { amount: 2500, currency: 'GBP' },
    not_before_date: '2026-11-30',
    signature_required: true,
  })
  expect(parcel).toMatchObject({ contents_type: 'gift', declared_value: { amount: 4000, currency: 'GBP' } })
})

describe('the sheet of one customer among several', () => {
  const HEAD = 'ref,name,address,town,postcode,weight,dims,service'

  async function uploadRows(rows: string[], ...flags: string[]) {
    using home = makeHome()
    const path = join(home.cwd, 'sheet.csv')
    writeFileSync(path, [HEAD, ...rows].join('\n'))
    const ran = await runCommand(home, carrierUpload, [path, '--yes', '--json', ...flags], {
      openClient: embeddedIn(home),
    })
    const again = await runCommand(home, carrierUpload, [path, '--dry-run', '--json', '--use-map', 'gc'], {
      openClient: embeddedIn(home),
    })
    return { ...ran, again }
  }

  test('has references of its own, and words for services that a saved map keeps', async () => {
    const ran = await uploadRows(
      [
        '1,Fern,1 Lamb Street,London,E1 6EA,500 g,20x15x5cm,Y',
        '2,Otis,2 Lamb Street,London,E1 6EA,500 g,20x15x5cm,N',
      ],
      '--reference-prefix',
      'GC-',
      '--map-value',
      'service_level:y=next_day',
      '--map-value',
      'service:N=economy',
      '--save-map',
      'gc',
    )
    expect(ran.error).toBeUndefined()
    const rows = (ran.json() as Document).data
    expect(rows.map(({ reference, result }) => [reference, result])).toEqual([
      ['GC-1', 'created'],
      ['GC-2', 'created'],
    ])
    expect((ran.again.json() as Document).data.map(({ result }) => result)).toEqual(['created', 'created'])
  })

  test('a word that has no value is refused, and so is a value without a column', async () => {
    const row = '1,Fern,1 Lamb Street,London,E1 6EA,500 g,20x15x5cm,Y'
    expect((await uploadRows([row])).code).toBe(6)
    expect((await uploadRows([row], '--map-value', 'Y=next_day')).error?.message).toContain(
      'not of the form column:word=value',
    )
    expect((await uploadRows([row], '--map-value', 'colour:Y=red')).error?.message).toContain('colour')
  })

  test('parcels that their service does not reach go by another one, and it is said', async () => {
    const rows = [
      '1,Fern,1 Lamb Street,London,E1 6EA,500 g,20x15x5cm,same_day',
      '2,Otis,1 Shore Road,Kirkwall,KW15 1LE,500 g,20x15x5cm,same_day',
    ]
    const strict = await uploadRows(rows)
    expect(strict.code).toBe(9)
    const ran = await uploadRows(rows, '--fallback-service', 'next_day')
    expect((ran.json() as Document).data.map(({ result }) => result)).toEqual(['created', 'created'])
    expect(ran.err).toContain(
      '1 parcel will go by next_day, because their own service does not reach them: 2.',
    )
  })
})

test('the street is seen before anybody says yes', async () => {
  using home = makeHome()
  const path = join(home.cwd, 'addr3.csv')
  copyFileSync(join(FILES, 'addr3.csv'), path)
  const io = memoryIo({ tty: true, columns: 160 })
  const running = runCommand(home, carrierUpload, [path], { openClient: embeddedIn(home), io })
  await expect.poll(() => io.asked()).toContain('Create 2 parcels')
  io.type('n\n')
  await running
  expect(io.err()).toContain('Unit 4, Mill Yard, 12 Lamb Street')
})
