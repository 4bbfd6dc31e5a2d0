/** Writes workbooks whose cells are texts, which a spreadsheet keeps as they are: `000456`, `1/2`, sixteen digits. */
import { strToU8, zipSync, type Zippable } from 'fflate'
import { escapeAmbiguous } from '../csv/escape-coercion.ts'
import type { Cell } from '../csv/write.ts'
import { columnName } from './sheet.ts'
import { WORKBOOK_MARK } from './signature.ts'

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'
const FORMATS = 'http://schemas.openxmlformats.org'
const MAIN = `xmlns="${FORMATS}/spreadsheetml/2006/main"`
const OFFICE = `${FORMATS}/officeDocument/2006/relationships`
const TYPE = 'application/vnd.openxmlformats-officedocument'

/** The one style of the cells is text, so that what a user types into them stays as it is typed. */
const STYLES = `<styleSheet ${MAIN}><fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf numFmtId="49" applyNumberFormat="1"/></cellXfs></styleSheet>`

/** Returns the bytes of a workbook of one sheet. The first of the rows is its header. */
export function writeWorkbook(sheet: string, rows: readonly (readonly Cell[])[]): Uint8Array<ArrayBuffer> {
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${FORMATS}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/docProps/app.xml" ContentType="${TYPE}.extended-properties+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.spreadsheetml.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.spreadsheetml.worksheet+xml"/></Types>`,
    '_rels/.rels': relations(
      ['officeDocument', 'xl/workbook.xml'],
      ['extended-properties', 'docProps/app.xml'],
    ),
    'xl/workbook.xml': `<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets><sheet name="${escapeXml(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(['worksheet', 'worksheets/sheet1.xml'], ['styles', 'styles.xml']),
    'xl/styles.xml': STYLES,
    'xl/worksheets/sheet1.xml': sheetXml(rows),
  }
  const app = `${HEAD}<Properties xmlns="${FORMATS}/officeDocument/2006/extended-properties">${WORKBOOK_MARK}</Properties>`
  const packed: Zippable = { 'docProps/app.xml': [strToU8(app), { level: 0 }] }
  for (const [name, xml] of Object.entries(parts)) packed[name] = strToU8(`${HEAD}${xml}`)
  // No clock: the same rows make the same bytes.
  return zipSync(packed, { mtime: '1980-01-02T12:00:00Z' })
}

function relations(...parts: readonly (readonly [type: string, target: string])[]): string {
  const each = parts.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="${FORMATS}/package/2006/relationships">${each.join('')}</Relationships>`
}

function sheetXml(rows: readonly (readonly Cell[])[]): string {
  const width = rows[0]?.length ?? 1
  const written = rows.map((cells, at) => `<row r="${at + 1}">${rowXml(cells, at + 1)}</row>`)
  return `<worksheet ${MAIN}><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${width}" width="18" style="1" customWidth="1"/></cols><sheetData>${written.join('')}</sheetData></worksheet>`
}

function rowXml(cells: readonly Cell[], row: number): string {
  return cells
    .map((cell, at) => (cell === undefined || cell === '' ? '' : cellXml(cell, `${columnName(at)}${row}`)))
    .join('')
}

function cellXml(cell: NonNullable<Cell>, place: string): string {
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${Number(cell)}</v></c>`
  return `<c r="${place}" s="1" t="inlineStr"><is><t xml:space="preserve">${escapeXml(escapeAmbiguous(cell, cell))}</t></is></c>`
}

/** Characters that XML cannot hold, and a carriage return, which it makes a line feed, are written as `_x000D_`; so is that text itself. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(
      // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
      /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      (unit) => `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
