import type { Db, Row, Tx, Value } from '../../src/core/db.ts'

/** How SQLite would find the rows of each statement that `work` runs; `answer` stands for what `get` would give. */
export async function plansOf(
  db: Db,
  work: (tx: Tx) => Promise<unknown>,
  answer?: (sql: string) => Row | undefined,
): Promise<string[]> {
  return db.write(async (tx) => {
    const statements: [string, Value[]][] = []
    const recording: Tx = {
      ...tx,
      all: async (sql, ...params) => (statements.push([sql, params]), tx.all(sql, ...params)),
      get: async (sql, ...params) => (
        statements.push([sql, params]),
        answer?.(sql) ?? tx.get(sql, ...params)
      ),
    }
    await work(recording)
    const plans = statements.map(async ([sql, params]) => {
      const steps = await tx.all(`explain query plan ${sql}`, ...params)
      return steps.map((step) => String(step['detail'])).join('; ')
    })
    return Promise.all(plans)
  })
}

/**
 * A plan without what is bounded: pages of walks that are put together, and entries of a scan. Where a table would be
 * scanned or sorted, that is what is left of it.
 */
export function withoutPages(plan: string): string {
  return plan
    .replaceAll(/SCAN (walk_\d+|walks|entries|delivered)/g, '')
    .replaceAll(/USE TEMP B-TREE FOR ORDER BY/g, '')
}
