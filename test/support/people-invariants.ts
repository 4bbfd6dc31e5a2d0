/**
 * Invariants of drivers, couriers, taskers and providers: nobody does two jobs at once, and nobody
 * is reserved for a finished job. It reads the tables of rides, deliveries and tasks, not the reservations that
 * enforce this.
 */
import type { SqlRow, Tx } from '../../src/core/db.ts'

type Span = { person: string; job: string; from: number; to: number }
type Step = { status: string; at: number }

/** Returns every violation as a sentence; an empty list when there is none. */
export async function checkPeople(tx: Tx): Promise<string[]> {
  const spans = [await rides(tx), await deliveries(tx), await tasks(tx), await visits(tx)].flat()
  const busy = Map.groupBy(spans, ({ person }) => person)
  const overlapping = [...busy.values()].flatMap((own) => {
    const sorted = own.toSorted((a, b) => a.from - b.from || a.to - b.to)
    return sorted.flatMap((span, index) => {
      const next = sorted[index + 1]
      return next !== undefined && next.from < span.to ? [`${span.person}: ${span.job} and ${next.job}`] : []
    })
  })
  const doubled = await tx.all(
    `select a.person_id, a.job_id as one, b.job_id as other from assignments a join assignments b
     on a.person_id = b.person_id and a.job_id < b.job_id and a.starts_at < b.ends_at and b.starts_at < a.ends_at`,
  )
  const held = await tx.all(
    `select order_id, status from assignments join orders on order_id = job_id
     where status not in ('placed', 'accepted', 'preparing')`,
  )
  return [
    ...[...overlapping, ...doubled.map((row) => `reserved twice: ${JSON.stringify(row)}`)].map(
      (problem) => `a person does two jobs at once: ${problem}`,
    ),
    ...held.map((row) => `a courier is held for an order that cooks no more: ${JSON.stringify(row)}`),
  ]
}

/** Returns the spans from each acceptance to the next state without a driver; the events name every driver. */
async function rides(tx: Tx): Promise<Span[]> {
  const rows = await tx.all(
    "select resource_id, occurred_at, doc from events where type like 'ride.%' order by seq",
  )
  const open = new Map<string, Span>()
  const spans: Span[] = []
  for (const row of rows) {
    const job = String(row['resource_id'])
    const { to, data } = JSON.parse(String(row['doc'])) as { to: string; data: { driver_id: string | null } }
    const at = Number(row['occurred_at'])
    const span = open.get(job)
    if (to === 'accepted') open.set(job, { person: data.driver_id ?? '', job, from: at, to: Infinity })
    else if (span !== undefined && ['processing', 'completed', 'cancelled'].includes(to)) {
      spans.push({ ...span, to: at })
      open.delete(job)
    }
  }
  return [...spans, ...open.values()]
}

async function deliveries(tx: Tx): Promise<Span[]> {
  return (await tx.all('select delivery_id as job, doc from deliveries')).flatMap((row) =>
    spanOf(row, 'courier', 'courier_id', 'assigned', ['delivered', 'returned', 'cancelled']),
  )
}

async function tasks(tx: Tx): Promise<Span[]> {
  return (await tx.all('select task_id as job, doc from tasks')).flatMap((row) =>
    spanOf(row, 'provider', 'tasker_id', 'en_route', ['completed', 'failed', 'cancelled']),
  )
}

/** Returns the spans from the travel to a customer to the end of the work. */
async function visits(tx: Tx): Promise<Span[]> {
  const rows = await tx.all('select booking_id, provider_id, doc from bookings')
  return rows.flatMap((row) => {
    const { history } = JSON.parse(String(row['doc'])) as { history: Step[] }
    const from = history.find(({ status }) => status === 'en_route')
    if (from === undefined) return []
    const to = history.find(({ status }) => ['completed', 'no_show', 'cancelled'].includes(status))
    const [person, job] = [String(row['provider_id']), String(row['booking_id'])]
    return [{ person, job, from: from.at, to: to?.at ?? Infinity }]
  })
}

/** Returns the span of the last person with the job. */
function spanOf(row: SqlRow, who: string, id: string, begins: string, ends: readonly string[]): Span[] {
  const doc = JSON.parse(String(row['doc'])) as Record<string, unknown> & { history: Step[] }
  const person = (doc[who] as Record<string, string> | null)?.[id]
  const from = doc.history.findLast(({ status }) => status === begins)
  if (person === undefined || from === undefined) return []
  const to = doc.history.find(({ status, at }) => ends.includes(status) && at >= from.at)
  return [{ person, job: String(row['job']), from: from.at, to: to?.at ?? Infinity }]
}
