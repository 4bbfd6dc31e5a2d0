/** Invariants of rides. It reads the tables themselves, without the code that wrote them. */
import type { SqlRow, Tx } from '../../src/core/db.ts'
import { RIDE_TRANSITIONS } from './state-tables.ts'
import { type Amount, givenBack, pathViolations } from './violations.ts'

type Ride = {
  id: string
  quote: string
  status: string
  tier: string
  driver: string | null
  doc: {
    fare: Amount
    tax_included: Amount
    lines: { amount: Amount }[]
    driver: { driver_id: string } | null
    leg: { starts_at: number; ends_at: number } | null
    scheduled_for: number | null
    dispatch: { attempt: number; candidates_tried: number }
    cancellation: { by: string; fee: Amount } | null
    problems?: { amount: Amount; goodwill: Amount | null }[]
    receipt: { charged: Amount; lines: { amount: Amount }[] } | null
    completed_at: number | null
    history: { status: string; at: number; reason: string | null }[]
  }
}

const DRIVEN = ['accepted', 'arriving', 'arrived', 'in_progress', 'completed']
const OVER = ['completed', 'cancelled', 'no_drivers_available']

/** Returns every violation as a sentence; an empty list when there is none. */
export async function checkRides(tx: Tx): Promise<string[]> {
  const rides = (await tx.all('select * from rides order by seq')).map(toRide)
  const quotes = await tx.all("select quote_id, used_by, doc from quotes where kind = 'ride'")
  const payments = await tx.all(
    `select resource_id, method, status, amount, paid_at,
       (select sum(r.amount) from refunds r where r.resource_id = payments.resource_id) as refund_amount from payments`,
  )
  const planned = await tx.all("select resource_id from timeline where kind = 'ride'")
  const changes = await tx.all("select resource_id, doc from events where type like 'ride.%' order by seq")
  return rides.flatMap((ride) => {
    const of = (rows: SqlRow[], column: string) => rows.filter((row) => row[column] === ride.id)
    return [
      ...life(ride, of(changes, 'resource_id'), of(payments, 'resource_id')[0]),
      ...driven(ride),
      ...punctual(ride),
      ...quoted(
        ride,
        quotes.find((row) => row['quote_id'] === ride.quote),
      ),
      ...charged(ride, of(payments, 'resource_id')[0]),
      ...(!OVER.includes(ride.status) && of(planned, 'resource_id').length === 0
        ? ['waits for nothing and is not over']
        : []),
    ].map((problem) => `${ride.id}: ${problem}`)
  })
}

/** The history is a path of the table in time order, and each search counts. None begins before a card has settled. */
function life(ride: Ride, changes: readonly SqlRow[], payment: SqlRow | undefined): string[] {
  const { doc } = ride
  const problems = pathViolations(ride, RIDE_TRANSITIONS, changes)
  const isUnsettled = payment?.['method'] === 'card' && payment['paid_at'] === null
  const searches = isUnsettled ? 0 : doc.history.filter((step) => step.status === 'processing').length
  if (doc.dispatch.attempt !== searches)
    problems.push(`searched ${searches} times, counts ${doc.dispatch.attempt}`)
  if (doc.dispatch.candidates_tried > 3) problems.push(`was offered ${doc.dispatch.candidates_tried} times`)
  return problems
}

/** A ride has exactly one driver while it is driven, otherwise none. */
function driven({ status, driver, doc }: Ride): string[] {
  const problems: string[] = []
  if (DRIVEN.includes(status) !== (driver !== null)) problems.push(`is ${status} with driver ${driver}`)
  if (driver !== (doc.driver?.driver_id ?? null)) problems.push('has two drivers')
  if (doc.leg !== null && !DRIVEN.includes(status)) problems.push(`moves while ${status}`)
  if (doc.leg !== null && doc.leg.ends_at < doc.leg.starts_at) problems.push('arrives before it sets off')
  if ((doc.completed_at !== null) !== (status === 'completed')) problems.push('is and is not completed')
  return problems
}

/** A scheduled ride gets its driver at most five minutes early, and starts or is cancelled after its time. */
function punctual({ doc }: Ride): string[] {
  const { scheduled_for, history } = doc
  if (scheduled_for === null) return []
  return history.flatMap(({ status, at, reason }) => {
    const earliest =
      status === 'arrived'
        ? scheduled_for - 300_000
        : reason === 'rider_no_show'
          ? scheduled_for + 300_000
          : status === 'in_progress'
            ? scheduled_for
            : 0
    return at < earliest ? [`is ${status} ${(scheduled_for - at) / 1000} s before its time`] : []
  })
}

/** The fare is that of the quote for its tier, and what makes it up. */
function quoted({ id, tier, doc }: Ride, quote: SqlRow | undefined): string[] {
  if (quote?.['used_by'] !== id) return ['is not what its quote was used for']
  const { fares } = JSON.parse(String(quote['doc'])) as {
    fares: { tier: string; fare: Amount; lines: { amount: Amount }[] }[]
  }
  const fare = fares.find((each) => each.tier === tier)
  const problems: string[] = []
  if (fare?.fare.amount !== doc.fare.amount || fare.fare.currency !== doc.fare.currency)
    problems.push(`costs ${doc.fare.amount}, quoted was ${fare?.fare.amount}`)
  if (sum(doc.lines) !== doc.fare.amount) problems.push('its lines are not its fare')
  if (doc.tax_included.amount > doc.fare.amount) problems.push('is all tax')
  return problems
}

function charged({ status, doc }: Ride, payment: SqlRow | undefined): string[] {
  const { receipt, cancellation, fare } = doc
  if (payment === undefined) return ['has no payment']
  const problems: string[] = []
  if (Number(payment['amount']) !== fare.amount) problems.push('its payment is not its fare')
  if ((receipt !== null) !== OVER.includes(status))
    problems.push(`is ${status} and has ${receipt ? 'a' : 'no'} receipt`)
  if ((cancellation !== null) !== (status === 'cancelled')) problems.push('is and is not cancelled')
  if (receipt === null) return problems
  return [...problems, ...receiptProblems({ status, doc }, receipt, payment)]
}

function receiptProblems(
  { status, doc }: Pick<Ride, 'status' | 'doc'>,
  receipt: NonNullable<Ride['doc']['receipt']>,
  payment: SqlRow,
): string[] {
  const { fare, cancellation } = doc
  const problems: string[] = []
  const wanted = status === 'completed' ? fare.amount : (cancellation?.fee.amount ?? 0)
  if (receipt.charged.amount !== wanted) problems.push(`charges ${receipt.charged.amount}, not ${wanted}`)
  if (receipt.charged.amount > fare.amount) problems.push('charges more than its fare')
  if (sum(receipt.lines) !== receipt.charged.amount) problems.push('its receipt does not add up')
  const captured = payment['paid_at'] === null ? 0 : Number(payment['amount'])
  const back = Number(payment['refund_amount'] ?? 0)
  const kept = captured - back
  if ((payment['status'] === 'partially_refunded') !== (back > 0 && kept > 0))
    problems.push(`keeps ${kept} of ${captured} and its payment is ${String(payment['status'])}`)
  if (kept + givenBack(doc) !== receipt.charged.amount)
    problems.push(`keeps ${kept} and charges ${receipt.charged.amount}`)
  return problems
}

function sum(lines: readonly { amount: Amount }[]): number {
  return lines.reduce((total, { amount }) => total + amount.amount, 0)
}

function toRide(row: SqlRow): Ride {
  return {
    id: String(row['ride_id']),
    quote: String(row['quote_id']),
    status: String(row['status']),
    tier: String(row['tier']),
    driver: row['driver_id'] === null ? null : String(row['driver_id']),
    doc: JSON.parse(String(row['doc'])) as Ride['doc'],
  }
}
