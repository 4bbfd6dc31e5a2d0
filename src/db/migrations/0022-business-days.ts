/**
 * The documents of closed business days. Payments and refunds hold the number of the document in which they count: another
 * transaction may record an entry of an earlier instant right after a close, so that time alone cannot tell.
 */
export const businessDays: readonly string[] = [
  `create table business_days (
    merchant_id {text} not null references merchants (merchant_id),
    number {int} not null check (number >= 1),
    paid_out {int} not null,
    doc {text} not null,
    primary key (merchant_id, number)
  ) {strict}`,
  `alter table payments add column closed_day {int}`,
  `alter table refunds add column closed_day {int}`,
  `create index payments_unclosed on payments (merchant_id, paid_at)
    where merchant_id is not null and closed_day is null and paid_at is not null`,
  `create index refunds_unclosed on refunds (merchant_id, refunded_at) where merchant_id is not null and closed_day is null`,
]
