/**
 * Invariants of orders, deliveries and money. It reads the tables
 * themselves, without the code that wrote them.
 */
import type { SqlRow, Tx } from '../../src/core/db.ts'
import { DELIVERY_TRANSITIONS, ORDER_TRANSITIONS, type StateTable } from './state-tables.ts'
import { type Amount, changeOf, pathViolations, violatingRows } from './violations.ts'

/** The possible statuses of a delivery for each status of its order. */
const TOGETHER: StateTable = {
  ready: ['pending', 'assigned', 'arrived_at_pickup'],
  out_for_delivery: ['picked_up', 'arrived_at_dropoff', 'returning'],
  completed: ['delivered'],
  rejected: ['cancelled'],
  failed: ['cancelled', 'returned'],
}

type Life = {
  id: string
  status: string
  doc: { history: { status: string; at: number }[] }
}
type Order = Life & {
  type: string
  quote: string
  delivery: string | null
  doc: {
    lines: { total: Amount }[]
    subtotal: Amount
    fees_total: Amount
    discount_total: Amount
    tax_total: Amount
    prices_include_tax: boolean
    total: Amount
    reduced_by?: number
    scheduled_for: number | null
    check: { status: string; balance: Amount } | null
    proof_of_delivery: unknown
  }
}
type Delivery = Life & { order: string | null; doc: { proof_of_delivery: unknown; pickup_proof: unknown } }
type Refund = { order: string; id: string; status: string; amount: number }
type Payment = {
  order: string
  method: string
  status: string
  amount: number
  currency: string
  paidAt: number | null
}

/** Returns every violation as a sentence; an empty list when there is none. */
export async function checkOrders(tx: Tx): Promise<string[]> {
  const orders = (await tx.all('select * from orders order by seq')).map(toOrder)
  const deliveries = (await tx.all('select * from deliveries order by seq')).map(toDelivery)
  const payments = new Map(
    (await tx.all('select * from payments')).map(toPayment).map((each) => [each.order, each]),
  )
  const refunds = Map.groupBy((await tx.all('select * from refunds')).map(toRefund), ({ order }) => order)
  const changes = Map.groupBy(await tx.all('select resource_id, type, doc from events order by seq'), (row) =>
    String(row['resource_id']),
  )
  const quotes = await tx.all('select quote_id, used_by, doc from quotes')
  const claims = Map.groupBy(await tx.all('select order_id from slot_claims'), (row) =>
    String(row['order_id']),
  )
  return [
    ...(await ledger(tx)),
    ...(await orphans(tx)),
    ...orders.flatMap((order) => [
      ...path(order, ORDER_TRANSITIONS, (changes.get(order.id) ?? []).filter(isChange)),
      ...price(order),
      ...quote(order, quotes),
      ...paid(order, payments.get(order.id), refunds.get(order.id) ?? []),
      ...slots(order, claims.get(order.id) ?? []),
      ...table(order),
    ]),
    ...deliveries.flatMap((delivery) => [
      ...path(delivery, DELIVERY_TRANSITIONS, (changes.get(delivery.id) ?? []).filter(isChange)),
      ...together(delivery, orders),
    ]),
  ]
}

function path(life: Life, table: StateTable, events: readonly SqlRow[]): string[] {
  return pathViolations(life, table, events).map((problem) => `${life.id}: ${problem}`)
}

/** A delay and an adjustment have an event but change no status. */
function isChange(event: SqlRow): boolean {
  const { from, to } = changeOf(event)
  return from !== to
}

/** The parts of each order add up to its total. */
function price({ id, doc }: Order): string[] {
  const { subtotal, fees_total: fees, discount_total: discount, tax_total: tax, total } = doc
  const lines = doc.lines.reduce((sum, line) => sum + line.total.amount, 0)
  const sum = subtotal.amount + fees.amount - discount.amount + (doc.prices_include_tax ? 0 : tax.amount)
  const whole = [subtotal, fees, discount, tax, total].every(
    ({ amount, currency }) => Number.isSafeInteger(amount) && amount >= 0 && currency === total.currency,
  )
  return whole && lines === subtotal.amount && sum === total.amount
    ? []
    : [`${id}: its price does not add up`]
}

/** One quote, one order, at the quoted price. */
function quote({ id, quote: quoteId, doc }: Order, quotes: readonly SqlRow[]): string[] {
  const used = quotes.filter((row) => row['used_by'] === id || row['quote_id'] === quoteId)
  const [only] = used
  if (used.length !== 1 || only?.['used_by'] !== id) return [`${id}: ${used.length} quotes of it`]
  const quoted = (JSON.parse(String(only['doc'])) as { total: Amount }).total
  const same = quoted.amount === doc.total.amount && quoted.currency === doc.total.currency
  return same ? [] : [`${id}: charged ${doc.total.amount}, quoted ${quoted.amount}`]
}

/** The paid amount is the price, less what was removed before, paid before the store began, and refunded if the order failed. */
function paid(
  { id, status, doc }: Order,
  payment: Payment | undefined,
  refunds: readonly Refund[],
): string[] {
  if (payment === undefined) return [`${id}: has no payment`]
  const { method, amount, currency, paidAt } = payment
  const problems = refunded(payment, refunds)
  if (amount !== doc.total.amount - (doc.reduced_by ?? 0) || currency !== doc.total.currency)
    problems.push(`pays ${amount} ${currency}`)
  const accepted = doc.history.find((step) => step.status === 'accepted')
  const first = method === 'card' || method === 'wallet'
  if (first && accepted !== undefined && (paidAt === null || paidAt > accepted.at))
    problems.push('was accepted before it was paid')
  if (!fitting(status, paidAt).includes(payment.status))
    problems.push(`is ${status} and its payment ${payment.status}`)
  return problems.map((problem) => `${id}: ${problem}`)
}

/** Returns the possible statuses of a payment for an order's status. */
function fitting(status: string, paidAt: number | null): string[] {
  const parts = ['partially_refunded', 'refunded', 'refund_pending']
  if (status === 'completed') return ['paid', ...parts]
  if (!['rejected', 'cancelled', 'failed'].includes(status)) return ['paid', 'unpaid', ...parts]
  // The customer of a failed order was not at the door, or it went back to the store.
  if (status === 'failed' && paidAt !== null) return ['paid', ...parts]
  return paidAt === null ? ['failed'] : ['refunded', 'refund_pending']
}

/** A payment says what its refunds come to: a part, all of it on its way, or all of it. */
function refunded({ status, amount }: Payment, refunds: readonly Refund[]): string[] {
  const back = refunds.reduce((sum, refund) => sum + refund.amount, 0)
  const waits = refunds.some((refund) => refund.status === 'pending')
  const whole = waits ? 'refund_pending' : 'refunded'
  const says = back < amount ? 'partially_refunded' : whole
  if (back > amount) return [`gets ${back} of ${amount} back`]
  if (refunds.length === 0 && ['unpaid', 'paid', 'failed'].includes(status)) return []
  return status === says && refunds.length > 0
    ? []
    : [`its payment is ${status}, and ${back} of ${amount} went back`]
}

/** Exactly the orders with a promised slot hold it, while they are active or completed. */
function slots({ id, status, doc }: Order, claims: readonly SqlRow[]): string[] {
  const over = ['rejected', 'cancelled', 'failed'].includes(status)
  const expected = doc.scheduled_for === null || over ? 0 : 1
  return claims.length === expected ? [] : [`${id}: is ${status} and holds ${claims.length} slots`]
}

/** Guests who have not paid have not left. */
function table({ id, status, type, doc }: Order): string[] {
  const { check } = doc
  if (check === null) return []
  const over = ['completed', 'rejected', 'cancelled', 'failed'].includes(status)
  return [
    ...(type === 'dine_in' ? [] : ['has a table check']),
    ...(over && check.status === 'open' ? [`is ${status} with an open check`] : []),
    ...(check.status === 'closed' && check.balance.amount !== 0 ? ['has a closed check with a balance'] : []),
  ].map((problem) => `${id}: ${problem}`)
}

/** An order and its delivery agree. */
function together({ id, status, order: orderId, doc }: Delivery, orders: readonly Order[]): string[] {
  const problems: string[] = []
  const proven = status === 'delivered' || status === 'returned'
  if (proven !== (doc.proof_of_delivery !== null)) problems.push(`is ${status} and its proof says otherwise`)
  const collected = doc.history.some((step) => step.status === 'picked_up')
  if (collected !== (doc.pickup_proof !== null)) problems.push('its proof of pickup says otherwise')
  if (orderId !== null) {
    const order = orders.find((each) => each.id === orderId)
    if (order?.delivery !== id || order.type !== 'delivery')
      problems.push(`is not that of its order ${orderId}`)
    else if (!TOGETHER[order.status]?.includes(status))
      problems.push(`is ${status}, its order ${order.status}`)
    else if ((order.doc.proof_of_delivery !== null) !== (order.status === 'completed'))
      problems.push(`its order is ${order.status} and the proof there says otherwise`)
  }
  return problems.map((problem) => `${id}: ${problem}`)
}

/**
 * Every transaction adds up to zero
 * (docs/rules/money.md#every-transfer-balances), a wallet's balance is the sum of its entries, and refunds are at most the
 * payment, made once.
 */
async function ledger(tx: Tx): Promise<string[]> {
  return violatingRows(tx, {
    'transaction that does not add up':
      'select transaction_id, sum(amount) as sum from ledger group by transaction_id having sum(amount) <> 0',
    'wallet that is not what went in and out': `
      select w.account_id, w.balance, coalesce(sum(l.amount), 0) as sum from wallets w
      left join ledger l on l.account = 'wallet:' || w.account_id
      group by w.account_id, w.balance having w.balance <> coalesce(sum(l.amount), 0) or w.balance < 0`,
    'two captures of one resource': `
      select resource_id, kind from ledger where kind = 'capture' group by resource_id, kind
      having count(distinct transaction_id) > 1`,
    'payment that the ledger knows otherwise': `
      select p.resource_id, p.status from payments p
      left join ledger c on c.resource_id = p.resource_id and c.kind = 'capture' and c.amount > 0
      left join (select resource_id, sum(amount) as amount from ledger where kind = 'refund' and amount > 0
        group by resource_id) r on r.resource_id = p.resource_id
      where p.amount > 0 and (coalesce(c.amount, 0) <> case when p.paid_at is null then 0 else p.amount end
        or coalesce(r.amount, 0) <> coalesce((select sum(b.amount) from refunds b
          where b.resource_id = p.resource_id and b.status = 'succeeded'), 0))`,
  })
}

/** Every plan and event has its resource, and every open order and delivery has a plan. */
async function orphans(tx: Tx): Promise<string[]> {
  return violatingRows(tx, {
    'plan for an order that is over or is not there': `
      select t.seq, t.event, o.order_id, o.status from timeline t left join orders o on o.order_id = t.resource_id
      where t.kind = 'order' and (o.order_id is null or
        (o.status in ('completed', 'rejected', 'cancelled', 'failed') and t.event <> 'refund_settles'
        and t.event not like 'problem%'))`,
    'placed order that nobody will ever decide about': `
      select o.order_id from orders o where o.status = 'placed' and not exists (select 1 from timeline t
      where t.resource_id = o.order_id and t.event in ('accept', 'staff_accepts', 'reject', 'not_accepted'))`,
    'order of a store that waits for nobody and is not over': `
      select o.order_id, o.status, o.fulfillment_type from orders o
      where o.status in ('accepted', 'preparing', 'ready') and o.doc not like '%"store_manual"%'
        and (o.status <> 'ready' or o.fulfillment_type <> 'delivery') and not exists (select 1 from timeline t
        where t.resource_id = o.order_id and t.event in ('preparing', 'ready', 'collected', 'staff_takes_over'))`,
    'two plans of one kind for one order': `
      select resource_id, event from timeline where kind = 'order'
      and event not in ('refund_settles', 'question_over') and event not like 'problem%'
      group by resource_id, event having count(*) > 1`,
    'delivery with other than one plan': `
      select d.delivery_id, d.status, count(t.seq) as plans from deliveries d
      left join timeline t on t.resource_id = d.delivery_id group by d.delivery_id, d.status
      having count(t.seq) <> case when d.status in ('delivered', 'returned', 'cancelled') then 0 else 1 end`,
    'plan of a delivery that does not lead to its order': `
      select t.seq from timeline t left join deliveries d on d.delivery_id = t.resource_id
      where t.kind = 'delivery' and (d.delivery_id is null or coalesce(t.link_id, '') <> coalesce(d.order_id, ''))`,
    'event without its order or delivery': `
      select e.event_id, e.type from events e left join orders o on o.order_id = e.resource_id
      left join deliveries d on d.delivery_id = e.resource_id
      where (e.type like 'food_order.%' and o.order_id is null) or (e.type like 'delivery.%' and d.delivery_id is null)`,
    'counter behind what it counted': `
      select w.seq from world w where w.seq < (select coalesce(max(seq), 0) from orders)
      or w.seq < (select coalesce(max(seq), 0) from deliveries) or w.seq < (select coalesce(max(seq), 0) from ledger)
      or exists (select 1 from orders where created_at > w.clock_high)`,
  })
}

function toOrder(row: SqlRow): Order {
  return {
    id: String(row['order_id']),
    status: String(row['status']),
    type: String(row['fulfillment_type']),
    quote: String(row['quote_id']),
    delivery: row['delivery_id'] === null ? null : String(row['delivery_id']),
    doc: JSON.parse(String(row['doc'])) as Order['doc'],
  }
}

function toDelivery(row: SqlRow): Delivery {
  return {
    id: String(row['delivery_id']),
    status: String(row['status']),
    order: row['order_id'] === null ? null : String(row['order_id']),
    doc: JSON.parse(String(row['doc'])) as Delivery['doc'],
  }
}

function toPayment(row: SqlRow): Payment {
  const number = (column: string) => (row[column] === null ? null : Number(row[column]))
  return {
    order: String(row['resource_id']),
    method: String(row['method']),
    status: String(row['status']),
    amount: Number(row['amount']),
    currency: String(row['currency']),
    paidAt: number('paid_at'),
  }
}

function toRefund(row: SqlRow): Refund {
  return {
    order: String(row['resource_id']),
    id: String(row['refund_id']),
    status: String(row['status']),
    amount: Number(row['amount']),
  }
}
