/**
 * The entries in the books of stores: captures, refunds, and adjustments without money, each written when it happens. Statements
 * and documents of business days sum them without any order. The rows for older entries hold their closed days alone;
 * `backfillMarket` writes all entries again.
 */
export const storeEntries: readonly string[] = [
  `create table store_entries (
    seq {int} primary key,
    merchant_id {text} not null references merchants (merchant_id),
    order_id {text} not null references orders (order_id),
    at {int} not null,
    kind {text} not null check (kind in ('capture', 'refund', 'adjustment')),
    refund_id {text},
    method {text} not null,
    collected_by {text} not null,
    reason {text},
    borne_by {text},
    is_posted {int} not null,
    amount {int} not null,
    share {int} not null,
    collected {int} not null,
    goods_back {int} not null,
    fees {int} not null,
    tips {int} not null,
    platform_discount {int} not null,
    store_discount {int} not null,
    closed_day {int}
  ) {strict}`,
  // The goods of a capture by item, and the change of the tax by its rate in basis points.
  `create table store_entry_parts (
    seq {int} not null references store_entries (seq),
    kind {text} not null check (kind in ('goods', 'vat')),
    key {text} not null,
    net {int} not null,
    vat {int} not null,
    primary key (seq, kind, key)
  ) {strict}`,
  `insert into store_entries (seq, merchant_id, order_id, at, kind, refund_id, method, collected_by, is_posted, amount, share,
      collected, goods_back, fees, tips, platform_discount, store_discount, closed_day)
    select row_number() over (order by e.at), e.merchant_id, e.order_id, e.at, e.kind, e.refund_id, '', '', 0, 0, 0, 0, 0, 0, 0,
      0, 0, e.closed_day
    from (
      select merchant_id, resource_id as order_id, paid_at as at, 'capture' as kind, null as refund_id, closed_day from payments
      where closed_day is not null
      union all select merchant_id, resource_id, refunded_at, 'refund', refund_id, closed_day from refunds
      where closed_day is not null) as e`,
  `create index store_entries_in_order on store_entries (merchant_id, at, seq)`,
  `create index store_entries_unclosed on store_entries (merchant_id, at, seq) where closed_day is null`,
  `drop index payments_by_store`,
  `drop index payments_unclosed`,
  `drop index refunds_by_store`,
  `drop index refunds_unclosed`,
  `alter table payments drop column closed_day`,
  `alter table refunds drop column closed_day`,
  `create index payments_unpaid on payments (merchant_id, created_at, resource_id)
    where merchant_id is not null and status = 'unpaid'`,
  // The sum of an account reads no row of the table.
  `drop index ledger_by_account`,
  `create index ledger_by_account on ledger (account, at, seq, amount)`,
  `create index ledger_payouts on ledger (account, at, amount) where kind = 'payout'`,
]
