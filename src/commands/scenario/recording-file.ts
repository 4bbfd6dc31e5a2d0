/** The file of a recording, and the memory that later commands need. */
import { readFileSync } from 'node:fs'
import { appendFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Document, isMap, isSeq, parseDocument } from 'yaml'
import { isFileNotFoundError, readFile } from '../../cli/files/read.ts'
import { AppError } from '../../core/errors.ts'
import { makeFolders } from '../../core/folders.ts'
import { toWriteError } from '../../core/write-error.ts'
import { parseScenario, formatProblemLines } from './file.ts'
import type { ScenarioStep } from './schema.ts'

const FIRST_LINE = '# Recorded by `dray --record`; `dray scenario run --ephemeral` plays it back.'

/**
 * The facts about earlier responses that later commands need: the clock, and the place of each value. It is stored in
 * the state folder, so the file contains only steps.
 */
export type Memory = {
  now?: number | undefined
  places: Record<string, string>
  /** Reads without a reference; a later reference adds them to the file. */
  reads?: RecordedRead[] | undefined
  /** The head of a file without steps. */
  head?: Head | undefined
}

export type Head = { at?: string; seed?: number; as?: string }

/** A read, and the id of the step before it. */
export type RecordedRead = { step: ScenarioStep; after?: string | undefined }

export type Before = {
  isNew: boolean
  endsWell: boolean
  text: string
  /** The names of its steps. */
  ids: ReadonlySet<string>
  lastId?: string | undefined
  as?: string | undefined
}

export function readBefore(file: string, given: string): Before {
  let text: string
  try {
    text = new TextDecoder().decode(readFile(file, 'scenario'))
  } catch (error) {
    if (!isFileNotFoundError(error)) throw error
    return { isNew: true, endsWell: true, text: '', ids: new Set() }
  }
  if (text === '') return { isNew: true, endsWell: true, text: '', ids: new Set() }
  if (!text.startsWith(FIRST_LINE))
    throw cannot(given, 'be recorded to: it was not begun by --record, and nothing is written over')
  const read = parseScenario(text, given, { allowOutside: true })
  if ('problems' in read) throw new AppError('file_error', formatProblemLines(read)[0] ?? '')
  const { steps, as } = read.scenario
  const ids = steps.flatMap(({ id }) => id ?? [])
  return { isNew: false, endsWell: text.endsWith('\n'), text, ids: new Set(ids), lastId: ids.at(-1), as }
}

/** Reads the memory. Without it, the recording continues with plain values in place of references. */
export function readMemory(file: string): Memory {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Memory
  } catch {
    return { places: {} }
  }
}

/** Writes the memory. Throws AppError('file_error' | 'storage_full'). */
export async function writeMemory(file: string, memory: Memory): Promise<void> {
  try {
    makeFolders(dirname(file), 0o700)
    await writeFile(file, JSON.stringify(memory), { mode: 0o600 })
  } catch (error) {
    throw toWriteError(
      error,
      (why) => `${file}, which --record needs for the next command, cannot be written (${why}).`,
    )
  }
}

/** Appends steps to a file, or writes the whole text with reads inserted between earlier steps. */
export async function writeSteps(
  file: string,
  given: string,
  before: Before,
  { head, text, inserted }: { head: Head; text: string; inserted: string | undefined },
): Promise<void> {
  try {
    if (text !== '' && before.isNew) {
      const first = `${FIRST_LINE}\n${toYaml({ name: given, ...head })}steps:\n`
      await appendFile(file, first + text, { mode: 0o600 })
    } else if (inserted === undefined && text !== '')
      await appendFile(file, (before.endsWell ? '' : '\n') + text, { mode: 0o600 })
    else if (inserted !== undefined) await writeFile(file, inserted + text, { mode: 0o600 })
  } catch (error) {
    throw cannot(given, `be written: ${(error as Error).message}`, error)
  }
}

/** Returns the text of a recording with reads at their original places: a list may differ later. */
export function insertReads(text: string, reads: readonly RecordedRead[]): string {
  let result = text.endsWith('\n') ? text : `${text}\n`
  // From the last to the first, so that several after one step keep their order.
  for (const { step, after } of reads.toReversed()) {
    const list = parseDocument(result).get('steps')
    const items = isSeq(list) ? list.items : []
    const found = items.findIndex((item) => isMap(item) && item.get('id') === after)
    const next = after === undefined ? items[0] : found < 0 ? undefined : items[found + 1]
    const start = isMap(next) && next.range ? result.lastIndexOf('\n', next.range[0]) + 1 : result.length
    result = result.slice(0, start) + toSteps([step]) + result.slice(start)
  }
  return result
}

export function toSteps(steps: readonly ScenarioStep[]): string {
  return indent(toYaml(steps))
}

function toYaml(value: unknown): string {
  return new Document(value, { compat: 'yaml-1.1', aliasDuplicateObjects: false }).toString({ lineWidth: 0 })
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ')
}

function cannot(file: string, what: string, cause?: unknown): AppError {
  return new AppError('file_error', `${file} cannot ${what}.`, cause === undefined ? {} : { cause })
}
