/** Required columns without a header, and the headers that the user may have meant. */
import { headerKey } from '../csv/keys.ts'
import type { DataTable } from '../csv/read.ts'
import type { FileColumn, FileKind, CellSources } from './columns.ts'
import { parseHeader } from './header-parser.ts'
import {
  type AmbiguousColumn,
  mapFlag,
  type MappingResult,
  type MissingColumn,
  samplesOf,
} from './mapping.ts'
import { isCertain, isExcluded, isLikely, unknownWords } from './match.ts'

/** A file while its columns are found. */
export type UnmappedFile = {
  kind: FileKind
  table: DataTable
  sources: CellSources
  ambiguous: AmbiguousColumn[]
  /** Headers that may name several columns. */
  vague: { at: number; columns: readonly string[] }[]
}

/** Returns the required columns that no header gives, and the headers that may be meant. `idle` are the unused ones. */
export function findMissingColumns(
  scope: UnmappedFile,
  defaults: ReadonlyMap<string, string>,
  idle: readonly string[],
): Pick<MappingResult, 'missing' | 'further' | 'whole'> {
  const { kind, sources, ambiguous } = scope
  const { whole } = kind
  const known = new Set([...sources.keys(), ...defaults.keys(), ...ambiguous.map(({ column }) => column)])
  if (whole !== undefined && known.has(whole.by)) for (const part of whole.parts) known.add(part)
  const open = kind.columns.filter(({ name, helps }) => !known.has(name) && helps === undefined)
  const series = findSeries(scope, idle)
  const missing = open
    .filter(({ required }) => required)
    .map((column): MissingColumn => {
      const likely = likelyHeaders(scope, column, idle)
      const ofSeries = series.get(column.read === 'text' ? column.name : column.read) ?? []
      const byCells = likely.length > 0 || ofSeries.length > 0 ? [] : headersByCells(scope, column, idle)
      const headers = [likely, ofSeries, byCells].find(({ length }) => length > 0) ?? []
      const isOpen =
        column.never !== undefined &&
        (headers.length > 1 || headers.some((header) => !isCertain(column, header)))
      return {
        column: column.name,
        headers,
        flag: flagOf(column, isOpen ? undefined : headers[0]),
        ...(isOpen && {
          samples: headers.map((header) => ({ header, values: samplesOf(scope.table, header) })),
        }),
      }
    })
  const taken = new Set(missing.flatMap(({ headers }) => headers.slice(0, 1)))
  const owners = new Set([...taken].map(unknownWords).filter((words) => words !== ''))
  // The other headers of a proposed header's owner, such as further lines of its address.
  const further = open.flatMap((column) => {
    const headers = column.required ? [] : likelyHeaders(scope, column, idle)
    const rest = column.lines === true ? (series.get('rest') ?? []) : []
    const isRest = rest.length > 0 && !column.required && rest.every((header) => !taken.has(header))
    if (isRest) for (const header of rest) taken.add(header)
    if (isRest) return [mapFlag(column.name, rest.join(' + '))]
    const own = headers.filter((header) => !taken.has(header) && owners.has(unknownWords(header)))
    for (const header of own) taken.add(header)
    return own.length === 0 ? [] : [mapFlag(column.name, own.join(' + '))]
  })
  const by =
    whole === undefined || known.has(whole.by) ? [] : likelyHeaders(scope, kind.columnOf(whole.by), idle)
  return { missing, further, whole: by }
}

/** A street with its number, on either side. */
const STREET = /^\d+\S*\s+\p{L}|\p{L}\s+\d+\S?$/u
/** A code with a digit, as orders have. */
const CODE = /^(?=.*\d)[\p{L}\d#/_-]{1,40}$/u
const PERSON = /^\p{L}[\p{L}.'’-]*(?: \p{L}[\p{L}.'’-]*)+$/u

/** Returns the headers that name no other owner and whose cells are what a column needs, where the words of none say so. */
function headersByCells(
  { kind, table }: UnmappedFile,
  column: FileColumn,
  idle: readonly string[],
): string[] {
  const { read, pointer } = column
  const fits = (header: string): boolean => {
    const cells = table.rows.map(({ cells: all }) => all[table.header.indexOf(header)]?.trim() ?? '')
    const filled = cells.filter((cell) => cell !== '')
    if (filled.length === 0) return false
    if (read === 'money') return filled.every((cell) => AMOUNT.test(cell))
    if (read === 'postcode') return filled.every((cell) => POSTCODE.test(cell))
    const isWhole = filled.length === cells.length
    if (read === 'reference')
      return isWhole && new Set(cells).size === cells.length && cells.every((cell) => CODE.test(cell))
    return pointer.endsWith('/contact/name') && isWhole && cells.every((cell) => PERSON.test(cell))
  }
  const isFree = (header: string): boolean =>
    parseHeader(header).readings.every(({ owners }) =>
      owners.every((owner) => kind.owners.recipient.includes(owner)),
    )
  if (read === 'money') {
    // All are shown, and none is proposed: `Eat in` and `Take away` are prices of different buyers.
    const isOpen = (header: string): boolean => unknownWords(header) !== '' && !isExcluded(column, header)
    return idle.filter((header) => isOpen(header) && fits(header)).slice(0, 5)
  }
  return idle.filter((header) => isFree(header) && fits(header)).slice(0, 1)
}

/** An amount of money, by its sign or its two decimals. */
const AMOUNT = /^[£€$]\s?\d+(?:[.,]\d{2})?$|^\d+(?:[.,]\d{2})(?:\s?[£€$])?$/

/** A whole British postcode, in any spelling of its blank. */
const POSTCODE = /^[a-z]{1,2}\d[a-z\d]?\s*\d[a-z]{2}$/i

/**
 * Returns what the headers of one name and further numbers (`Drop 1` to `Drop 5`) may be by their cells, where the file has no
 * street: the postcode, the town before it, the street and the `rest`. Where a file has all lines and no town, its last
 * line that every row fills may be that.
 */
function findSeries(
  { kind, table, sources }: UnmappedFile,
  idle: readonly string[],
): ReadonlyMap<string, string[]> {
  const street = kind.columns.find(({ more }) => more !== undefined)
  const lines = (street === undefined ? undefined : sources.get(street.more ?? ''))?.from.flatMap(
    ({ at }) => at,
  )
  const isOpen = street !== undefined && !sources.has(street.name)
  const groups = Map.groupBy(isOpen ? idle : [], (header) => headerKey(header).replace(/_?\d+$/, ''))
  const numbered = [...groups.values()].find(
    (group) => group.length > 1 && group.every((header) => /\d\s*$/.test(header)),
  )
  const all = numbered ?? lines?.map((at) => table.header[at] ?? '') ?? []
  const cellsOf = (header: string): string[] => {
    const at = table.header.indexOf(header)
    return table.rows.map(({ cells }) => cells[at]?.trim() ?? '')
  }
  const isPostcode = (header: string): boolean => {
    const filled = cellsOf(header).filter((cell) => cell !== '')
    return filled.length > 0 && filled.every((cell) => POSTCODE.test(cell))
  }
  const postcode = all.find(isPostcode)
  const others = all.filter((header) => header !== postcode)
  const town = others.findLast((header) => cellsOf(header).every((cell) => /^\D+$/.test(cell)))
  const [line, ...rest] = numbered === undefined ? [] : others.filter((header) => header !== town)
  const isAddress =
    (postcode ?? town) !== undefined ||
    (line !== undefined && cellsOf(line).some((cell) => STREET.test(cell)))
  if (!isAddress) return new Map()
  const found: [string, readonly (string | undefined)[]][] = [
    ['postcode', [postcode]],
    ['city', [town]],
    ['line', [line]],
    ['rest', rest],
  ]
  return new Map(found.map(([name, headers]) => [name, headers.flatMap((header) => header ?? [])]))
}

function likelyHeaders(
  { kind, table, vague }: UnmappedFile,
  column: FileColumn,
  idle: readonly string[],
): string[] {
  return idle
    .filter((header) => !isExcluded(column, header))
    .filter((header) => {
      const at = table.header.indexOf(header)
      const isVague = vague.some((each) => each.at === at && each.columns.includes(column.name))
      return isVague || isLikely(kind, header, column) || holdsSuch(table, at, column.read)
    })
    .slice(0, 5)
}

function flagOf({ name, sample }: { name: string; sample?: string }, header: string | undefined): string {
  return header !== undefined || sample === undefined
    ? mapFlag(name, header ?? 'HEADER')
    : `--default ${name}=${sample}`
}

const SHAPES: Readonly<Record<string, RegExp>> = {
  weight: /^\d[\d.,]*\s*(?:g|gr|grams?|kgs?|oz|lbs?)\.?$/i,
  dimensions: /^\d[\d.,]*\s*(?:[cm]?m|in)?\s*[x×*хХ]\s*\d[\d.,]*\s*(?:[cm]?m|in)?\s*[x×*хХ]\s*\d/i,
}

/** Returns whether cells below an unread header are plainly of a kind: no value may be made up for what they hold. */
function holdsSuch({ rows }: DataTable, at: number, read: string): boolean {
  const shape = SHAPES[read]
  const cells = shape === undefined ? [] : rows.map(({ cells: all }) => all[at]?.trim() ?? '')
  return cells.some((cell) => shape?.test(cell) === true)
}
