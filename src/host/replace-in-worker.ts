/**
 * Replaces all that a large SQLite store holds in a thread of its own, with a connection of its own. One commit brings
 * all pages, and would hold the event loop for half a second; in the meantime reads go on, and see the store as it was.
 */
import { statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fromProblem } from '../core/errors.ts'
import { isPostgresUrl } from '../core/network.ts'

/** The work of the thread: a file with a snapshot, or the input of the control call `reset`. */
export type StoreReplacement = {
  store: string
  /** The machine's clock. */
  now: number
  work: { load: string } | { reset: Readonly<Record<string, unknown>> }
}

/** The message that the thread sends at its end. */
export type ReplacementResult = { value: unknown } | { problem: unknown }

/** So many bytes are committed within 50 ms; to start a thread for less would take longer than the work. */
const MAX_INLINE_BYTES = 16 * 1_048_576

/** Returns whether a thread replaces the store: these files of it and for it are large. */
export function needsWorker(store: string, ...more: readonly string[]): boolean {
  if (store === ':memory:' || isPostgresUrl(store)) return false
  // The log beside the file has the rows that the file does not have yet.
  return [store, `${store}-wal`, ...more].some(
    (file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_INLINE_BYTES,
  )
}

/** Does the work in a thread. Returns its response; throws what it throws. */
export async function replaceInWorker(replacement: StoreReplacement): Promise<unknown> {
  const { Worker } = await import('node:worker_threads')
  // One folder up from `src/host/` and from `dist/chunks/`.
  const entry = join(import.meta.dirname, `../replace${extname(import.meta.filename)}`)
  const thread = new Worker(entry, { workerData: replacement })
  let answered: ReplacementResult | undefined
  thread.once('message', (message: ReplacementResult) => (answered = message))
  await new Promise<void>((resolve, reject) => {
    thread.once('error', reject)
    thread.once('exit', () => resolve())
  })
  if (answered === undefined) throw new Error('The thread that replaces the store ended without a response.')
  if ('value' in answered) return answered.value
  throw fromProblem(answered.problem) ?? new Error('Cannot read the response of the thread.')
}
