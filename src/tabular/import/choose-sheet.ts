/** Chooses the sheet of a workbook with the rows: the one that is named, the only one that can be meant, or the one chosen. */
import { AppError } from '../../core/errors.ts'
import { foldForSearch } from '../../core/fold.ts'
import type { FileKind } from '../columns/columns.ts'
import { loadEntities } from '../csv/entities.ts'
import { fileError } from '../csv/file-error.ts'
import { countColumns, type ExpectedHeader, hasEveryColumn } from '../csv/header.ts'
import { readSheetTable, type DataTable } from '../csv/read.ts'
import { pluralize, pluralizeList } from '../wording.ts'
import type { SheetRows } from '../xlsx/sheet.ts'
import type { WorkbookSheet, Workbook } from '../xlsx/workbook.ts'
import type { ImportPrompts } from './prompts.ts'

/** A table with the words for how it was read; `sheet` is one of several that could have been meant. */
export type FoundTable = {
  table: DataTable
  form: string
  warnings: string[]
  /** The positions of columns that a workbook hides. */
  hidden?: ReadonlySet<number>
  sheet?: string
}

/** More sheets than this are not looked through for the one that is meant. */
const MAX_SHEETS = 50

type ReadSheet = { sheet: WorkbookSheet; content: SheetRows }

type ChosenSheet = ReadSheet & { chosen?: true }

/** Reads a sheet of a workbook. Hidden rows and sheets are skipped. Throws AppError. */
export async function readWorkbook(
  reader: ImportPrompts,
  { sheets }: Workbook,
  { name, kind }: { name: string | undefined; kind: FileKind },
  expected: ExpectedHeader,
): Promise<FoundTable> {
  const {
    sheet,
    content,
    chosen = name !== undefined,
  } = name === undefined ? await chooseSheet(reader, sheets, kind, expected) : await readNamed(sheets, name)
  // Its reader has loaded them already.
  await loadEntities('&amp;')
  const others = sheets.length > 1 ? ` of ${sheets.length}` : ''
  return {
    table: readSheetTable(content.rows, expected, content.hidden),
    form: `a workbook, sheet ${sheet.name}${others}`,
    warnings: warningsOf(content),
    hidden: content.hiddenColumns,
    ...(chosen && sheets.length > 1 && { sheet: sheet.name }),
  }
}

async function readNamed(sheets: readonly WorkbookSheet[], name: string): Promise<ChosenSheet> {
  const wanted = foldForSearch(name)
  const sheet =
    sheets.find((each) => each.name === name) ?? sheets.find((each) => foldForSearch(each.name) === wanted)
  if (sheet !== undefined) return { sheet, content: await sheet.read() }
  throw new AppError('usage', `--sheet: the workbook has no sheet ${JSON.stringify(name.slice(0, 60))}.`, {
    hint: `It has: ${namesOf(sheets)}.`,
  })
}

async function chooseSheet(
  reader: ImportPrompts,
  sheets: readonly WorkbookSheet[],
  { row }: FileKind,
  expected: ExpectedHeader,
): Promise<ChosenSheet> {
  const visible = sheets.filter(({ hidden }) => !hidden)
  const [only, ...more] = visible
  if (only === undefined)
    throw fileError('empty_file', 'Every sheet of the workbook is hidden, and hidden ones are not read.', {
      hint: `Unhide the right sheet, or set it with --sheet. Sheets: ${namesOf(sheets)}.`,
    })
  if (more.length === 0) return { sheet: only, content: await only.read() }
  const read: ReadSheet[] = []
  for (const sheet of visible.slice(0, MAX_SHEETS)) {
    const content = await sheet.read()
    if (content.rows.length > 0) read.push({ sheet, content })
  }
  const tables = read.map((each) => ({ each, header: tableOf(each.content, expected)?.header }))
  for (const fits of FITS) {
    const [found, ...others] = tables.flatMap(({ each, header }) =>
      header !== undefined && fits(header, expected) ? [each] : [],
    )
    if (found !== undefined && others.length === 0) return found
    if (found !== undefined) return askSheet(reader, [found, ...others], row, expected)
  }
  const [filled, ...others] = read
  if (filled === undefined) return { sheet: only, content: await only.read() }
  return others.length === 0 ? filled : askSheet(reader, read, row, expected)
}

/** Tests of a sheet: its rows stand below a header that names every column that must be there, or at least several columns. */
const FITS: readonly ((header: readonly string[], expected: ExpectedHeader) => boolean)[] = [
  hasEveryColumn,
  (header, expected) => countColumns(header, expected) > 1,
]

function tableOf({ rows }: SheetRows, expected: ExpectedHeader): DataTable | undefined {
  try {
    return readSheetTable(rows, expected)
  } catch {
    return undefined
  }
}

async function askSheet(
  reader: ImportPrompts,
  choices: readonly ReadSheet[],
  row: string,
  expected: ExpectedHeader,
): Promise<ChosenSheet> {
  const ask = await reader.ask()
  const names = choices.map(({ sheet }) => sheet)
  if (ask === undefined)
    throw new AppError('usage', `Several sheets may have the ${row}s: ${namesOf(names)}.`, {
      hint: `Say which with --sheet ${JSON.stringify(names[0]?.name)}.`,
      extra: { reason: { code: 'sheet_unclear', sheets: names.map(({ name }) => name) } },
    })
  const chosen = await ask.select({
    message: `Sheet with the ${row}s?`,
    choices: choices.map((each) => {
      const rows = (tableOf(each.content, expected) ?? each.content).rows.length
      return { value: each, name: `${each.sheet.name} (${pluralize(rows, '{1 row|# rows}')})` }
    }),
  })
  reader.answered.push({ flag: '--sheet', value: chosen.sheet.name })
  return { ...chosen, chosen: true }
}

function namesOf(sheets: readonly WorkbookSheet[]): string {
  return sheets.map(({ name, hidden }) => (hidden ? `${name} (hidden)` : name)).join(', ')
}

function warningsOf({ hidden, struck, rounded, merged }: SheetRows): string[] {
  return [
    ...pluralizeList(
      hidden.map(({ row }) => row),
      '{row|# rows} {} {is|are} hidden in the workbook and not read. Show {it|them} there to send {it|them}.',
    ),
    ...pluralizeList(
      struck,
      '{row|# rows} {} {is|are} struck out in the workbook but still read. Delete rows that must not be sent.',
    ),
    ...pluralizeList(
      rounded,
      'the spreadsheet has rounded long numbers to 15 digits ({}): format these cells as text and enter them again.',
    ),
    ...pluralizeList(
      merged,
      'the value of merged cells counts for each of their rows ({}). Split them there where rows differ.',
    ),
  ]
}
