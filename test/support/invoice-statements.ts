/** Every statement about the lines of invoices, for the test that runs all of them on both engines. */
import * as lines from '../../src/areas/carrier/queries/invoice-lines.ts'
import type { ShipmentRecord } from '../../src/areas/carrier/queries/shipments.ts'
import type { Tx } from '../../src/core/db.ts'

const AT = 1_790_000_000_000
const CHARGE = { at: AT, subtotal: 420, net: 454, vat_bps: 2000, vat: 91 }
const PART = { from: AT, to: AT + 1, until: Number.MAX_SAFE_INTEGER }

/** Returns the statements; they need the agreement and the parcel. */
export function invoiceStatements(
  parcel: ShipmentRecord,
): readonly (readonly [name: string, run: (tx: Tx) => Promise<unknown>])[] {
  const { agreement_id } = parcel
  return [
    [
      'insertInvoiceCharges',
      (tx) =>
        lines.insertInvoiceCharges(tx, AT, [
          [parcel, { ...CHARGE, kind: 'parcel' }],
          [parcel, { ...CHARGE, kind: 'cash' }],
        ]),
    ],
    ['lastInvoiceLine', lines.lastInvoiceLine],
    ['fillInvoiceLines', (tx) => lines.fillInvoiceLines(tx, AT)],
    ...[undefined, '', 'Green Cup'].flatMap((customer) => [
      [
        'sumInvoiceLines',
        (tx: Tx) => lines.sumInvoiceLines(tx, agreement_id, { ...PART, customer }),
      ] as const,
      ...[undefined, { at: AT, seq: 1 }].map(
        (after) =>
          [
            'listInvoiceLines',
            (tx: Tx) => lines.listInvoiceLines(tx, agreement_id, { ...PART, customer }, { after, limit: 2 }),
          ] as const,
      ),
    ]),
  ]
}
