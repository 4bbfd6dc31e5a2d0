/**
 * Invariants of the courier deliveries that customers requested. It reads the tables themselves,
 * without the code that wrote them.
 */
import type { SqlRow, Tx } from '../../src/core/db.ts'
import { type Amount, givenBack } from './violations.ts'

type Proof = {
  waypoint: string
  pincode_verified?: boolean
  recipient_name: string | null
  media: { sha256: string }[]
} | null

type DeliveryRow = {
  id: string
  quote: string | null
  status: string
  doc: {
    price: Amount
    problems?: { amount: Amount; goodwill: Amount | null }[]
    dropoff: { verification: string[] }
    dropoff_pincode: string | null
    courier: object | null
    proof_of_delivery: Proof
    history: { status: string }[]
    trail: unknown[]
    undeliverable: { reason_code: string } | null
    quoted?: { tax_included: Amount }
  }
}

/** Returns every violation as a sentence; an empty list when there is none. */
export async function checkDeliveries(tx: Tx): Promise<string[]> {
  const runs = (await tx.all('select * from deliveries order by seq')).map(toRun)
  const quotes = await tx.all('select quote_id, used_by, kind, doc from quotes')
  const payments = await tx.all(
    `select resource_id, status, amount, currency, paid_at,
       (select sum(r.amount) from refunds r where r.resource_id = payments.resource_id) as refund_amount from payments`,
  )
  return runs.flatMap((run) =>
    [
      ...life(run),
      ...verified(run),
      ...(run.quote === null
        ? unbilled(run, payments)
        : [
            ...quoted(run, quotes),
            ...paid(
              run,
              payments.find((row) => row['resource_id'] === run.id),
            ),
          ]),
    ].map((problem) => `${run.id}: ${problem}`),
  )
}

/** A delivery moves only with an assigned courier. */
function life({ status, doc }: DeliveryRow): string[] {
  const problems: string[] = []
  let assigned = false
  for (const step of doc.history) {
    if (step.status === 'pending') assigned = false
    if (step.status === 'assigned') assigned = true
    if (!assigned && !['pending', 'cancelled'].includes(step.status))
      problems.push(`is ${step.status} before anybody is assigned`)
  }
  const carried = ['assigned', 'arrived_at_pickup', 'picked_up', 'arrived_at_dropoff', 'returning']
  if (carried.includes(status) && doc.courier === null) problems.push(`is ${status} without a courier`)
  if (status === 'pending' && doc.courier !== null) problems.push('is pending and has a courier')
  if (doc.trail.length > 50) problems.push(`has a trail of ${doc.trail.length} points`)
  return problems
}

/** A delivered parcel was verified in every requested way. */
function verified({ status, doc }: DeliveryRow): string[] {
  const { dropoff, dropoff_pincode, proof_of_delivery: proof } = doc
  const asked = dropoff.verification
  const problems =
    asked.includes('pincode') === (dropoff_pincode !== null) ? [] : ['its pincode is not what was asked for']
  if (status !== 'delivered' || proof === null) return problems
  const pictures = asked.filter((each) => each !== 'pincode').length
  if (proof.waypoint !== 'dropoff') problems.push(`was proven at the ${proof.waypoint}`)
  if (asked.includes('pincode') !== (proof.pincode_verified === true))
    problems.push('its pincode is unproven')
  if (asked.includes('signature') && proof.recipient_name === null) problems.push('nobody signed')
  if (new Set(proof.media.map(({ sha256 }) => sha256)).size < Math.max(1, pictures))
    problems.push(`has ${proof.media.length} pictures of ${asked.join(', ')}`)
  return problems
}

/** The price is that of the one quote. */
function quoted({ id, quote: quoteId, doc }: DeliveryRow, quotes: readonly SqlRow[]): string[] {
  const used = quotes.filter((row) => row['used_by'] === id || row['quote_id'] === quoteId)
  const [only] = used
  if (used.length !== 1 || only?.['used_by'] !== id || only['kind'] !== 'delivery')
    return [`${used.length} quotes of it`]
  const { total, lines } = JSON.parse(String(only['doc'])) as { total: Amount; lines: { amount: Amount }[] }
  const sum = lines.reduce((all, { amount }) => all + amount.amount, 0)
  return total.amount === doc.price.amount && total.currency === doc.price.currency && sum === total.amount
    ? []
    : [`costs ${doc.price.amount}, was quoted ${total.amount}, whose lines add up to ${sum}`]
}

/** A run that came back is paid where nobody was at the door. */
function isLost({ status, doc }: Pick<DeliveryRow, 'status' | 'doc'>, payment: SqlRow): boolean {
  const isKept = doc.undeliverable?.reason_code === 'recipient_unavailable' && payment['paid_at'] !== null
  return status === 'cancelled' || (status === 'returned' && !isKept)
}

/** The paid amount is the price. It is refunded if the delivery fails. */
function paid({ status, doc }: DeliveryRow, payment: SqlRow | undefined): string[] {
  if (payment === undefined) return ['has no payment']
  const problems: string[] = []
  if (Number(payment['amount']) !== doc.price.amount || payment['currency'] !== doc.price.currency)
    problems.push(`pays ${String(payment['amount'])}`)
  const lost = isLost({ status, doc }, payment)
  const fitting = lost ? (payment['paid_at'] === null ? 'failed' : 'refunded') : undefined
  if (fitting !== undefined && payment['status'] !== fitting)
    problems.push(`is ${status}, its payment ${String(payment['status'])}`)
  if (fitting === 'refunded' && Number(payment['refund_amount']) !== doc.price.amount)
    problems.push(`gets ${String(payment['refund_amount'])} back`)
  return lost ? problems : [...problems, ...kept({ status, doc }, payment)]
}

/** Nothing goes back of a run that was brought, save for a problem that was reported. */
function kept({ status, doc }: Pick<DeliveryRow, 'status' | 'doc'>, payment: SqlRow): string[] {
  const problems: string[] = []
  const given = givenBack(doc)
  const brought = given === 0 ? 'paid' : given < doc.price.amount ? 'partially_refunded' : 'refunded'
  if (status === 'delivered' && payment['status'] !== brought) problems.push('was brought and not paid')
  if (Number(payment['refund_amount'] ?? 0) !== given) problems.push(`is ${status} and paid back`)
  return problems
}

/** The delivery of an order costs nothing by itself; the order pays for it. */
function unbilled({ id, doc }: DeliveryRow, payments: readonly SqlRow[]): string[] {
  return [
    ...(doc.price.amount === 0 ? [] : [`costs ${doc.price.amount} beside its order`]),
    ...(payments.some((row) => row['resource_id'] === id) ? ['is paid beside its order'] : []),
  ]
}

function toRun(row: SqlRow): DeliveryRow {
  return {
    id: String(row['delivery_id']),
    quote: row['quote_id'] === null ? null : String(row['quote_id']),
    status: String(row['status']),
    doc: JSON.parse(String(row['doc'])) as DeliveryRow['doc'],
  }
}
