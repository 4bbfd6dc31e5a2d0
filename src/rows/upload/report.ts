import { EXIT } from '../../core/errors.ts'
import type { Money } from '../../core/money.ts'
import { faultText, type FileOutcome, type FileRow, placesText } from '../columns/outcomes.ts'
import { counted, firstOf } from '../wording.ts'

export type Counts = {
  total: number
  created: number
  duplicate: number
  rejected: number
  /** Orders that should not be sent. */
  left_out: number
  not_sent: number
}

/** An order that was left out, and the word of `--include` that sends it. */
export type LeftOut = { row: number; reference: string | null; reason: string }

export function leftOutOf(outcomes: readonly FileOutcome[]): LeftOut[] {
  return outcomes.flatMap(({ row, result, reference = null, reason }) =>
    result === 'left_out' ? [{ row, reference, reason: reason?.code ?? '' }] : [],
  )
}

export function countsOf(outcomes: readonly FileOutcome[]): Counts {
  const count = (result: FileOutcome['result']): number =>
    outcomes.filter((outcome) => outcome.result === result).length
  return {
    total: outcomes.length,
    created: count('created'),
    duplicate: count('duplicate'),
    rejected: count('rejected'),
    left_out: count('left_out'),
    not_sent: count('not_sent'),
  }
}

/** Returns how many of the duplicates are parcels that were cancelled before and are not made again. */
export function countCancelled(outcomes: readonly FileOutcome[]): number {
  return outcomes.filter(({ reason }) => reason?.code === 'cancelled_before').length
}

/** 0 when nothing was rejected, 6 when everything was that should be sent, 9 in between. */
export function exitCodeOf({ rejected, left_out, total }: Counts): number {
  return rejected === 0 ? EXIT.ok : rejected === total - left_out ? EXIT.rejected : EXIT.partial
}

/** Returns which orders are left out and why, with the flag that sends them; empty for none. */
export function leftOutText(rows: readonly (FileRow & { reference?: string | undefined })[]): string {
  const leftOut = rows.filter((row) => row.leftOut !== undefined)
  if (leftOut.length === 0) return ''
  const groups = [...Map.groupBy(leftOut, (row) => row.leftOut?.[0] ?? '')].map(([reason, group]) => {
    const names = group.map(({ reference, row }) => reference ?? `row ${row}`)
    return `${group.length} ${reason.replace('_', ' ')} (${firstOf(names)})`
  })
  const words = new Set(leftOut.flatMap((row) => row.leftOut ?? []))
  const text = '{1 order|# orders} left out: {}. To send {it|them} too: --include '
  return `${counted(leftOut.length, text, groups.join(', '))}${[...words].join(',')}`
}

/** Different faults shown; the errors file has them all. */
const SHOWN_FAULTS = 20

/** Rejected rows grouped by what is wrong, each with its places; empty when there are none. `told` heads them: `{was|were} rejected`. */
export function faultList(told: string, outcomes: readonly FileOutcome[]): string {
  const rejected = outcomes.filter(({ result }) => result === 'rejected')
  if (rejected.length === 0) return ''
  const faults = rejected.flatMap((outcome) =>
    (outcome.reason?.errors ?? []).map((error) => ({ outcome, fault: faultText(error) })),
  )
  const groups = [...Map.groupBy(faults, ({ fault }) => fault)]
  const lines = groups
    .slice(0, SHOWN_FAULTS)
    .map(([fault, group]) => `  ${fault} (${placesText([...new Set(group.map(({ outcome }) => outcome))])})`)
  const rest = groups.length - lines.length
  return [
    counted(rejected.length, `{1 row|# rows} ${told}:`),
    ...lines,
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
  ].join('\n')
}

/** Undefined for none. All are of one currency, the agreement's. */
export function sumOf(amounts: readonly Money[]): Money | undefined {
  const [first] = amounts
  return first && { amount: amounts.reduce((sum, { amount }) => sum + amount, 0), currency: first.currency }
}
