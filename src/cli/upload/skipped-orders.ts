/** Orders that an upload leaves out, for people and for scripts. */
import type { FileOutcome, FileRow } from '../../tabular/columns/outcomes.ts'
import { pluralize, joinFirst } from '../../tabular/wording.ts'

/** An order that was left out, and the word of `--include` that sends it. */
type SkippedOrder = { row: number; reference: string | null; reason: string }

export function listSkippedOrders(outcomes: readonly FileOutcome[]): SkippedOrder[] {
  return outcomes.flatMap(({ row, result, reference = null, reason }) =>
    result === 'skipped' ? [{ row, reference, reason: reason?.code ?? '' }] : [],
  )
}

/** Returns which orders are left out and why, with the flag that sends them; empty for none. */
export function formatSkippedOrders(rows: readonly (FileRow & { reference?: string | undefined })[]): string {
  const leftOut = rows.filter((row) => row.leftOut !== undefined)
  if (leftOut.length === 0) return ''
  const groups = [...Map.groupBy(leftOut, (row) => row.leftOut?.[0] ?? '')].map(([reason, group]) => {
    const names = group.map(({ reference, row }) => reference ?? `row ${row}`)
    return `${group.length} ${reason.replace('_', ' ')} (${joinFirst(names)})`
  })
  const words = new Set(leftOut.flatMap((row) => row.leftOut ?? []))
  const text = '{1 order|# orders} skipped: {}. To include {it|them}: --include '
  return `${pluralize(leftOut.length, text, groups.join(', '))}${[...words].join(',')}`
}
