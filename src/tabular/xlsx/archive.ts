/** The parts of a workbook: a ZIP archive of XML files. */
import yauzl, { type Entry } from 'yauzl'
import { AppError } from '../../core/errors.ts'
import { workbookDamagedError, workbookLockedError, workbookTooLarge } from './faults.ts'

/** The most bytes of one part. A sheet of 100,000 parcels has 60 MiB. */
const MAX_PART = 128 * 1_048_576

/** A workbook has a few dozen parts. */
const MAX_PARTS = 10_000

export type Archive = {
  has(name: string): boolean
  /** Returns the text of a part; undefined when there is none. Throws AppError('file_error'). */
  read(name: string): Promise<string | undefined>
}

/** Lists the parts of an archive. Throws AppError('file_error') for one that is damaged. */
export async function openArchive(bytes: Uint8Array, most = MAX_PART): Promise<Archive> {
  try {
    const zip = await yauzl.fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), {
      lazyEntries: true,
    })
    if (zip.entryCount > MAX_PARTS) throw workbookTooLarge(`has more than ${MAX_PARTS} parts`)
    const parts = new Map<string, Entry>()
    for await (const entry of zip.eachEntry()) parts.set(keyOf(entry.fileName), entry)
    return {
      has: (name) => parts.has(keyOf(name)),
      async read(name) {
        const entry = parts.get(keyOf(name))
        if (entry === undefined) return undefined
        if (entry.uncompressedSize > most)
          throw workbookTooLarge(`unpacks to more than ${most / 1_048_576} MiB`)
        if (entry.isEncrypted()) throw workbookLockedError()
        return readText(() => zip.openReadStreamPromise(entry))
      },
    }
  } catch (error) {
    throw error instanceof AppError ? error : workbookDamagedError(error)
  }
}

/**
 * Reads a part. The archive rejects one that is larger than it says. Cells and rows that hold nothing are skipped as they
 * arrive: a sheet may be formatted down to its last row.
 */
async function readText(openStream: () => Promise<AsyncIterable<Uint8Array>>): Promise<string> {
  try {
    const decoder = new TextDecoder()
    const parts: string[] = []
    /** The pieces after the last end of a row, and the end of them. */
    let open: string[] = []
    let tail = ''
    for await (const chunk of await openStream()) {
      const arrived = decoder.decode(chunk, { stream: true })
      // Only what arrived is searched: a part without the end of a row would else be read again with each chunk.
      const end = `${tail}${arrived}`.lastIndexOf(ROW_END)
      if (end === -1) {
        open.push(arrived)
        tail = `${tail}${arrived}`.slice(1 - ROW_END.length)
        continue
      }
      const after = end + ROW_END.length - tail.length
      open.push(arrived.slice(0, after))
      parts.push(open.join('').replaceAll(BLANK_CELL, '').replaceAll(BLANK_ROW, ''))
      open = [arrived.slice(after)]
      tail = arrived.slice(after).slice(1 - ROW_END.length)
    }
    return [...parts, ...open, decoder.decode()].join('')
  } catch (error) {
    throw workbookDamagedError(error)
  }
}

const ROW_END = '</row>'
/** Only cells and rows that say their place, so that those behind them keep theirs. */
const BLANK_CELL = /<c(?=\s[^<>]*?\br=")\s[^<>]*?(?:\/>|>\s*<\/c>)/g
const BLANK_ROW = /<row(?=\s[^<>]*?\br=")\s[^<>]*?(?:\/>|>\s*<\/row>)/g

/** Names of parts do not differ by case, and some programs begin them with a slash. */
function keyOf(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase()
}
