import { describe, expect, test } from 'vitest'
import { record } from '../../../src/cli/output/record.ts'
import { measureTextWidth } from '../../../src/cli/output/text.ts'
import { gbp } from '../../support/money.ts'

const renderOptions = { tty: true, width: 80, colour: false, timezone: 'Europe/London' }
const shipment = {
  tracking_number: 'ZC968043370GB',
  reference: null,
  status: 'in_transit',
  recipient: {
    contact: { name: 'Ada Lovelace', phone: '+442079460000' },
    address: { line1: '10 Downing Street', city: 'London', postal_code: 'SW1A 2AA', country_code: 'GB' },
    company: null,
  },
  parcel: { weight_grams: 1400, length_mm: 300 },
  options: { signature_required: true, leave_safe_place: null },
  price: {
    subtotal: gbp(472),
    surcharges: [{ type: 'fuel', amount: gbp(38) }],
    tax: { rate_bps: 2000, amount: gbp(102) },
    total: gbp(612),
  },
  scan_history: [
    {
      event_id: 'evt_01m7vkystgeegbv5hxx5fd6kz5',
      tracking_number: 'ZC968043370GB',
      sequence: 1,
      code: 'label_created',
      reason: null,
      occurred_at: '2026-11-20T12:00:00.000Z',
    },
    {
      event_id: 'evt_01m7vkystgeegbv5hxx5fd6kz6',
      tracking_number: 'ZC968043370GB',
      sequence: 2,
      code: 'collected',
      reason: null,
      occurred_at: '2026-11-20T17:00:00.000Z',
    },
  ],
  estimated_delivery_date: '2026-11-23',
  proof_of_delivery: null,
}

test('shows a resource as an aligned sheet', async () => {
  expect(await record(shipment, renderOptions)).toBe(`Tracking number          ZC968043370GB
Status                   in_transit
Recipient
  Contact
    Name                 Ada Lovelace
    Phone                +442079460000
  Address                10 Downing Street, London SW1A 2AA, GB
Parcel
  Weight                 1.4 kg
  Length                 300 mm
Options
  Signature required     yes
Price
  Subtotal               £4.72
  Surcharges
    Type  Amount
    ────  ──────
    fuel   £0.38
  Tax
    Rate                 20%
    Amount               £1.02
  Total                  £6.12
Scan history
  Sequence  Code           Occurred (GMT)     Event
  ────────  ─────────────  ─────────────────  ──────────────────────────────
         1  label_created  20 Nov 2026 12:00  evt_01m7vkystgeegbv5hxx5fd6kz5
         2  collected      20 Nov 2026 17:00  evt_01m7vkystgeegbv5hxx5fd6kz6
  Hidden columns: tracking_number. Widen the terminal or use --fields.
Estimated delivery date  23 Nov 2026`)
})

test('shows only the lines asked for, under their own names', async () => {
  const columns = [
    { field: 'price.total', label: 'To pay' },
    { field: 'recipient.contact.name', label: 'For' },
    { field: 'reference' },
  ]
  expect(await record(shipment, renderOptions, columns)).toBe('To pay  £6.12\nFor     Ada Lovelace')
})

test('gives a pipe one named value a line, nothing left out', async () => {
  const lines = (await record(shipment, { ...renderOptions, tty: false })).split('\n')
  expect(lines).toContain('reference\t')
  expect(lines).toContain('recipient.contact.name\tAda Lovelace')
  expect(lines).toContain('recipient.address\t10 Downing Street, London SW1A 2AA, GB')
  expect(lines).toContain('parcel.weight_grams\t1400')
  expect(lines).toContain('price.surcharges.0.amount\t0.38 GBP')
  expect(lines).toContain('scan_history.1.occurred_at\t2026-11-20T17:00:00.000+00:00')
})

test('reads aloud without glyphs, label by label', async () => {
  const text = await record(shipment, { ...renderOptions, accessible: true })
  expect(text).not.toMatch(/[─–…]/)
  expect(text).toContain('Recipient:\n  Contact:\n    Name: Ada Lovelace')
})

describe('narrow terminals', () => {
  test.each([30, 40, 60, 80])('at %i columns only an id too long for them stands out', async (room) => {
    const text = await record(shipment, { ...renderOptions, width: room })
    const overlong = text.split('\n').filter((line) => measureTextWidth(line) > room)
    for (const line of overlong) expect(line.split(/\s{2,}/).at(-1)).not.toContain(' ')
    expect(text).toContain('Ada Lovelace')
  })
})

test('rows with a name are shown without their ids', async () => {
  const lines = [{ line_id: 'line_1', item_id: 'itm_1', name: 'Pad Thai', quantity: 2 }]
  const shown = await record({ order_id: 'ord_1', lines }, renderOptions)
  expect(shown).toContain('ord_1')
  expect(shown).not.toMatch(/line_1|itm_1/)
  expect(await record({ lines }, { ...renderOptions, tty: false })).toContain('lines.0.item_id\titm_1')
})
