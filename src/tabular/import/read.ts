import { AppError } from '../../core/errors.ts'
import type { FileKind, ColumnMapping, Preset } from '../columns/columns.ts'
import { mapHeaders, readAssignments, readValues } from '../columns/map.ts'
import {
  type MappingResult,
  mapFlag,
  mappingError,
  quoteJson,
  savedColumns,
  type SavedMap,
} from '../columns/mapping.ts'
import { makeExpectedHeader } from '../columns/match.ts'
import { describeOddText } from '../columns/odd-text.ts'
import type { ImportNote } from '../columns/outcomes.ts'
import { toResultsFileForm } from '../columns/results.ts'
import { askUnread, describeUnread, type UnreadColumn, unreadError } from '../columns/unread.ts'
import { truncate } from '../csv/cells.ts'
import type { DecodedText } from '../csv/decode.ts'
import { type Delimiter, delimiterName, DELIMITERS } from '../csv/delimiter.ts'
import { loadEntities } from '../csv/entities.ts'
import { type ExpectedHeader, isFilled, withArticle } from '../csv/header.ts'
import { headerKey } from '../csv/keys.ts'
import { readTable, type DataRow, type DataTable } from '../csv/read.ts'
import type { FileForm } from '../csv/write.ts'
import { pluralize, pluralizeList } from '../wording.ts'
import { chooseEncoding } from './choose-encoding.ts'
import { type FoundTable, readWorkbook } from './choose-sheet.ts'
import type { FileContent } from './content.ts'
import type { ImportPrompts, ReadFlags } from './prompts.ts'
import type { MappedFile } from './row-file.ts'

/** A file with known columns, and the form of the files that answer it. */
export type ReadTable<Name extends string, P extends Preset<Name>> = {
  columns: MappedFile & { mapping: ColumnMapping<Name, P> }
  form: FileForm
  saved: SavedMap | undefined
}

type ColumnReadOptions<Name extends string, P extends Preset<Name>> = {
  kind: FileKind<Name, P>
  /** Values from the profile and the command for columns that the file lacks, as `--default` has them, which goes before. */
  defaults: readonly string[]
}

/** From a text or a workbook to its columns: what was recognised is said, what is unclear is asked, or rejected with the flag that answers it. */
export async function readColumns<Name extends string, P extends Preset<Name>>(
  reader: ImportPrompts,
  { path, content: given }: { path: string; content: FileContent },
  flags: ReadFlags,
  reading: ColumnReadOptions<Name, P>,
): Promise<ReadTable<Name, P>> {
  const content = 'text' in given ? await chooseEncoding(reader, given) : given
  const warn = (text: string, flag?: string): Promise<void> =>
    reader.say({ kind: 'warning', text, ...(flag !== undefined && { typed: `${text} ${flag}` }) })
  const delimiter = flags.delimiter && DELIMITERS[flags.delimiter]
  const map = new Map(readAssignments(reading.kind, '--map', flags.map ?? []))
  const maps = listMaps(reader, reading.kind)
  const headers = [
    ...[...map.values()].flatMap((header) => header.split(' + ')),
    ...maps.flatMap((each) => headersOf(each.map)),
  ]
  const expected = makeExpectedHeader(reading.kind, new Set(headers.map(headerKey)))
  const found: FoundTable =
    'text' in content
      ? await readText(content, expected, delimiter)
      : await readWorkbook(reader, content, { name: flags.sheet, kind: reading.kind }, expected)
  const { table } = found
  const saved = findSavedMap(maps, table, reading.kind.name, flags['use-map'])
  const mapped = await resolveMapping(reader, { table, flags, map, saved }, reading, async (preset) => {
    await reader.say({
      kind: 'info',
      text: describeFile(path, found.form, table, { preset, savedMap: saved?.name }),
    })
    for (const warning of found.warnings) await warn(warning)
    if (table.titles.length > 0) await warn(describeTitles(table))
  })
  const hidden = hiddenHeaders(table, mapped, found.hidden)
  if (hidden.length > 0)
    await warn(`read, though hidden in the workbook: ${hidden.join(', ')}. Remove or unhide them there.`)
  for (const note of [...describeOddText(mapped.mapping), ...describeRows(table)]) await reader.say(note)
  const unknown = mapped.unknown.filter((each) => mapped.vague.every(({ header }) => header !== each))
  if (unknown.length > 0) await warn(`not read: ${unknown.join(', ')}.`, '--strict rejects unknown columns.')
  if (mapped.unread.length > 0)
    await reader.say({
      kind: 'info',
      text: `Not read, though rows differ in it: ${mapped.unread.join(', ')}.`,
    })
  for (const { header, columns } of mapped.vague)
    await warn(
      `not read: ${header}, which can be ${columns.join(' or ')}.`,
      `Say which with ${mapFlag(columns[0] ?? '', header)}.`,
    )
  return {
    columns: {
      mapping: mapped.mapping,
      ...(found.sheet !== undefined && { sheet: found.sheet }),
      ...(saved !== undefined && { saved: saved.name }),
    },
    form: toResultsFileForm(!('text' in content), table),
    saved: saved?.map,
  }
}

/** Returns the headers of columns that are read but hidden in the workbook. */
function hiddenHeaders(
  { header }: DataTable,
  { mapping }: MappingResult,
  hidden: ReadonlySet<number> = new Set(),
): string[] {
  const read = [...mapping.sources.values()].flatMap(({ from }) => from.flatMap(({ at }) => at))
  return [...new Set(read)].filter((at) => hidden.has(at)).map((at) => header[at] ?? '')
}

/** `onRead` is told what the file is before anything is asked about it. */
async function resolveMapping<Name extends string, P extends Preset<Name>>(
  reader: ImportPrompts,
  {
    table,
    flags,
    map,
    saved,
  }: { table: DataTable; flags: ReadFlags; map: Map<string, string>; saved: NamedMap | undefined },
  { kind, ...reading }: ColumnReadOptions<Name, P>,
  onRead: (preset: P | undefined) => Promise<void>,
): Promise<MappingResult<Name, P>> {
  const given = [...reading.defaults, ...(flags.default ?? [])]
  const defaults = new Map(readAssignments(kind, '--default', given))
  const values = readValues(kind, flags['map-value'] ?? [])
  const ignore = [...(flags.ignore ?? [])]
  const attempt = (): MappingResult<Name, P> =>
    mapHeaders(kind, table, {
      map,
      ignore,
      defaults,
      ...(saved !== undefined && { saved: saved.map }),
      values,
      strict: flags.strict === true,
    })
  let mapped = attempt()
  await onRead(mapped.mapping.preset)
  if (mapped.mapping.sources.size === 0)
    await reader.say({
      kind: 'warning',
      text: `row ${table.headerRow} names no column that is known; it is taken as the header, not as ${withArticle(kind.row)}.`,
    })
  if (mappingError(mapped, table.headerRow) !== undefined) {
    const ask = await reader.ask()
    if (ask !== undefined) {
      const { askMapping } = await import('./ask-mapping.ts')
      await askMapping({ ask, answered: reader.answered, table, mapped, map, defaults })
      mapped = attempt()
    }
  }
  const error = mappingError(mapped, table.headerRow)
  if (error !== undefined) throw error
  const unread = flags['map-only'] === true ? [] : findUnread(mapped)
  if (unread.length === 0) return mapped
  const ask = await reader.ask()
  if (ask === undefined) throw unreadError(unread)
  const answers = await askUnread(unread, { ask, answered: reader.answered })
  ignore.push(...answers.ignore)
  for (const [column, header] of answers.map) map.set(column, header)
  return attempt()
}

/** Returns the columns that nothing reads, though rows may ask for something by them. Those of an export are known. */
function findUnread({ mapping, unknown }: MappingResult): UnreadColumn[] {
  const { kind, table, preset, ours } = mapping
  if (preset !== undefined || ours !== undefined) return []
  return unknown.flatMap((header): UnreadColumn[] => {
    const at = table.header.indexOf(header)
    const rows = table.rows.map(({ row, cells }) => ({ row, cell: cells[at] ?? '' }))
    const cells = rows.map(({ cell }) => cell)
    return kind.mayAsk?.(header, cells) === true ? [describeUnread(header, rows, kind.asks)] : []
  })
}

type NamedMap = { name: string; map: SavedMap }

/** The maps that were saved for such files. */
function listMaps({ maps }: ImportPrompts, kind: FileKind): NamedMap[] {
  const all = Object.entries(maps).map(([name, map]): NamedMap => ({ name, map }))
  return all.filter(({ map: { _file = 'manifest' } }) => _file === kind.name)
}

/** The map that `--use-map` names, or the first one with headers that the file all has. */
function findSavedMap(
  maps: readonly NamedMap[],
  table: DataTable,
  kind: string,
  name: string | undefined,
): NamedMap | undefined {
  if (name !== undefined) {
    const map = maps.find((each) => each.name === name)
    if (map !== undefined) return map
    throw new AppError('usage', `--use-map: no saved map ${name} for a ${kind}.`, {
      hint:
        maps.length === 0
          ? '--save-map NAME saves one.'
          : `Saved maps: ${maps.map((each) => each.name).join(', ')}.`,
    })
  }
  const keys = new Set(table.keys)
  return maps.find(({ map }) => headersOf(map).every((header) => keys.has(headerKey(header))))
}

/** Returns the headers that a map names, each of those that make one value together. */
function headersOf(map: SavedMap): string[] {
  return savedColumns(map).flatMap(([, header]) => header.split(' + '))
}

async function readText(
  content: DecodedText,
  expected: ExpectedHeader,
  delimiter: Delimiter | undefined,
): Promise<FoundTable> {
  await loadEntities(content.text)
  const table = readTable(content.text, { expected, ...(delimiter !== undefined && { delimiter }) })
  return { table, form: describeText(content, table), warnings: warnOfEncoding(content) }
}

/** Windows-1252 is usual for a file that is no Unicode; any other encoding is worth a look. */
function warnOfEncoding({ encoding, letters }: DecodedText): string[] {
  if (letters === undefined || encoding === 'windows-1252') return []
  return [
    `the file is not UTF-8; its letters are read as ${encoding}. Save it as CSV (UTF-8) if they are wrong.`,
  ]
}

/** Names the encoding; one that was guessed with words of the file, by which a person sees whether it is right. */
function describeText({ encoding, bom, letters = [] }: DecodedText, { delimiter }: DataTable): string {
  const seen = letters.length === 0 ? '' : ` with ${letters.map((word) => `“${word}”`).join(', ')}`
  return `${encoding}${seen}${bom ? ' with a byte order mark' : ''}, ${delimiterName(delimiter)}-separated`
}

function describeFile(
  path: string,
  form: string,
  { rows }: DataTable,
  { preset, savedMap }: { preset: Preset | undefined; savedMap: string | undefined },
): string {
  const known = preset === undefined ? '' : `, ${withArticle(preset.title)}`
  const how = savedMap === undefined || preset !== undefined ? '' : `, with the saved map ${savedMap}`
  const count = pluralize(rows.length, '{1 row|# rows}')
  return `Read ${path === '-' ? 'standard input' : path}: ${form}${known}${how}, ${count}.`
}

/** Returns a sentence about the text above the header, because that text is not read. */
function describeTitles({ titles, headerRow }: DataTable): string {
  const above = pluralizeList(numbersOf(titles), '{row|rows} {} above it {is|are} not read').join('')
  return `the header is in row ${headerRow}; ${above}: ${textOf(titles)}.`
}

/** Returns what is said of rows that are not read, or not as they are. */
function describeRows({ repeats, footers, short }: DataTable): ImportNote[] {
  const closing = '{row|rows} {} {is a total or a closing line|are totals or closing lines} and not read'
  const fewer =
    short.length === 1
      ? 'row {} has fewer cells than the header; those missing at its end are taken as empty.'
      : `${short.length} rows have fewer cells than the header ({}); those missing at their end are taken as empty.`
  const again = '{row|rows} {} {is|are} the header once more; {it is|they are} not read.'
  const ended = pluralizeList(numbersOf(footers), closing).map((text) => `${text}: ${textOf(footers)}.`)
  const texts = [...pluralizeList(repeats, again), ...ended, ...pluralizeList(short, fewer)]
  return texts.map((text) => ({ kind: 'warning', text }))
}

function numbersOf(rows: readonly DataRow[]): number[] {
  return rows.map(({ row }) => row)
}

function textOf(rows: readonly DataRow[]): string {
  const text = rows
    .flatMap(({ cells }) => cells.filter(isFilled))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
  return quoteJson(truncate(text, 60))
}
