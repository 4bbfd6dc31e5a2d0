/**
 * Workbooks in the form of Excel (.xlsx, .xlsm), as Excel, LibreOffice and Google Sheets write them.
 *
 * Readers of npm were tried (read-excel-file 9.3, SheetJS 0.20, hucre 1.0): each needs gigabytes for a sheet of 3 MB that
 * unpacks to more than one, and they lose the zeros in front of a number, its last digits, or that a cell holds an error.
 */
import { type Archive, openArchive } from './archive.ts'
import { workbookDamagedError, workbookLockedError, otherFileKindError } from './faults.ts'
import { type CellFormat, makeFormat } from './format.ts'
import { readSheet, readStrings, type SheetParts, type SheetRows } from './sheet.ts'
import { isCompound } from './signature.ts'
import { decodeXml, readXml } from './xml.ts'

export type WorkbookSheet = { name: string; hidden: boolean; read(): Promise<SheetRows> }

export type Workbook = { sheets: WorkbookSheet[] }

/**
 * Lists the sheets of a workbook. Throws AppError('file_error') for one that cannot be read. `most` is the limit in
 * bytes of an unpacked sheet.
 */
export async function openWorkbook(bytes: Uint8Array, most?: number): Promise<Workbook> {
  if (isCompound(bytes)) {
    const name = Buffer.from('EncryptedPackage', 'utf16le')
    throw Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(name)
      ? workbookLockedError()
      : otherFileKindError('a workbook of Excel 2003 or older (.xls)')
  }
  const archive = await openArchive(bytes, most)
  const main = await findMain(archive)
  const { sheets, since1904 } = readMain((await archive.read(main)) ?? '')
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const related = await readRelations(archive, folder, main.slice(folder.length))
  const parts = once(() => readParts(archive, [...related.values()], since1904))
  return {
    sheets: sheets.flatMap(({ id, name, hidden }) => {
      const part = related.get(id)
      // A sheet that is one chart has no cells.
      if (part === undefined || !part.type.endsWith('/worksheet')) return []
      const read = async (): Promise<SheetRows> => {
        const xml = await archive.read(part.target)
        if (xml === undefined) throw workbookDamagedError()
        return readSheet(xml, await parts())
      }
      return [{ name, hidden, read }]
    }),
  }
}

/** The part that lists the sheets. */
async function findMain(archive: Archive): Promise<string> {
  const [main] = [...(await readRelations(archive, '', '')).values()].filter(({ type }) =>
    type.endsWith('/officeDocument'),
  )
  if (main !== undefined && /\.bin$/i.test(main.target)) throw otherFileKindError('a binary workbook (.xlsb)')
  if (main !== undefined && archive.has(main.target) && /workbook/i.test(main.target)) return main.target
  const kind = (await archive.read('mimetype')) ?? ''
  if (kind.includes('opendocument.spreadsheet')) throw otherFileKindError('a workbook of OpenDocument (.ods)')
  throw otherFileKindError('a ZIP archive and no workbook')
}

type Part = { type: string; target: string }

/** The parts that a part refers to, by the names that it uses. */
async function readRelations(archive: Archive, folder: string, name: string): Promise<Map<string, Part>> {
  const related = new Map<string, Part>()
  const xml = await archive.read(`${folder}_rels/${name}.rels`)
  if (xml === undefined) return related
  readXml(xml, {
    open(tag, attributes) {
      if (tag !== 'Relationship') return
      const { Id = '', Type = '', Target = '' } = attributes()
      const target = decodeXml(Target)
      related.set(Id, { type: Type, target: target.startsWith('/') ? target.slice(1) : `${folder}${target}` })
    },
  })
  return related
}

function readMain(xml: string) {
  const sheets: { id: string; name: string; hidden: boolean }[] = []
  let since1904 = false
  readXml(xml, {
    open(tag, attributes) {
      if (tag === 'workbookPr') since1904 = ['1', 'true'].includes(attributes()['date1904'] ?? '')
      if (tag !== 'sheet') return
      const given = attributes()
      const id = Object.entries(given).find(([name]) => name.endsWith(':id'))?.[1] ?? ''
      const hidden = (given['state'] ?? 'visible') !== 'visible'
      sheets.push({ id, name: decodeXml(given['name'] ?? ''), hidden })
    },
  })
  return { sheets, since1904 }
}

async function readParts(
  archive: Archive,
  related: readonly Part[],
  since1904: boolean,
): Promise<SheetParts> {
  const read = async (kind: string): Promise<string | undefined> => {
    const part = related.find(({ type }) => type.endsWith(`/${kind}`))
    return part && archive.read(part.target)
  }
  const [strings, styles] = [await read('sharedStrings'), await read('styles')]
  return {
    strings: strings === undefined ? [] : readStrings(strings),
    formats: styles === undefined ? [] : readFormats(styles, since1904),
  }
}

/** The formats of the cells' styles, by their position. */
function readFormats(xml: string, since1904: boolean): CellFormat[] {
  const own = new Map<string, string>()
  const struck = new Set<number>()
  const styles: { id: string; font: number; isQuoted: boolean }[] = []
  let within = ''
  let font = -1
  readXml(xml, {
    open(tag, attributes) {
      if (tag === 'fonts' || tag === 'cellXfs') within = tag
      else if (tag === 'font' && within === 'fonts') font += 1
      else if (tag === 'strike' && within === 'fonts') addStrike(struck, font, attributes()['val'])
      else if (tag === 'numFmt') {
        const { numFmtId = '', formatCode = '' } = attributes()
        own.set(numFmtId, decodeXml(formatCode))
      } else if (tag === 'xf' && within === 'cellXfs') {
        const { numFmtId = '0', fontId = '0', quotePrefix = '0' } = attributes()
        styles.push({ id: numFmtId, font: Number(fontId), isQuoted: ['1', 'true'].includes(quotePrefix) })
      }
    },
    close(tag) {
      if (tag === within) within = ''
    },
  })
  const made = new Map<string, ReturnType<typeof makeFormat>>()
  return styles.map(({ id, font: at, isQuoted }) => {
    const format = made.get(id) ?? makeFormat(Number(id), own.get(id), since1904)
    made.set(id, format)
    return { ...format, isStruck: struck.has(at), isQuoted }
  })
}

/** Adds a font whose letters are struck out, unless its mark says that they are not. Formats of conditions come later. */
function addStrike(struck: Set<number>, font: number, value = '1'): void {
  if (value !== '0' && value !== 'false') struck.add(font)
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
