/** The orders of a file that should not be sent, by their statuses: they are skipped unless the user includes them. */
import { AppError } from '../../core/errors.ts'
import { findClosestWord } from '../../core/nearest.ts'
import { findCellText } from '../columns/cell-text.ts'
import type { ImportNote } from '../columns/outcomes.ts'
import { ownColumns } from '../columns/own-files.ts'
import { parseBoolean } from '../csv/numbers.ts'
import type { DataRow } from '../csv/read.ts'
import { pluralize, joinFirst } from '../wording.ts'
import { groupRows } from './group-rows.ts'
import type { ManifestMapping } from './kind.ts'
import {
  isOnTerms,
  SKIP_REASONS,
  type SkipReason,
  type StatusMeaning,
  methodReason,
  SKIP_REASON_WORDS,
  type StatusKind,
  statusKind,
  statusReader,
} from './order-status.ts'

/** The rows of one order, and why it is not sent; no reason for one that is. */
export type ManifestOrder = { rows: readonly DataRow[]; skipReasons: readonly SkipReason[] }

/** The orders of a file, and what is doubtful about those that are sent. */
export type ManifestOrders = { orders: readonly ManifestOrder[]; notes: ImportNote[] }

/** Reads `--include`: reasons between commas, or `all`. Throws AppError('usage') for a word that is none. */
export function parseInclude(given: readonly string[]): ReadonlySet<SkipReason> {
  const included = new Set<SkipReason>()
  for (const typed of given.flatMap((words) => words.split(','))) {
    const word = typed.trim().toLowerCase().replaceAll(/[\s-]/g, '_')
    const reason = SKIP_REASONS.find((each) => each === word)
    if (word === 'all') for (const each of SKIP_REASONS) included.add(each)
    else if (reason !== undefined) included.add(reason)
    else throw unknownReason(typed, word)
  }
  return included
}

function unknownReason(typed: string, word: string): AppError {
  const guess = findClosestWord(word, SKIP_REASONS)
  return new AppError(
    'usage',
    `--include: ${JSON.stringify(typed.slice(0, 40))} is not a status for which orders are skipped.`,
    {
      hint: `${guess === undefined ? '' : `Did you mean ${guess}? `}Use ${SKIP_REASONS.join(', ')} or all.`,
    },
  )
}

/** Returns the orders of a file. With `merge`, adjacent rows of one reference are one, as they are in an export. */
export function readOrders(
  mapping: ManifestMapping,
  { merge = false, included = new Set() }: { merge?: boolean; included?: ReadonlySet<SkipReason> } = {},
): ManifestOrders {
  const groups = groupRows(mapping, merge)
  const columns = statusColumns(mapping)
  if (columns.length === 0) return { orders: groups.map((rows) => ({ rows, skipReasons: [] })), notes: [] }
  const read = meaningReader(mapping.table.keys)
  const doubts = new Map<string, string[]>()
  const orders = groups.map((rows): ManifestOrder => {
    const { reasons, doubtful } = judge(rows, columns, read)
    const skipReasons = SKIP_REASONS.filter((reason) => reasons.has(reason) && !included.has(reason))
    const name =
      findCellText(rows[0] ?? { row: 0, cells: [] }, 'reference', mapping)?.text ?? `row ${rows[0]?.row}`
    if (skipReasons.length === 0)
      for (const doubt of doubtful) doubts.set(doubt, [...(doubts.get(doubt) ?? []), name])
    return { rows, skipReasons }
  })
  return { orders, notes: [...doubts].map(toNote) }
}

type StatusColumn = { at: number; header: string; kind: StatusKind; vague: boolean }

/** A column that is read as something of the parcel is no status, except the service: a shop offers pickup beside it. */
function statusColumns({ table, sources, ignored }: ManifestMapping): StatusColumn[] {
  const entries = [...sources.values()].flatMap(({ how, from }) =>
    from.flatMap(({ at }) => at.map((place) => ({ place, isExact: how === 'exact' }))),
  )
  const used = new Set(entries.map(({ place }) => place))
  const exact = new Set(entries.flatMap(({ place, isExact }) => (isExact ? [place] : [])))
  const own = ownColumns(table.header)
  return table.keys.flatMap((key, at) => {
    const found = own.has(at) || ignored.has(at) || exact.has(at) ? undefined : statusKind(key)
    if (found === undefined || (used.has(at) && found.kind !== 'method')) return []
    return [{ at, header: table.header[at] ?? '', ...found }]
  })
}

/** `reasons` are of the whole order; `doubtful` are sentences about it, without their subject. */
type Judgement = { reasons: Set<SkipReason>; doubtful: Set<string> }

function judge(rows: readonly DataRow[], columns: readonly StatusColumn[], read: ReadMeaning): Judgement {
  const found: StatusFindings = {
    reasons: new Set(),
    parts: new Set(),
    dated: new Set(),
    doubtful: new Set(),
  }
  for (const column of columns) judgeColumn(rows, column, read, found)
  const { reasons, parts, dated, doubtful } = found
  // A date of dispatch also stands beside an order that was sent in part.
  for (const reason of dated) if (!parts.has(reason)) reasons.add(reason)
  for (const reason of parts)
    if (!reasons.has(reason))
      doubtful.add(SKIP_REASON_WORDS[reason].part ?? `is ${SKIP_REASON_WORDS[reason].word} in part`)
  if (reasons.has('unpaid') && isExcused(rows, columns)) {
    reasons.delete('unpaid')
    doubtful.add('is not paid, and sent on terms or for cash on delivery')
  }
  return { reasons, doubtful }
}

/** `parts` are reasons of a part of the order, `dated` those that only a date says. */
type StatusFindings = Judgement & { parts: Set<SkipReason>; dated: Set<SkipReason> }

function judgeColumn(
  rows: readonly DataRow[],
  { at, header, kind, vague }: StatusColumn,
  read: ReadMeaning,
  { reasons, parts, dated, doubtful }: StatusFindings,
): void {
  const cells = rows.map(({ cells: all }) => all[at]?.trim() ?? '').filter((cell) => cell !== '')
  const meanings = cells.map((cell) => read(cell, kind))
  const whole = meanings.filter(isReason)
  // A status of some rows only is one of a part: a line that was refunded, an item without shipping.
  const found =
    whole.length < cells.length ? parts : typeof kind === 'object' && 'set' in kind ? dated : reasons
  for (const reason of whole) found.add(reason)
  for (const meaning of meanings) if (typeof meaning === 'object') parts.add(meaning.part)
  if (kind === 'risk' && cells.some((cell) => /^high\b/i.test(cell))) doubtful.add('is a high risk')
  const unknown = cells[meanings.indexOf(undefined)]
  if (unknown === undefined || vague) return
  const word = JSON.stringify(unknown.slice(0, 40))
  doubtful.add(`has the ${header} ${word}, which may mean "do not send"`)
}

function isReason(meaning: StatusMeaning | undefined): meaning is SkipReason {
  return typeof meaning === 'string' && meaning !== 'send'
}

type ReadMeaning = (cell: string, kind: StatusKind) => StatusMeaning | undefined

/** Returns what reads the cells of statuses. A file has few different ones, each of which is read once. */
function meaningReader(keys: readonly string[]): ReadMeaning {
  const read = statusReader(keys)
  const known = new Map<StatusKind, Map<string, StatusMeaning | undefined>>()
  return (cell, kind) => {
    const cells = known.get(kind) ?? new Map<string, StatusMeaning | undefined>()
    known.set(kind, cells)
    if (!cells.has(cell)) cells.set(cell, meaningOf(cell, kind, read))
    return cells.get(cell)
  }
}

function meaningOf(
  cell: string,
  kind: StatusKind,
  read: ReturnType<typeof statusReader>,
): StatusMeaning | undefined {
  if (kind === 'method') return methodReason(cell) ?? 'send'
  if (kind === 'terms' || kind === 'risk') return 'send'
  if (typeof kind === 'string') return read(cell, kind)
  if ('set' in kind) return isSet(cell) ? kind.set : 'send'
  if ('no' in kind) return parseBoolean(cell) === false ? kind.no : 'send'
  return /^0+(?:[.,]0+)?$/.test(cell) ? kind.zero : 'send'
}

/** A date, or yes. Exports write `0000-00-00`, `-` and the like for none. */
function isSet(cell: string): boolean {
  return parseBoolean(cell) ?? (/[1-9]/.test(cell) && /\d\D*\d\D*\d/.test(cell))
}

function isExcused(rows: readonly DataRow[], columns: readonly StatusColumn[]): boolean {
  return columns.some(
    ({ at, kind }) => kind === 'terms' && rows.some(({ cells }) => isOnTerms(cells[at] ?? '')),
  )
}

/** `doubt` is about one order and begins with its verb: `is a high risk`. */
function toNote([doubt, names]: [string, string[]]): ImportNote {
  const verb = /^\w+/.exec(doubt)?.[0] === 'is' ? '{1 order is|# orders are}' : '{1 order has|# orders have}'
  const told = `${pluralize(names.length, verb)}${doubt.replace(/^\w+/, '')}: ${joinFirst(names)}.`
  return { kind: 'warning', text: `${told} ${pluralize(names.length, '{It is|They are} not skipped.')}` }
}
