/**
 * A payment has several refunds, each a row of its own, and an order's payment knows its store and what the store is due of
 * it. SQLite changes no CHECK, so that the table of payments is made again, and the kinds of the ledger in a new column.
 */
export const refunds: readonly string[] = [
  `alter table payments rename to payments_before`,
  // `share` is the change of what the store is due, by the capture or the refund; null where none was posted.
  `create table payments (
    resource_id {text} primary key,
    payment_id {text} not null unique,
    account_id {text} not null references accounts (account_id),
    merchant_id {text},
    method {text} not null check (method in ('card', 'wallet', 'cash', 'pay_at_table')),
    status {text} not null check (status in ('unpaid', 'paid', 'partially_refunded', 'refund_pending', 'refunded', 'failed')),
    collected_by {text} not null check (collected_by in ('platform', 'store_processor', 'store')),
    amount {int} not null check (amount >= 0),
    currency {text} not null,
    created_at {int} not null,
    paid_at {int},
    share {int}
  ) {strict}`,
  `insert into payments (resource_id, payment_id, account_id, merchant_id, method, status, collected_by, amount, currency,
      created_at, paid_at)
    select p.resource_id, p.payment_id, p.account_id, o.merchant_id, p.method, p.status, p.collected_by, p.amount, p.currency,
      p.created_at, p.paid_at
    from payments_before p left join orders o on o.order_id = p.resource_id`,
  `create table refunds (
    refund_id {text} primary key,
    resource_id {text} not null,
    position {int} not null check (position >= 1),
    merchant_id {text},
    status {text} not null check (status in ('pending', 'succeeded', 'failed')),
    destination {text} not null check (destination in ('platform_wallet', 'card_via_store_processor', 'original_method')),
    amount {int} not null check (amount >= 0),
    reason {text} not null,
    borne_by {text} check (borne_by in ('store', 'platform')),
    share {int},
    refunded_at {int} not null,
    settled_at {int},
    unique (resource_id, position)
  ) {strict}`,
  `insert into refunds (refund_id, resource_id, position, merchant_id, status, destination, amount, reason, borne_by,
      refunded_at, settled_at)
    select p.refund_id, p.resource_id, 1, o.merchant_id, p.refund_status, p.refund_destination, p.refund_amount,
      p.refund_reason, case when o.order_id is null then null when o.status = 'failed' then 'platform' else 'store' end,
      p.refunded_at, p.refund_settled_at
    from payments_before p left join orders o on o.order_id = p.resource_id
    where p.refund_id is not null`,
  `drop table payments_before`,
  `create index payments_by_store on payments (merchant_id, paid_at) where merchant_id is not null`,
  `create index refunds_by_store on refunds (merchant_id, refunded_at) where merchant_id is not null`,
  `alter table ledger add column new_kind {text} not null default 'opening'
    check (new_kind in ('opening', 'capture', 'refund', 'share', 'payout'))`,
  `update ledger set new_kind = kind`,
  `alter table ledger drop column kind`,
  `alter table ledger rename column new_kind to kind`,
]
