/** Transactions within one that stays open, so that it can undo them all. */

/** The statements of each part: one must not end the transaction around it. */
const NESTED: Readonly<Record<string, readonly string[]>> = {
  begin: ['savepoint turn'],
  'begin immediate': ['savepoint turn'],
  commit: ['release turn'],
  rollback: ['rollback to turn', 'release turn'],
}

/** Returns the statements by which a transaction begins or ends: `sql` itself, unless it is nested. */
export function toNestedStatements(sql: string, nested = false): readonly string[] {
  return (nested ? NESTED[sql] : undefined) ?? [sql]
}
