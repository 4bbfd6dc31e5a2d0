import type { TransactionOptions, Tx } from '../core/db.ts'
import { defineRow } from './table.ts'
import { listTables } from './tables.ts'
import { clearWords } from './word-index.ts'

/** The number of accounts, timeline events and due events in a store, each counted up to a bound. */
export type StoreCounts = { accounts: number; timeline: number; due: number }

const toCounts = defineRow<StoreCounts>({ accounts: 'integer', timeline: 'integer', due: 'integer' })

/** Counts accounts, timeline events and events due at `now`, each up to `most`. */
export async function countStoreRows(tx: Tx, now: number, most: number): Promise<StoreCounts> {
  const row = await tx.get(
    `select (select count(*) from (select 1 from accounts limit $2) as a) as accounts,
       (select count(*) from (select 1 from timeline limit $2) as t) as timeline,
       (select count(*) from (select 1 from timeline where due_at <= $1 limit $2) as d) as due`,
    now,
    most,
  )
  return toCounts(row ?? {})
}

/** Deleting millions of rows takes long, but must end before the server closes a silent connection (120 s). */
export const CLEARING: TransactionOptions = { statementMs: 90_000 }

/** Empties every table of the schema, in reverse order of creation, because later tables refer to earlier ones. */
export async function clearStore(tx: Tx): Promise<void> {
  await clearWords(tx)
  for (const { name } of listTables().toReversed()) await tx.clear(name)
}
