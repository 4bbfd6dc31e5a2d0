/** The sentences about an upload. */
import { type Money, spellMoney } from '../../../core/money.ts'
import type { Sent } from './flow.ts'

/** Returns how the rows came out, or would. */
export function describeCounts(
  { total, created, duplicate, rejected, not_sent }: Sent['counts'],
  when: 'plan' | 'sent',
): string {
  const parts = [
    when === 'plan' ? `${created} good` : `${created} created`,
    ...(duplicate > 0 ? [`${duplicate} already there`] : []),
    ...(rejected > 0 ? [`${rejected} ${when === 'plan' ? 'bad' : 'refused'}`] : []),
    ...(not_sent > 0 ? [`${not_sent} not sent`] : []),
  ]
  return `${total === 1 ? '1 parcel' : `${total} parcels`} in the file: ${parts.join(', ')}.`
}

/** Returns the price of what was created, as the end of a sentence. */
export function describeTotal(total: Money | null): string {
  return total === null ? '' : ` It comes to ${spellMoney(total)}.`
}

export const RESULTS: Readonly<Record<Sent['rows'][number]['result'], string>> = {
  created: 'Created',
  updated: 'Changed',
  duplicate: 'Already there',
  rejected: 'Refused',
  not_sent: 'Not sent',
}

/** Returns the parcels that are there now, made by this upload or before. */
export function numbersOf(rows: readonly Sent['rows'][number][]): string[] {
  return [...new Set(rows.flatMap(({ tracking_number }) => tracking_number ?? []))]
}

export function labelsName(numbers: readonly string[]): string {
  return numbers.length === 1 ? 'Its label' : `The labels of all ${numbers.length}`
}
