import type { Money } from '../../core/money.ts'
import { faultText, type RowOutcome, formatRowPlaces } from '../columns/outcomes.ts'
import { pluralize, withRemainder } from '../wording.ts'

/** The results that are counted; `skipped` are orders that should not be sent. */
const COUNTED = ['created', 'duplicate', 'rejected', 'skipped', 'not_sent'] as const

export type ResultCounts = Record<'total' | (typeof COUNTED)[number], number>

export function countsOf(outcomes: readonly RowOutcome[]): ResultCounts {
  const counts = COUNTED.map((each) => [each, outcomes.filter(({ result }) => result === each).length])
  return { total: outcomes.length, ...(Object.fromEntries(counts) as Omit<ResultCounts, 'total'>) }
}

/** Returns how many of the duplicates are parcels that were cancelled before and are not made again. */
export function countCancelled(outcomes: readonly RowOutcome[]): number {
  return outcomes.filter(({ reason }) => reason?.code === 'cancelled_before').length
}

/** Different faults shown; the errors file has them all. */
const SHOWN_FAULTS = 20

/** Rejected rows grouped by what is wrong, each with its places; empty when there are none. `told` heads them: `{was|were} rejected`. */
export function formatRejectedRows(told: string, outcomes: readonly RowOutcome[]): string {
  const rejected = outcomes.filter(({ result }) => result === 'rejected')
  if (rejected.length === 0) return ''
  const faults = rejected.flatMap((outcome) =>
    (outcome.reason?.errors ?? []).map((error) => ({ outcome, fault: faultText(error) })),
  )
  const groups = [...Map.groupBy(faults, ({ fault }) => fault)]
  const lines = groups.map(
    ([fault, group]) => `  ${fault} (${formatRowPlaces([...new Set(group.map(({ outcome }) => outcome))])})`,
  )
  const head = pluralize(rejected.length, `{1 row|# rows} ${told}:`)
  return [head, ...withRemainder(lines, SHOWN_FAULTS)].join('\n')
}

/** Undefined for none. All are of one currency, the agreement's. */
export function sumAmounts(amounts: readonly Money[]): Money | undefined {
  const [first] = amounts
  return first && { amount: amounts.reduce((sum, { amount }) => sum + amount, 0), currency: first.currency }
}
