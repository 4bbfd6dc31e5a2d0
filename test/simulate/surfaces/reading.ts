/** Asks for what a surface shows, and finds one resource in it. */
import { parse } from 'csv-parse/sync'
import { type Facts, readLabelledValues, readScreenTable, readTabbedRows } from './facts.ts'
import { nestPaths } from './paths.ts'
import type { Subject } from './surface.ts'
import type { CommandOptions, SurfaceWorld } from './world.ts'

/** The document of a resource, as programs read it. */
export type ResourceDocument = Readonly<Record<string, unknown>>
export type ReadDocument = (document: ResourceDocument) => Facts

/** A command that waits for nothing on a frozen clock ends with this code. */
const CLOCK_FROZEN = 8

/** Returns what a command prints into a pipe. Throws where it fails. */
export async function runPiped(
  world: SurfaceWorld,
  words: readonly string[],
  tty: CommandOptions['tty'] = false,
): Promise<string> {
  const { code, out, err } = await world.dray(words, { tty })
  if (code !== 0 && code !== CLOCK_FROZEN)
    throw new Error(`dray ${words.join(' ')} ended with ${code}: ${err}`)
  return out
}

/** Returns what a command shows at a terminal. */
export function runAtTerminal(world: SurfaceWorld, words: readonly string[]): Promise<string> {
  return runPiped(world, words, true)
}

/** Returns what a command draws for a person who can press keys. */
export async function runWithKeyboard(world: SurfaceWorld, words: readonly string[]): Promise<string> {
  return runPiped(world, words, 'keyboard')
}

/** Returns the facts of an answer; undefined for a refusal. */
export function readDocumentFacts(text: string | null, read: ReadDocument): Facts | undefined {
  return text === null ? undefined : read(JSON.parse(text) as ResourceDocument)
}

/** Returns the facts of one resource in a list. */
export function readListedFacts(text: string | null, { id }: Subject, read: ReadDocument): Facts | undefined {
  if (text === null) return undefined
  const { data } = JSON.parse(text) as { data: ResourceDocument[] }
  const row = data.find((each) => isRowOf(each, id))
  return row && read(row)
}

/** Returns the facts of pairs in a pipe, whose names are paths of the document. */
export function readPipedFacts(text: string, read: ReadDocument): Facts {
  return read(nestPaths(readLabelledValues(text, '\t')))
}

export function readPipedRowFacts(text: string, { id }: Subject, read: ReadDocument): Facts | undefined {
  const row = readTabbedRows(text).find((each) => isRowOf(each, id))
  return row && read(nestPaths(row))
}

/** Returns the row of a resource in CSV. */
export function findCsvRow(text: string, id: string): Record<string, string> | undefined {
  const rows: Record<string, string>[] = parse(text, { columns: true, bom: true })
  return rows.find((each) => isRowOf(each, id))
}

/** Returns whether a row is of a resource, and not only of another one that names it, such as the return of a parcel. */
function isRowOf(row: Readonly<Record<string, unknown>>, id: string): boolean {
  return Object.entries(row).some(
    ([name, value]) => value === id && !name.includes('.') && name !== 'return_number',
  )
}

export function readCsvRowFacts(text: string, { id }: Subject, read: ReadDocument): Facts | undefined {
  const row = findCsvRow(text, id)
  return row && read(nestPaths(joinAmounts(row)))
}

/** CSV has an amount in two columns: `total.amount` and `total.currency`. */
function joinAmounts(row: Readonly<Record<string, string>>): Record<string, string> {
  const cells = Object.entries(row).flatMap(([name, value]): [string, string][] => {
    const whole = name.replace(/\.(?:amount|currency)$/, '')
    if (whole === name || !(`${whole}.amount` in row) || !(`${whole}.currency` in row)) return [[name, value]]
    return name.endsWith('.currency') ? [] : [[whole, value]]
  })
  return Object.fromEntries(cells)
}

/** Returns what a list on a terminal says of a resource, by the headings of its columns; undefined for an empty cell. */
export function findTableRow(
  text: string,
  { id }: Subject,
): ((heading: string) => string | undefined) | undefined {
  const row = readScreenTable(text).find((each) => Object.values(each).includes(id))
  return (
    row &&
    ((heading) => {
      const value = row[heading] ?? row[`${heading} (UTC)`]
      return value === '–' || value === '' ? undefined : value
    })
  )
}
