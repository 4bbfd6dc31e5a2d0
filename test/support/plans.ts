import type { Db, SqlRow, Tx, SqlValue } from '../../src/core/db.ts'

/** Returns SQLite's query plan for each select of `work`. `answer` is the result of those of one row. */
export async function plansOf(
  db: Db,
  work: (tx: Tx) => Promise<unknown>,
  answer?: (sql: string) => SqlRow | undefined,
): Promise<string[]> {
  return db.write(async (tx) => {
    const statements: [string, SqlValue[]][] = []
    const all: Tx['all'] = async (sql, ...params) => (statements.push([sql, params]), tx.all(sql, ...params))
    const get: Tx['get'] = async (sql, ...params) => (
      statements.push([sql, params]),
      answer?.(sql) ?? tx.get(sql, ...params)
    )
    await work({ ...tx, all, allUnsnapshotted: all, get, getUnsnapshotted: get })
    const plans = statements.map(async ([sql, params]) => {
      const steps = await tx.all(`explain query plan ${sql}`, ...params)
      return steps.map((step) => String(step['detail'])).join('; ')
    })
    return Promise.all(plans)
  })
}

/** Removes the bounded parts of a plan: pages of combined walks, and entries of a scan. Full scans and sorts remain. */
export function withoutPages(plan: string): string {
  return plan
    .replaceAll(/SCAN (walk_\d+|walks|entries|delivered)/g, '')
    .replaceAll(/USE TEMP B-TREE FOR ORDER BY/g, '')
}
