/**
 * Measures ten thousand couriers at work: one day of them beside the same writes without the program, and the
 * response time of a caller who follows one of them in the meantime.
 */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MAX_DUE_BATCH_EVENTS } from '../src/db/timeline.ts'
import { count, type FigureLine, type FigureTable } from './figures.ts'
import { dray, runChild, startService } from './program.ts'
import type { Homes } from './startup.ts'

const STORE = 'data/default/dray.db'
const RUNS = 10_000
/** The hours within which they start, one after the other. */
const HOURS = 12
const FOLLOWED_MS = 4000
/**
 * The speed of the sandbox clock: a day in each second, so that everything is due and stays due during the
 * measurement.
 */
const FACTOR = 86_400

type Row = Record<string, string | number | bigint | Uint8Array | null>

export async function measureMotion({ folder, fresh }: Homes): Promise<FigureTable[]> {
  const moving = join(folder, 'moving')
  cpSync(fresh, moving, { recursive: true })
  const id = await setOut(moving)
  return [await measureDay(folder, moving), await measureFollowing(folder, moving, id)]
}

/** Requests one delivery and copies it. Returns its id. */
async function setOut(home: string): Promise<string> {
  // Ten thousand simultaneous deliveries need as many couriers.
  await runChild(dray(home, 'sandbox', 'supply', 'unlimited', '--json'))
  const words =
    'delivery request --from kings-cross --to shoreditch --what Keys --from-name Ana --to-name Ravi --yes --max-total 20 --json'
  const { stdout } = await runChild(dray(home, ...words.split(' ')))
  const { delivery_id: id } = JSON.parse(stdout) as { delivery_id: string }
  const db = new DatabaseSync(join(home, STORE))
  db.exec('pragma synchronous = off; begin')
  copy(db, 'deliveries', ['delivery_id', id], { seq: 'seq + i', ordinal: 'ordinal + i', quote_id: 'null' })
  copy(db, 'payments', ['resource_id', id], { payment_id: numbered('pay') })
  copy(db, 'timeline', ['resource_id', id], {
    seq: `seq + ${RUNS} + i`,
    due_at: `due_at + i * ${Math.round((HOURS * 3_600_000) / RUNS)}`,
  })
  db.exec(`update world set seq = seq + ${3 * RUNS};
    update ordinals set last = last + ${RUNS} where kind = 'delivery';
    commit; pragma wal_checkpoint(truncate)`)
  db.close()
  return id
}

/** Returns SQL for a unique id. */
function numbered(prefix: string): string {
  return `'${prefix}_' || format('%026d', i)`
}

/** Copies a row for each delivery, with some fields replaced. */
function copy(
  db: DatabaseSync,
  table: string,
  [key, id]: readonly [string, string],
  over: Record<string, string>,
): void {
  const own: Record<string, string> = { [key]: numbered('dlv'), ...over }
  const columns = db
    .prepare(`select * from ${table}`)
    .columns()
    .map(({ name }) => name)
  db.prepare(
    `insert into ${table} (${columns.join(', ')})
     with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${RUNS} - 1)
     select ${columns.map((column) => own[column] ?? column).join(', ')} from numbers join ${table} on ${key} = ?`,
  ).run(id)
}

async function measureDay(folder: string, moving: string): Promise<FigureTable> {
  const home = join(folder, 'day')
  cpSync(moving, home, { recursive: true })
  const { milliseconds: day } = await runChild(dray(home, 'sandbox', 'clock', 'advance', '24h', '--json'))
  const written = readWritten(join(home, STORE))
  const bare = join(folder, 'bare-day.db')
  cpSync(join(moving, STORE), bare)
  const floor = writeBare(bare, written)
  const changes = written.events.length
  return {
    title:
      '`dray sandbox clock advance 24h` beside a bare loop of node:sqlite that writes the same rows, as durably',
    heads: ['dray', 'bare writes', 'ratio', 'changes a second'],
    lines: [
      {
        what: `24 hours of ${count(RUNS)} courier runs, ${count(changes)} changes`,
        cells: [
          `${count(day)} ms`,
          `${count(floor)} ms`,
          (day / floor).toFixed(1),
          count((changes / day) * 1000),
        ],
      },
    ],
  }
}

type MotionRows = {
  events: Row[]
  media: Row[]
  /** The blobs, in the order of their media. */
  blobs: Row[]
  deliveries: Map<unknown, Row>
}

/** Reads the rows that a day produced. */
function readWritten(store: string): MotionRows {
  const db = new DatabaseSync(store, { readOnly: true })
  const all = (sql: string): Row[] => db.prepare(sql).all() as Row[]
  const written = {
    events: all(
      `select * from events where type like 'delivery.%' and type <> 'delivery.pending' order by seq`,
    ),
    media: all('select * from media order by media_id'),
    blobs: all('select b.* from media m join blobs b on b.sha256 = m.sha256 order by m.media_id'),
    deliveries: new Map(all('select * from deliveries').map((row) => [row['delivery_id'], row])),
  }
  db.close()
  return written
}

/** Returns the milliseconds of the same inserts, updates and deletes without the program. */
function writeBare(store: string, { events, media, blobs, deliveries }: MotionRows): number {
  const started = performance.now()
  const db = new DatabaseSync(store, { timeout: 5000 })
  db.exec('pragma synchronous = full; pragma journal_mode = wal')
  const remove = db.prepare('delete from timeline where resource_id = ?')
  const update = db.prepare(
    'update deliveries set status = ?, updated_at = ?, delivered_at = ?, doc = ? where delivery_id = ?',
  )
  const advance = db.prepare('update world set seq = seq + 2')
  const plan = db.prepare(
    `insert into timeline (seq, due_at, kind, resource_id, owner_id, event, payload) values (?, ?, 'delivery', ?, ?, 'assigned', '{}')`,
  )
  const insert = (table: string, row: Row | undefined): ((values: Row) => void) => {
    const columns = Object.keys(row ?? {})
    const statement = db.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
    return (values) => void statement.run(...columns.map((column) => values[column] ?? null))
  }
  const [tell, show, keep] = [
    insert('events', events[0]),
    insert('media', media[0]),
    insert('blobs', blobs[0]),
  ]
  const pictures = Math.ceil(media.length / events.length)
  let [seq, shown] = [100_000_000, 0]
  for (let start = 0; start < events.length; start += MAX_DUE_BATCH_EVENTS) {
    db.exec('begin immediate')
    for (const event of events.slice(start, start + MAX_DUE_BATCH_EVENTS)) {
      const row = deliveries.get(event['resource_id'])
      if (row === undefined) continue
      const { delivery_id: id = null, doc = null, account_id: owner = null, updated_at: at = null } = row
      remove.run(id)
      update.run('pending', at, null, doc, id)
      advance.run()
      plan.run(seq++, at, id, owner)
      tell(event)
      for (let each = 0; each < pictures && shown < media.length; each++, shown++) {
        keep(blobs[shown] ?? {})
        show(media[shown] ?? {})
      }
    }
    db.exec('commit')
  }
  db.close()
  return performance.now() - started
}

/** Measures a caller who repeats a read after each response: while nothing is due, and while everything is. */
async function measureFollowing(folder: string, moving: string, id: string): Promise<FigureTable> {
  const lines: FigureLine[] = []
  let still = 0
  for (const busy of [false, true]) {
    const home = join(folder, busy ? 'busy' : 'still')
    cpSync(moving, home, { recursive: true })
    const { stdout } = await runChild(dray(home, 'sandbox', 'account', 'token', 'everything', '--json'))
    const { token } = JSON.parse(stdout) as { token: string }
    if (busy)
      await runChild(
        dray(home, 'sandbox', 'clock', 'set', '--mode', 'scaled', '--factor', String(FACTOR), '--json'),
      )
    const service = await startService(dray(home, 'serve', '--port', '0', '--json', '--quiet'))
    try {
      const waits = await follow(`${service.url}/v1/deliveries/${id}`, token)
      const sorted = waits.toSorted((a, b) => a - b)
      const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
      const middle = at(0.5)
      if (!busy) still = middle
      lines.push({
        what: busy ? `while ${count(RUNS)} runs move` : 'while nothing is due',
        cells: [...[middle, at(0.99), at(1)].map((ms) => ms.toFixed(2)), (middle / still).toFixed(1)],
      })
    } finally {
      await service.stop()
    }
  }
  return {
    title: 'GET /v1/deliveries/{delivery_id} as `track` asks, ms over one connection',
    heads: ['median', '99 %', 'longest', 'ratio'],
    lines,
  }
}

async function follow(url: string, token: string): Promise<number[]> {
  const waits: number[] = []
  const ends = performance.now() + FOLLOWED_MS
  while (performance.now() < ends) {
    const asked = performance.now()
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`)
    waits.push(performance.now() - asked)
  }
  return waits.slice(20)
}
