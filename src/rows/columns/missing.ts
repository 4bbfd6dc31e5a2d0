/** Required columns without a header, and the headers that somebody may have meant. */
import type { Table } from '../csv/read.ts'
import type { Column, FileKind, Sources } from './columns.ts'
import { type AmbiguousColumn, mapFlag, type Mapped, type MissingColumn } from './mapping.ts'
import { isLikely, unknownWords } from './match.ts'

/** A file while its columns are found. */
export type Unmapped = {
  kind: FileKind
  table: Table
  sources: Sources
  ambiguous: AmbiguousColumn[]
  /** Headers that may name several columns. */
  vague: { at: number; columns: readonly string[] }[]
}

/** Returns the required columns that no header gives, and the headers that may be meant. `idle` are the unused ones. */
export function findMissing(
  scope: Unmapped,
  defaults: ReadonlyMap<string, string>,
  idle: readonly string[],
): Pick<Mapped, 'missing' | 'further' | 'whole'> {
  const { kind, sources, ambiguous } = scope
  const { whole } = kind
  const known = new Set([...sources.keys(), ...defaults.keys(), ...ambiguous.map(({ column }) => column)])
  if (whole !== undefined && known.has(whole.by)) for (const part of whole.parts) known.add(part)
  const open = kind.columns.filter(({ name, helps }) => !known.has(name) && helps === undefined)
  const missing = open
    .filter(({ required }) => required)
    .map((column): MissingColumn => {
      const headers = likelyHeaders(scope, column, idle)
      return { column: column.name, headers, flag: flagOf(column, headers[0]) }
    })
  const taken = new Set(missing.flatMap(({ headers }) => headers.slice(0, 1)))
  const owners = new Set([...taken].map(unknownWords).filter((words) => words !== ''))
  // The other headers of a proposed header's owner, such as further lines of its address.
  const further = open.flatMap((column) => {
    const headers = column.required ? [] : likelyHeaders(scope, column, idle)
    const own = headers.filter((header) => !taken.has(header) && owners.has(unknownWords(header)))
    for (const header of own) taken.add(header)
    return own.length === 0 ? [] : [mapFlag(column.name, own.join(' + '))]
  })
  const by =
    whole === undefined || known.has(whole.by) ? [] : likelyHeaders(scope, kind.columnOf(whole.by), idle)
  return { missing, further, whole: by }
}

function likelyHeaders({ kind, table, vague }: Unmapped, column: Column, idle: readonly string[]): string[] {
  return idle
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
function holdsSuch({ rows }: Table, at: number, read: string): boolean {
  const shape = SHAPES[read]
  const cells = shape === undefined ? [] : rows.map(({ cells: all }) => all[at]?.trim() ?? '')
  return cells.some((cell) => shape?.test(cell) === true)
}
