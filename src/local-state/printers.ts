/**
 * The ticket printers of this machine, each with a folder: who prints to it now, what the paper of each order says, and what users
 * want printed again. One process at a time has the folder, under its lock. A line of papers is on the disk before its paper is sent.
 */
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeFolders } from '../core/folders.ts'
import { sha256Hex } from '../core/hash.ts'
import type { Machine } from '../core/machine.ts'
import { toWriteError } from '../core/write-error.ts'
import { isSameProcess } from './claim-files.ts'

/** The state of an order's paper at its printer. One order has one for each slip. */
export type PaperRecord = {
  service: string
  order_id: string
  display_number: string
  slip: string
  /** Tells apart, with the id, orders of two stores in one place, such as before and after a reset. */
  placed_at: string
  accepted_at: string | null
  /** `unsure`: a paper was sent, and whether it was printed is unknown. `over`: no paper follows. */
  status: 'waiting' | 'unsure' | 'printed' | 'over'
  /** The kind of the paper that waits, or of the last one. */
  kind: string
  /** The number of the last paper that was sent; null before the first. */
  number: number | null
  /** The units to make on the last printed paper, by the line's id; null before the first. */
  printed: Readonly<Record<string, { name: string; quantity: number }>> | null
  /** The time of the last change, in milliseconds by the machine's clock. */
  at: number
}

/** The state of a printer, and who prints to it. */
export type PrinterEntry = {
  printer: string
  service: string
  profile: string
  account: string | null
  merchant_id: string | null
  /** The flags of its last run. */
  settings: Readonly<Record<string, string | number | null>>
  /** The process, or null once it ended by itself. */
  pid: number | null
  /** The start time of that process, in units of the system. */
  started: string
  status: 'ready' | 'gone'
  /** Why it is gone; null while it is ready. */
  why: string | null
  /** The time since when, in milliseconds by the machine's clock. */
  since: number
  waiting: number
}

/** A paper that a user wants again. */
export type PaperRequest = { order_id: string; slip: string }

type PrinterDeps = Pick<Machine, 'paths'>

/** Returns the folder of a printer. */
function printerFolder({ paths }: PrinterDeps, printer: string): string {
  return join(paths.state, 'printers', sha256Hex(printer).slice(0, 16))
}

/** Makes the folder. Returns the path of its lock. Throws AppError('file_error' | 'storage_full'). */
export function makePrinterFolder(deps: PrinterDeps, printer: string): string {
  const folder = printerFolder(deps, printer)
  guardWrite(folder, () => makeFolders(folder, 0o700))
  return join(folder, 'lock')
}

/** Returns the printers of this machine, by name. */
export function listPrinters(deps: PrinterDeps): PrinterEntry[] {
  const root = join(deps.paths.state, 'printers')
  return namesIn(root)
    .flatMap((name) => readJson<PrinterEntry>(join(root, name, 'printer.json')) ?? [])
    .toSorted((a, b) => (a.printer < b.printer ? -1 : 1))
}

/** Replaces the state of a printer. Throws AppError('file_error' | 'storage_full'). */
export function writePrinter(deps: PrinterDeps, entry: PrinterEntry): void {
  const path = join(printerFolder(deps, entry.printer), 'printer.json')
  guardWrite(path, () => replaceFile(path, JSON.stringify(entry)))
}

/** Returns whether the process of a printer still runs. */
export function isPrinterServed(
  machine: Pick<Machine, 'isAlive' | 'startOf'>,
  { pid, started }: Pick<PrinterEntry, 'pid' | 'started'>,
): boolean {
  return pid !== null && isSameProcess(machine, pid, started)
}

/** A paper that ended so long ago may be forgotten. */
const KEPT_MS = 36 * 3_600_000

export type PaperLog = {
  /** All papers, the oldest first. Without those that a reset of their service deleted. */
  list(): PaperRecord[]
  find(service: string, orderId: string, slip: string): PaperRecord | undefined
  /** Writes a paper to the disk. Throws AppError('file_error' | 'storage_full'). */
  save(record: PaperRecord): void
  /** Returns the next number of a paper. It is on the disk with the paper that is saved next. */
  nextNumber(): number
}

/** Opens the papers of a printer for the process that has its lock. Throws AppError('file_error' | 'storage_full'). */
export function openPapers(deps: PrinterDeps & Pick<Machine, 'now'>, printer: string): PaperLog {
  const path = join(printerFolder(deps, printer), 'papers.ndjson')
  const oldest = deps.now() - KEPT_MS
  let { records, lastNumber } = readPapers(path)
  for (const [key, { status, at }] of records) if (status === 'over' && at < oldest) records.delete(key)
  // A line that a kill or a full disk cut off ends here.
  guardWrite(path, () => writePapers(path, [...records.values()], lastNumber))
  let file = fileId(path)
  return {
    list() {
      if (fileId(path) !== file) {
        ;({ records } = readPapers(path))
        file = fileId(path)
      }
      return [...records.values()]
    },
    find: (service, orderId, slip) => records.get(keyOf({ service, order_id: orderId, slip })),
    save(record) {
      // A line that a full disk cut off must not become part of this one.
      const line = `\n${JSON.stringify(record)}\n`
      guardWrite(path, () => appendFileSync(path, line, { mode: 0o600, flush: true }))
      records.set(keyOf(record), record)
    },
    nextNumber: () => (lastNumber += 1),
  }
}

/** Returns what changes when a file is replaced. */
function fileId(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}

/** Returns the papers of a printer, also while another process prints. */
export function listPapers(deps: PrinterDeps, printer: string): PaperRecord[] {
  return [...readPapers(join(printerFolder(deps, printer), 'papers.ndjson')).records.values()]
}

/** Forgets the papers of a service that was reset. A process that prints notices it. */
export function deletePapers(deps: PrinterDeps, service: string): void {
  const root = join(deps.paths.state, 'printers')
  for (const name of namesIn(root)) {
    const path = join(root, name, 'papers.ndjson')
    const { records, lastNumber } = readPapers(path)
    const rest = [...records.values()].filter((record) => record.service !== service)
    if (rest.length === records.size) continue
    writePapers(path, rest, lastNumber)
  }
}

/** Asks the process of a printer for a paper. Throws AppError('file_error' | 'storage_full'). */
export function addPaperRequest(
  deps: PrinterDeps & Pick<Machine, 'weakRandomBytes'>,
  printer: string,
  request: PaperRequest,
): void {
  const name = Buffer.from(deps.weakRandomBytes(8)).toString('hex')
  const path = join(printerFolder(deps, printer), `again-${name}.json`)
  guardWrite(path, () => replaceFile(path, JSON.stringify(request)))
}

/** Returns the papers that users want again, each with what removes the request once it is recorded. */
export function listPaperRequests(
  deps: PrinterDeps,
  printer: string,
): { request: PaperRequest; remove: () => void }[] {
  const folder = printerFolder(deps, printer)
  return namesIn(folder)
    .filter((name) => /^again-.*\.json$/.test(name))
    .flatMap((name) => {
      const path = join(folder, name)
      const request = readJson<PaperRequest>(path)
      return request === undefined ? [] : { request, remove: () => unlinkSync(path) }
    })
}

type KeyedPaper = Pick<PaperRecord, 'service' | 'order_id' | 'slip'>

function keyOf({ service, order_id, slip }: KeyedPaper): string {
  return `${service}\n${order_id}\n${slip}`
}

function readPapers(path: string): { records: Map<string, PaperRecord>; lastNumber: number } {
  const records = new Map<string, PaperRecord>()
  let lastNumber = 0
  for (const line of readText(path).split('\n')) {
    const read = parseLine(line)
    if (read === undefined) continue
    lastNumber = Math.max(lastNumber, read.last_number ?? 0, read.number ?? 0)
    if (read.order_id !== undefined) records.set(keyOf(read as PaperRecord), read as PaperRecord)
  }
  return { records, lastNumber }
}

type PaperLine = Partial<PaperRecord> & { last_number?: number }

function parseLine(line: string): PaperLine | undefined {
  try {
    return line === '' ? undefined : (JSON.parse(line) as PaperLine)
  } catch {
    return undefined
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch {
    return undefined
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function writePapers(path: string, records: readonly PaperRecord[], lastNumber: number): void {
  const lines = [{ last_number: lastNumber }, ...records]
  replaceFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

function replaceFile(path: string, text: string): void {
  const next = `${path}.next`
  writeFileSync(next, text, { mode: 0o600, flush: true })
  renameSync(next, path)
}

function guardWrite<T>(path: string, write: () => T): T {
  try {
    return write()
  } catch (error) {
    throw toWriteError(
      error,
      (why) => `The tickets of the printer cannot be recorded in ${path} (${why}).`,
      'Free disk space, or set DRAY_HOME to a writable folder. Nothing is printed without the record.',
    )
  }
}
