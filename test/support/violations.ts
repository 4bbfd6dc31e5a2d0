/** The parts that the invariants share. Each returns violations as sentences, and none when all is well. */
import type { SqlRow, Tx } from '../../src/core/db.ts'
import type { StateTable } from './state-tables.ts'

export type Amount = { amount: number; currency: string }

/** Returns a violation for each row that a query finds; the queries are named by what such a row is. */
export async function violatingRows(tx: Tx, queries: Readonly<Record<string, string>>): Promise<string[]> {
  const found: string[] = []
  for (const [what, sql] of Object.entries(queries))
    found.push(...(await tx.all(sql)).map((row) => `${what}: ${JSON.stringify(row)}`))
  return found
}

/** Returns the names of the checks that fail. */
export function failedChecks(checks: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(checks).flatMap(([name, fine]) => (fine ? [] : [name]))
}

/** Returns what went back for reported problems, without goodwill. */
export function givenBack({
  problems = [],
}: {
  problems?: readonly { amount: Amount; goodwill: Amount | null }[]
}): number {
  return problems.reduce((sum, { amount, goodwill }) => sum + amount.amount - (goodwill?.amount ?? 0), 0)
}

/**
 * The status history is a path of the table, and equal in row, history and outbox
 * (docs/rules/failure-model.md#times-never-go-back-within-a-history).
 */
export function pathViolations(
  { status, doc: { history } }: { status: string; doc: { history: { status: string; at: number }[] } },
  table: StateTable,
  events: readonly SqlRow[],
): string[] {
  const problems: string[] = []
  let last = { status: '', at: 0 }
  // An attempt at the door is in the history and changes no status.
  const moves = history.filter((step, index) => step.status !== history[index - 1]?.status)
  for (const step of moves) {
    if (table[last.status]?.includes(step.status) !== true)
      problems.push(`leads from ${last.status} to ${step.status}`)
    if (step.at < last.at) problems.push(`is ${step.status} before it is ${last.status}`)
    last = step
  }
  if (status !== last.status) problems.push(`is ${status}, its history says ${last.status}`)
  // Neither does news such as a delay or a moved start.
  const changes = events.map(changeOf).filter(({ from, to }) => from !== to)
  const told = changes.map(({ from, to }) => `${from ?? ''} ${to}`)
  const written = moves.map((step, index) => `${moves[index - 1]?.status ?? ''} ${step.status}`)
  if (told.join() !== written.join()) problems.push(`told ${told.join(', ')}, wrote ${written.join(', ')}`)
  return problems
}

/** Returns the change of status that an event tells. */
export function changeOf(event: SqlRow): { from: string | null; to: string } {
  const { from, to } = JSON.parse(String(event['doc'])) as { from: string | null; to: string }
  return { from, to }
}
