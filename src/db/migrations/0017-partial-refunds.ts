const STATUSES = `'unpaid', 'paid', 'partially_refunded', 'refund_pending', 'refunded', 'failed'`

/**
 * A payment of which a part went back has a status of its own, in the order's row, too. SQLite changes no CHECK: a column
 * with the new one takes the place of the old one.
 */
export const partialRefunds: readonly string[] = [
  `alter table payments add column new_status {text} not null default 'unpaid' check (new_status in (${STATUSES}))`,
  `update payments set new_status = case
    when status in ('refunded', 'refund_pending') and refund_amount > 0 and refund_amount < amount then 'partially_refunded'
    else status end`,
  `alter table payments drop column status`,
  `alter table payments rename column new_status to status`,
  `drop index orders_by_kind`,
  `alter table orders add column new_payment_status {text} not null default 'unpaid'
    check (new_payment_status in (${STATUSES}))`,
  `update orders set new_payment_status = coalesce(
    (select p.status from payments p where p.resource_id = orders.order_id), payment_status)`,
  `alter table orders drop column payment_status`,
  `alter table orders rename column new_payment_status to payment_status`,
  `create index orders_by_kind on orders (merchant_id, status, payment_status, fulfillment_type, created_at, seq)`,
]
