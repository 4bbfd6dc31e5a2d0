import type { Money } from '../../core/money.ts'
import { faultText, type FileOutcome, placesText } from '../columns/outcomes.ts'
import { counted } from '../wording.ts'

export type Counts = {
  total: number
  created: number
  duplicate: number
  rejected: number
  /** Orders that should not be sent. */
  left_out: number
  not_sent: number
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
