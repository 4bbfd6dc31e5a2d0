/** The sentences about an upload. */
import { type Money, formatGroupedMoney } from '../../../core/money.ts'
import type { PlannedUpload, SentUpload } from './flow.ts'

/** Returns how the rows came out, or would. */
export function describeCounts(
  {
    counts: { total, created, duplicate, rejected, skipped, not_sent },
    cancelled,
  }: Pick<SentUpload, 'counts' | 'cancelled'>,
  when: 'plan' | 'sent',
): string {
  const parts = [
    when === 'plan' ? `${created} good` : `${created} created`,
    ...(duplicate > cancelled ? [`${duplicate - cancelled} already there`] : []),
    ...(cancelled > 0 ? [`${cancelled} skipped (cancelled before)`] : []),
    ...(rejected > 0 ? [`${rejected} ${when === 'plan' ? 'with errors' : 'rejected'}`] : []),
    ...(skipped > 0 ? [`${skipped} skipped by status`] : []),
    ...(not_sent > 0 ? [`${not_sent} not sent`] : []),
  ]
  return `${total === 1 ? '1 parcel' : `${total} parcels`} in the file: ${parts.join(', ')}.`
}

/** Returns the price of what was created, as the end of a sentence. */
export function describeTotal(total: Money | null): string {
  return total === null ? '' : ` Total: ${formatGroupedMoney(total)}.`
}

export const RESULTS: Readonly<Record<SentUpload['rows'][number]['result'], string>> = {
  created: 'Created',
  updated: 'Changed',
  duplicate: 'Already exists',
  rejected: 'Rejected',
  skipped: 'Skipped',
  not_sent: 'Not sent',
}

/** Returns the parcels that are there now, made by this upload or before. */
export function numbersOf(rows: readonly SentUpload['rows'][number][]): string[] {
  return [...new Set(rows.flatMap(({ tracking_number }) => tracking_number ?? []))]
}

/** The most labels of one file. */
const MAX_LABELS = 500

/** Returns the parcels whose labels are one file, each with its name; `whole` is that of a file with all of them. */
export function labelFiles(
  numbers: readonly string[],
  whole = numbers.length === 1 ? 'Label' : `All ${numbers.length} labels`,
): { numbers: readonly string[]; name: string }[] {
  if (numbers.length <= MAX_LABELS) return numbers.length === 0 ? [] : [{ numbers, name: whole }]
  return Array.from({ length: Math.ceil(numbers.length / MAX_LABELS) }, (_, at) => {
    const part = numbers.slice(at * MAX_LABELS, (at + 1) * MAX_LABELS)
    const first = at * MAX_LABELS + 1
    return { numbers: part, name: `Labels ${first} to ${first + part.length - 1}` }
  })
}

/** Returns how the columns were found, in short. */
export function describeColumns({ read, headers }: Pick<ShownColumns, 'read' | 'headers'>): string {
  const used = headers.filter((header) =>
    read.some((each) => each.header.split(/ \+ |, or /).includes(header) || each.header === header),
  ).length
  const rest = headers.length - used
  const columns = read.length === 1 ? '1 column is read' : `${read.length} columns are read`
  return rest === 0
    ? `${columns}.`
    : `${columns}; ${rest} ${rest === 1 ? 'header is' : 'headers are'} ignored.`
}

type ShownColumns = NonNullable<PlannedUpload['columns']>

/** Returns the answers with a column taken from a header, in place of what was said of it before. */
export function setColumnAnswer(
  settled: PlannedUpload['settled'],
  column: string,
  header: string,
): PlannedUpload['settled'] {
  const isOther = ({ flag, value }: PlannedUpload['settled'][number]): boolean =>
    !['--map', '--default'].includes(flag) || !value.startsWith(`${column}=`)
  return [...settled.filter(isOther), { flag: '--map', value: `${column}=${header}` }]
}

/** The meaning of a word of the file in a column. */
export type WordMeaning = { column: string; word: string; meaning: string }

const MAP_VALUE = /^([^:=]+):([^=]+)=(.+)$/

/** Returns what words of the file were said to stand for. */
export function meaningsOf(settled: PlannedUpload['settled']): WordMeaning[] {
  return settled.flatMap(({ flag, value }) => {
    const [, column = '', word = '', meaning = ''] = (flag === '--map-value' && MAP_VALUE.exec(value)) || []
    return column === '' ? [] : [{ column, word, meaning }]
  })
}

/** Returns the answers with what a word stands for, in place of what was said of it before; without it where it is empty. */
export function setMeaningAnswer(
  settled: PlannedUpload['settled'],
  { column, word, meaning }: WordMeaning,
): PlannedUpload['settled'] {
  const key = `${column}:${word.trim()}=`
  const isOther = ({ flag, value }: PlannedUpload['settled'][number]): boolean =>
    flag !== '--map-value' || !value.toLowerCase().startsWith(key.toLowerCase())
  const others = settled.filter(isOther)
  return meaning === '' ? others : [...others, { flag: '--map-value', value: `${key}${meaning}` }]
}

/** Returns the first cell of a column that was not understood, or an empty text. */
export function wrongWord(
  faults: PlannedUpload['faults'],
  read: ShownColumns['read'],
  column: string,
): string {
  const header = read.find((each) => each.column === column)?.header
  return faults.find((each) => each.column === header)?.value ?? ''
}
