/** Workbooks as Excel writes them, for tests: the parts as XML, packed by a library. */
import { strToU8, zipSync } from 'fflate'
import { readTable } from '../../src/tabular/csv/read.ts'

/** A cell by its XML attributes and content, or a text, or nothing. */
export type MadeCell = string | undefined | { t?: string; s?: number; v?: string; f?: string }

export type MadeSheet = {
  name: string
  state?: 'hidden' | 'veryHidden'
  /** Rows by their number. */
  rows: Readonly<Record<number, readonly MadeCell[]>>
  hidden?: readonly number[]
  /** Hidden columns: 1 is A. */
  hiddenColumns?: readonly number[]
  /** Merged cells: `K2:K4`. */
  merged?: readonly string[]
}

export type WorkbookOptions = {
  /** Formats of numbers: a cell's style `s` is its place here; 0 is General. */
  formats?: readonly (string | number)[]
  since1904?: boolean
  /** Replaces or adds parts. */
  parts?: Readonly<Record<string, string>>
}

/** Returns the bytes of a workbook. Texts are shared, as Excel writes them. */
export function workbookOf(
  sheets: readonly MadeSheet[],
  { formats = [], since1904 = false, parts = {} }: WorkbookOptions = {},
): Uint8Array {
  const strings: string[] = []
  const made = sheets.map((sheet) => sheetXml(sheet, strings))
  const relations = sheets.map((_, at) => relation(at + 1, 'worksheet', `worksheets/sheet${at + 1}.xml`))
  const own = formats.flatMap((code, at) => (typeof code === 'string' ? [[170 + at, code] as const] : []))
  const ids = [0, ...formats.map((code, at) => (typeof code === 'string' ? 170 + at : code))]
  return pack({
    '[Content_Types].xml': `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': relationsXml([relation(1, 'officeDocument', 'xl/workbook.xml')]),
    'xl/workbook.xml': `${HEAD}<workbook ${MAIN} xmlns:r="${OFFICE}"><workbookPr${since1904 ? ' date1904="1"' : ''}/><sheets>${sheets
      .map(
        ({ name, state = 'visible' }, at) =>
          `<sheet name="${escapeXml(name)}" sheetId="${at + 1}" state="${state}" r:id="rId${at + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationsXml([
      ...relations,
      relation(sheets.length + 1, 'styles', 'styles.xml'),
      relation(sheets.length + 2, 'sharedStrings', 'sharedStrings.xml'),
    ]),
    'xl/styles.xml': `${HEAD}<styleSheet ${MAIN}><numFmts>${own
      .map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${escapeXml(code)}"/>`)
      .join('')}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${ids
      .map((id) => `<xf numFmtId="${id}"/>`)
      .join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${HEAD}<sst ${MAIN}>${strings
      .map((text) => `<si><t xml:space="preserve">${escapeXml(text)}</t></si>`)
      .join('')}</sst>`,
    ...Object.fromEntries(made.map((xml, at) => [`xl/worksheets/sheet${at + 1}.xml`, xml])),
    ...parts,
  })
}

/** Returns the sheet of a CSV text, each cell a text; its header is in the row `first`. */
export function makeSheetFromCsv(name: string, csv: string, first = 1): MadeSheet {
  const { header, headerRow, rows } = readTable(csv)
  const all = [{ row: headerRow, cells: header }, ...rows]
  return { name, rows: Object.fromEntries(all.map(({ row, cells }) => [row - 1 + first, cells])) }
}

/** Packs parts into an archive. */
export function pack(parts: Readonly<Record<string, string>>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

function relation(id: number, type: string, target: string): string {
  return `<Relationship Id="rId${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
}

function relationsXml(relations: readonly string[]): string {
  return `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations.join('')}</Relationships>`
}

function sheetXml(
  { rows, hidden = [], hiddenColumns = [], merged = [] }: MadeSheet,
  strings: string[],
): string {
  const written = Object.entries(rows).map(([row, cells]) => {
    const inner = cells.map((cell, at) => cellXml(cell, `${String.fromCharCode(65 + at)}${row}`, strings))
    return `<row r="${row}"${hidden.includes(Number(row)) ? ' hidden="1"' : ''}>${inner.join('')}</row>`
  })
  const columns =
    hiddenColumns.length === 0
      ? ''
      : `<cols>${hiddenColumns.map((at) => `<col min="${at}" max="${at}" hidden="1"/>`).join('')}</cols>`
  const merges = merged.map((place) => `<mergeCell ref="${place}"/>`).join('')
  return `${HEAD}<worksheet ${MAIN}>${columns}<sheetData>${written.join('')}</sheetData>${merges === '' ? '' : `<mergeCells>${merges}</mergeCells>`}</worksheet>`
}

function cellXml(cell: MadeCell, place: string, strings: string[]): string {
  if (cell === undefined) return ''
  if (typeof cell === 'string') {
    strings.push(cell)
    return `<c r="${place}" t="s"><v>${strings.length - 1}</v></c>`
  }
  const { t, s, v, f } = cell
  const attributes = `${t === undefined ? '' : ` t="${t}"`}${s === undefined ? '' : ` s="${s}"`}`
  const formula = f === undefined ? '' : `<f>${escapeXml(f)}</f>`
  return `<c r="${place}"${attributes}>${formula}${v === undefined ? '' : `<v>${escapeXml(v)}</v>`}</c>`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
