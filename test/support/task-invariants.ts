/**
 * Invariants of tasks and evidence. It reads the tables themselves, without the code that
 * wrote them.
 */
import { createHash } from 'node:crypto'
import type { SqlRow, Tx } from '../../src/core/db.ts'
import type { GeoPoint } from './distance.ts'
import { TASK_TRANSITIONS } from './state-tables.ts'
import { type Amount, pathViolations, violatingRows } from './violations.ts'

const OVER = `'completed', 'failed', 'cancelled', 'unfulfilled'`

type Rule = { requirement_id: string; min_count: number; geofence_radius_m: number }
type Task = {
  id: string
  quote: string
  status: string
  tasker: string | null
  doc: {
    price: Amount
    callout_fee: Amount
    place: { location: GeoPoint }
    evidence_rules: Rule[]
    started_at: number | null
    completed_at: number | null
    sequence: number
    history: { status: string; at: number }[]
  }
}
type Item = {
  id: string
  task: string
  sequence: number
  requirement: string
  status: string
  doc: {
    item: {
      captured_at: string
      capture_location: GeoPoint
      media: { media_id: string; sha256: string; byte_size: number } | null
    }
  }
}

/** Returns every violation as a sentence; an empty list when there is none. */
export async function checkTasks(tx: Tx): Promise<string[]> {
  const tasks = (await tx.all('select * from tasks order by seq')).map(toTask)
  const items = Map.groupBy(
    (await tx.all('select * from evidence_items order by task_id, sequence')).map(toItem),
    ({ task }) => task,
  )
  const events = Map.groupBy(
    await tx.all(`select resource_id, doc from events where type like 'task.%' order by seq`),
    (row) => String(row['resource_id']),
  )
  const problems = [...(await orphans(tx))]
  for (const task of tasks) {
    const own = items.get(task.id) ?? []
    const found = [
      ...pathViolations(task, TASK_TRANSITIONS, events.get(task.id) ?? []),
      ...staff(task),
      ...counted(task, own),
      ...verdict(task, own),
      ...(await money(tx, task)),
      ...(await pictures(tx, own)),
    ]
    problems.push(...found.map((problem) => `${task.id} ${problem}`))
  }
  return problems
}

function staff({ status, tasker }: Task): string[] {
  const has = ['assigned', 'en_route', 'in_progress', 'under_review', 'completed', 'failed'].includes(status)
  if (has && tasker === null) return [`is ${status} and has nobody`]
  return ['created', 'unfulfilled'].includes(status) && tasker !== null
    ? [`is ${status} and has somebody`]
    : []
}

function counted({ doc }: Task, items: readonly Item[]): string[] {
  const gaps = items.filter(({ sequence }, index) => sequence !== index + 1)
  return [
    ...gaps.map(({ id }) => `has ${id} out of its order`),
    ...(doc.sequence === items.length ? [] : [`counts ${doc.sequence} items and has ${items.length}`]),
  ]
}

/** A completed task has accepted items for every rule, each captured at the place and during the work. */
function verdict({ status, doc }: Task, items: readonly Item[]): string[] {
  if (status !== 'completed') return []
  const accepted = items.filter((item) => item.status === 'accepted')
  const lacking = doc.evidence_rules.filter(
    ({ requirement_id, min_count }) =>
      accepted.filter(({ requirement }) => requirement === requirement_id).length < min_count,
  )
  const wrong = accepted.filter(({ requirement, doc: { item } }) => {
    const rule = doc.evidence_rules.find(({ requirement_id }) => requirement_id === requirement)
    const captured = Date.parse(item.captured_at)
    const inTime = captured >= (doc.started_at ?? Infinity) && captured <= (doc.completed_at ?? 0)
    const metres = metresBetween(item.capture_location, doc.place.location)
    return !inTime || rule === undefined || metres > rule.geofence_radius_m + 0.5
  })
  return [
    ...lacking.map(({ requirement_id }) => `is completed without ${requirement_id}`),
    ...wrong.map(({ id }) => `is completed with ${id}, from elsewhere or another time`),
    ...items
      .filter((item) => item.status === 'pending_review')
      .map(({ id }) => `is over and never judged ${id}`),
  ]
}

/** The paid amount is the quoted price; the kept part is zero, the call-out fee, or all of it. */
async function money(tx: Tx, { id, quote, status, doc }: Task): Promise<string[]> {
  const asked = await tx.get('select used_by, doc from quotes where quote_id = $1', quote)
  const payment = await tx.get(
    `select status, amount, (select coalesce(sum(r.amount), 0) from refunds r where r.resource_id = payments.resource_id) as back
     from payments where resource_id = $1`,
    id,
  )
  if (payment === undefined) return ['has no payment']
  const quoted =
    asked === undefined ? undefined : (JSON.parse(String(asked['doc'])) as { total: Amount }).total
  const back = Number(payment['back'])
  const kept = Number(payment['amount']) - back
  const right: Readonly<Record<string, number>> = {
    cancelled: 0,
    unfulfilled: 0,
    failed: Math.min(doc.callout_fee.amount, doc.price.amount),
  }
  const isPaid = ['paid', 'partially_refunded', 'refunded'].includes(String(payment['status']))
  return [
    ...(quoted?.amount === doc.price.amount ? [] : ['costs other than was quoted']),
    ...(Number(payment['amount']) === doc.price.amount ? [] : ['charged other than it costs']),
    ...(asked?.['used_by'] === id ? [] : ['has a quote that knows nothing of it']),
    ...(isPaid ? misnamed(String(payment['status']), kept, back) : []),
    ...(isPaid && kept !== (right[status] ?? doc.price.amount) ? [`is ${status} and keeps ${kept}`] : []),
  ]
}

function misnamed(status: string, kept: number, back: number): string[] {
  const wanted = back === 0 ? 'paid' : kept > 0 ? 'partially_refunded' : 'refunded'
  return status === wanted ? [] : [`keeps ${kept} and its payment is ${status}`]
}

/** Every picture has the hash in its evidence. */
async function pictures(tx: Tx, items: readonly Item[]): Promise<string[]> {
  const problems: string[] = []
  for (const { id, doc } of items) {
    const { media } = doc.item
    if (media === null) continue
    const row = await tx.get(
      'select b.bytes from media m join blobs b on b.sha256 = m.sha256 where m.media_id = $1',
      media.media_id,
    )
    const bytes = row?.['bytes']
    const isTrue =
      bytes instanceof Uint8Array &&
      bytes.length === media.byte_size &&
      createHash('sha256').update(bytes).digest('hex') === media.sha256
    if (!isTrue) problems.push(`has ${id}, whose picture is another one`)
  }
  return problems
}

function orphans(tx: Tx): Promise<string[]> {
  return violatingRows(tx, {
    'task with other than one plan': `
      select k.task_id, k.status, count(t.seq) as plans from tasks k
      left join timeline t on t.resource_id = k.task_id and t.event not in ('payment_settles', 'refund_settles')
      group by k.task_id, k.status having count(t.seq) <> case when k.status in (${OVER}) then 0 else 1 end`,
    'plan for a task that is not there': `
      select t.seq from timeline t left join tasks k on k.task_id = t.resource_id
      where t.kind = 'task' and k.task_id is null`,
    'event without its task': `
      select e.event_id from events e left join tasks k on k.task_id = e.resource_id
      where e.type like 'task.%' and k.task_id is null`,
    'counter behind its tasks': `
      select w.seq from world w where w.seq < (select coalesce(max(seq), 0) from tasks)
      or exists (select 1 from tasks where created_at > w.clock_high)`,
  })
}

/** Returns the distance by another formula than the program's, which suffices near a door. */
function metresBetween(a: GeoPoint, b: GeoPoint): number {
  const north = (a.latitude - b.latitude) * 111_195
  const east = (a.longitude - b.longitude) * 111_195 * Math.cos((b.latitude * Math.PI) / 180)
  return Math.hypot(north, east)
}

function toTask(row: SqlRow): Task {
  return {
    id: String(row['task_id']),
    quote: String(row['quote_id']),
    status: String(row['status']),
    tasker: row['tasker_id'] === null ? null : String(row['tasker_id']),
    doc: JSON.parse(String(row['doc'])) as Task['doc'],
  }
}

function toItem(row: SqlRow): Item {
  return {
    id: String(row['evidence_id']),
    task: String(row['task_id']),
    sequence: Number(row['sequence']),
    requirement: String(row['requirement_id']),
    status: String(row['status']),
    doc: JSON.parse(String(row['doc'])) as Item['doc'],
  }
}
