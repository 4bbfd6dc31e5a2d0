/** Orders that an upload omits, for people and for scripts. */
import type { RowOutcome, FileRow } from '../../tabular/columns/outcomes.ts'
import { pluralize, joinFirst } from '../../tabular/wording.ts'

/** An order that was omitted, and the word of `--include` that sends it. */
type SkippedOrder = { row: number; reference: string | null; reason: string }

export function listSkippedOrders(outcomes: readonly RowOutcome[]): SkippedOrder[] {
  return outcomes.flatMap(({ row, result, reference = null, reason }) =>
    result === 'skipped' ? [{ row, reference, reason: reason?.code ?? '' }] : [],
  )
}

/** Returns which orders are omitted and why, with the flag that sends them; empty for none. */
export function formatSkippedOrders(rows: readonly (FileRow & { reference?: string | undefined })[]): string {
  const skipped = rows.filter((row) => row.skipReasons !== undefined)
  if (skipped.length === 0) return ''
  const groups = [...Map.groupBy(skipped, (row) => row.skipReasons?.[0] ?? '')].map(([reason, group]) => {
    const names = group.map(({ reference, row }) => reference ?? `row ${row}`)
    return `${group.length} ${reason.replace('_', ' ')} (${joinFirst(names)})`
  })
  const words = new Set(skipped.flatMap((row) => row.skipReasons ?? []))
  const text = '{1 order|# orders} skipped: {}. To include {it|them}: --include '
  return `${pluralize(skipped.length, text, groups.join(', '))}${[...words].join(',')}`
}
