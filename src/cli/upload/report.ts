import type { Money } from '../../domain/money.ts'
import { EXIT } from '../../errors.ts'
import type { Outcome } from '../manifest/outcomes.ts'

export type Counts = { total: number; created: number; duplicate: number; rejected: number; not_sent: number }

export type Report = {
  outcomes: Outcome[]
  counts: Counts
  total: Money | undefined
  batchIds: string[]
  exitCode: number
}

/** 0 when nothing was rejected, 6 when everything was, 9 in between. */
export function reportOf(outcomes: Outcome[], batchIds: string[]): Report {
  const count = (result: Outcome['result']): number =>
    outcomes.filter((outcome) => outcome.result === result).length
  const rejected = count('rejected')
  return {
    outcomes,
    counts: {
      total: outcomes.length,
      created: count('created'),
      duplicate: count('duplicate'),
      rejected,
      not_sent: count('not_sent'),
    },
    total: sumOf(
      outcomes.flatMap(({ result, total }) => (result === 'created' && total !== undefined ? [total] : [])),
    ),
    batchIds,
    exitCode: rejected === 0 ? EXIT.ok : rejected === outcomes.length ? EXIT.rejected : EXIT.partial,
  }
}

/** Undefined for none. All are of one currency, the agreement's. */
export function sumOf(amounts: readonly Money[]): Money | undefined {
  const [first] = amounts
  return first && { amount: amounts.reduce((sum, { amount }) => sum + amount, 0), currency: first.currency }
}
