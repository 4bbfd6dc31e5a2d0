/** The charges of parcels, written when each is due: pages of an invoice walk the index, and its sums read nothing else. */
export const invoiceLines: readonly string[] = [
  `create table invoice_lines (
    seq {int} primary key,
    agreement_id {text} not null references carrier_agreements (agreement_id),
    at {int} not null,
    kind {text} not null check (kind in ('parcel', 'return', 'claim', 'cash')),
    tracking_number {text} not null references shipments (tracking_number),
    customer {text},
    subtotal {int} not null,
    net {int} not null,
    vat_bps {int} not null,
    vat {int} not null
  ) {strict}`,
  `create index invoice_lines_in_order on invoice_lines (agreement_id, at, seq, customer, kind, vat_bps, net, vat)`,
]
