import type { DatabaseSync } from 'node:sqlite'
import type { SqlRow, Tx, SqlValue } from '../src/core/db.ts'
import type { WorldSettings } from '../src/core/world.ts'

/** The settings with which an operation runs to record its statements: nobody is looked for who is free. */
export const BASELINE_WORLD: WorldSettings = {
  environment: 'sandbox',
  seed: '1',
  currency: 'GBP',
  timezone: 'Europe/London',
  countryCode: 'GB',
  supply: 'unlimited',
}

/**
 * Returns how many times a second the statements of `work` run, with their parameters but without mapping their rows.
 */
export async function runBaseline(
  db: DatabaseSync,
  seconds: number,
  work: (tx: Tx) => Promise<unknown>,
): Promise<number> {
  const statements: { sql: string; values: SqlValue[] }[][] = []
  const all: Tx['all'] = async (sql, ...values) => {
    const statement = { sql: sql.replaceAll(/\$(\d+)/g, '?$1'), values }
    statements.at(-1)?.push(statement)
    return db.prepare(statement.sql).all(...values) as SqlRow[]
  }
  const get: Tx['get'] = async (sql, ...values) => (await all(sql, ...values))[0]
  // Each statement runs each time, also where the store would keep its rows.
  const tx = { all, get, beside: get, kept: (_how: unknown, read: () => unknown) => read() } as unknown as Tx
  for (let at = 0; at < 50; at++) {
    statements.push([])
    await work(tx)
  }
  const prepared = new Map(statements.flat().map(({ sql }) => [sql, db.prepare(sql)]))
  const started = performance.now()
  let runs = 0
  for (; performance.now() - started < seconds * 1000; runs++) {
    for (const { sql, values } of statements[runs % statements.length] ?? [])
      prepared.get(sql)?.all(...values)
  }
  return (runs / (performance.now() - started)) * 1000
}
