import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { carrierUpload } from '../../../src/commands/carrier/upload.command.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { runCommand } from '../../support/run-command.ts'

type Outcome = {
  result: string
  reference: string
  reason: { code: string; errors: { column: string; detail: string; suggestion?: string }[] } | null
}

const HEADER = 'reference,recipient_name,address_line1,city,postal_code,country,phone,weight,dimensions'

type Cells = { street?: string; city?: string; postcode?: string; country?: string; phone?: string }

/** One row of each of these addresses, with references `R1`, `R2` and so on. */
function manifestTo(...all: readonly Cells[]): string {
  const rows = all.map(
    ({ street = '12 Lamb Street', city = 'London', postcode = 'E1 6EA', country = 'GB', phone = '' }, at) =>
      `R${at + 1},Fern Holloway,"${street}",${city},${postcode},${country},"${phone}",500 g,20x15x5cm`,
  )
  return [HEADER, ...rows, ''].join('\n')
}

async function upload(home: Home, text: string) {
  const path = join(home.cwd, 'm.csv')
  writeFileSync(path, text)
  const ran = await runCommand(home, carrierUpload, [path, '--dry-run', '--json'], {
    openClient: embeddedIn(home),
  })
  return { ...ran, data: (ran.json() as { data: Outcome[] }).data }
}

/** The column, text and suggestion of the only error of each row; undefined for a row that is created. */
function faults(data: readonly Outcome[]) {
  return data
    .map(({ reason }) => reason?.errors[0])
    .map((error) => error && [error.column, error.detail, error.suggestion])
}

describe('an uploaded sheet', () => {
  test('goes to a country by every usual word, and asks about a misspelt one', async () => {
    using home = makeHome()
    const { data } = await upload(
      home,
      manifestTo(
        { country: 'United Kingdom (UK)' },
        { country: 'GB-NIR', city: 'Belfast', postcode: 'BT7 1JL' },
        { country: 'XI', city: 'Belfast', postcode: 'BT7 1JL' },
        { country: 'Channel Islands', city: 'St Peter Port', postcode: 'GY1 2JG' },
        { country: 'United Kindom' },
      ),
    )
    expect(data.map(({ result }) => result)).toEqual(['created', 'created', 'created', 'created', 'rejected'])
    expect(faults(data)[4]).toEqual(['country', expect.any(String), 'United Kingdom'])
  })

  test('names the place of a postcode that is known and not served, and suggests no other', async () => {
    using home = makeHome()
    const { data } = await upload(
      home,
      manifestTo(
        { postcode: 'BF1 2AY', city: 'BFPO' },
        { postcode: 'GX11 1AA', city: 'Gibraltar' },
        { postcode: 'FIQQ 1ZZ', city: 'Stanley' },
        { postcode: 'D02 X285', city: 'Dublin', country: '' },
        { postcode: '', city: 'Cork', country: 'Ireland' },
        { postcode: 'T12 AX34', city: 'Cork', country: 'Ireland' },
      ),
    )
    const notServed = (column: string, place: string) => [
      column,
      `Parcels do not go to ${place} (not served).`,
      undefined,
    ]
    expect(faults(data)).toEqual([
      notServed('postal_code', 'British Forces addresses (BFPO)'),
      notServed('postal_code', 'Gibraltar'),
      notServed('postal_code', 'the Falkland Islands'),
      notServed('postal_code', 'Ireland'),
      notServed('country', 'Ireland'),
      notServed('country', 'Ireland'),
    ])
  })

  test('goes to no post office box', async () => {
    using home = makeHome()
    const { data } = await upload(
      home,
      manifestTo(
        { street: 'P/O Box 12' },
        { street: 'p.o.b. 12' },
        { street: 'P\u200bO Box 12' },
        { street: '1 Box Hill' },
      ),
    )
    expect(data.map(({ result }) => result)).toEqual(['rejected', 'rejected', 'rejected', 'created'])
  })

  test('creates the parcels even if it cannot read their telephone, and says so', async () => {
    using home = makeHome()
    const { data, err } = await upload(
      home,
      manifestTo(
        { phone: '07700 900123 ext 12' },
        { phone: '01onal' },
        { phone: 'n/a' },
        { phone: '07700 9001234' },
        { phone: '\u202a+44 7700 900123\u202c' },
      ),
    )
    expect(data.map(({ result }) => result)).toEqual(Array.from({ length: 5 }, () => 'created'))
    expect(err).toContain(
      'warning: 1 telephone number is the first of its cell: row 2 "07700 900123 ext 12" as +447700900123.',
    )
    expect(err).toContain(
      'warning: 2 telephone numbers could not be read and are left out; the parcels are created without: row 3 "01onal"; row 5 "07700 9001234".',
    )
  })

  test('doubts a town that is far from its postcode, and goes on', async () => {
    using home = makeHome()
    const { data, err } = await upload(
      home,
      manifestTo({ city: 'Leeds' }, { city: 'London', postcode: 'SW1A 1AA' }, { city: 'Lower Slaughter' }),
    )
    expect(data.map(({ result }) => result)).toEqual(['created', 'created', 'created'])
    expect(err).toContain(
      'warning: The town and the postcode of 1 address do not fit together: row 2: Leeds is far from E1 6EA, which is in East London.',
    )
  })

  test('doubts another postcode in its street, and not the same one', async () => {
    using home = makeHome()
    const { data, err } = await upload(
      home,
      manifestTo(
        { street: '7 Weaver Row, London, SE15 4ST' },
        { city: 'London E1 6EA' },
        { street: 'Flat B1 1st floor, 7 Weaver Row' },
      ),
    )
    expect(data.map(({ result }) => result)).toEqual(['created', 'created', 'created'])
    expect(err).toContain('row 2: the address names SE15 4ST, and its postcode is E1 6EA.')
    expect(err).not.toContain('row 3')
  })

  test('blames the cell that is wrong: a PO box in the second line, an amount in dollars beside an empty currency', async () => {
    using home = makeHome()
    const header = `${HEADER},address_line2,declared_value,currency`
    const row = 'Fern Holloway,7 Weaver Row,London,E1 6EA,GB,,500 g,20x15x5cm'
    const { data } = await upload(home, [header, `R1,${row},PO Box 9,,`, `R2,${row},,$40,`, ''].join('\n'))
    expect(faults(data).map((fault) => fault?.slice(0, 2))).toEqual([
      ['address_line2', 'A PO box cannot take a parcel; give a street address.'],
      ['declared_value', 'The amount must be in GBP, like your prices.'],
    ])
  })
})
