import type { Limits, Tx } from './db.ts'
import { MIGRATIONS } from './schema.ts'

/** How much of each thing a store holds. */
export type Counts = { accounts: number; events: number; timeline: number; due: number }

export async function countRows(tx: Tx, now: number): Promise<Counts> {
  const row = await tx.get(
    `select (select count(*) from accounts) as accounts, (select count(*) from events) as events,
       (select count(*) from timeline) as timeline, (select count(*) from timeline where due_at <= $1) as due`,
    now,
  )
  const { accounts, events, timeline, due } = row ?? {}
  return { accounts: Number(accounts), events: Number(events), timeline: Number(timeline), due: Number(due) }
}

/** Deleting millions of rows takes its time, but is over before the server drops a silent caller (120 s). */
export const CLEARING: Limits = { statementMs: 90_000 }

/** Empties every table of the schema. What refers to others was created after them and goes first. */
export async function clearStore(tx: Tx): Promise<void> {
  const created = MIGRATIONS.flat().flatMap((statement) => /^create table (\w+)/.exec(statement)?.[1] ?? [])
  for (const table of created.toReversed()) await tx.run(`delete from ${table}`)
}
