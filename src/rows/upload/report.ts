import { EXIT } from '../../core/errors.ts'
import type { Money } from '../../core/money.ts'
import { faultText, type FileOutcome, placesText } from '../columns/outcomes.ts'

export type Counts = { total: number; created: number; duplicate: number; rejected: number; not_sent: number }

export function countsOf(outcomes: readonly FileOutcome[]): Counts {
  const count = (result: FileOutcome['result']): number =>
    outcomes.filter((outcome) => outcome.result === result).length
  return {
    total: outcomes.length,
    created: count('created'),
    duplicate: count('duplicate'),
    rejected: count('rejected'),
    not_sent: count('not_sent'),
  }
}

/** Returns how many of the duplicates are parcels that were cancelled before and are not made again. */
export function countCancelled(outcomes: readonly FileOutcome[]): number {
  return outcomes.filter(({ reason }) => reason?.code === 'cancelled_before').length
}

/** 0 when nothing was rejected, 6 when everything was, 9 in between. */
export function exitCodeOf({ rejected, total }: Counts): number {
  return rejected === 0 ? EXIT.ok : rejected === total ? EXIT.rejected : EXIT.partial
}

/** Different faults shown; the errors file has them all. */
const SHOWN_FAULTS = 20

/** Rejected rows grouped by what is wrong, each with its places; empty when there are none. `told` heads them: `were rejected`. */
export function faultList(told: { one: string; many: string }, outcomes: readonly FileOutcome[]): string {
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
    rejected.length === 1 ? `1 row ${told.one}:` : `${rejected.length} rows ${told.many}:`,
    ...lines,
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
  ].join('\n')
}

/** Undefined for none. All are of one currency, the agreement's. */
export function sumOf(amounts: readonly Money[]): Money | undefined {
  const [first] = amounts
  return first && { amount: amounts.reduce((sum, { amount }) => sum + amount, 0), currency: first.currency }
}
