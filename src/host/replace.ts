/** The work of the thread that replaces all that a store holds: see `apart.ts`. */
import { createReadStream } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { Db } from '../core/db.ts'
import { AppError, toProblem } from '../core/errors.ts'
import { openStore } from '../db/open.ts'
import { bringIntoFile } from '../db/sqlite-files.ts'
import type { ControlDeps } from '../sandbox/control/control.ts'
import { invokeControl } from '../sandbox/control/invoke.ts'
import { loadSnapshot } from '../sandbox/control/snapshot.ts'
import type { ReplacementResult, StoreReplacement } from './replace-in-worker.ts'

type Chance = { random(count: number): Uint8Array; weakRandomBytes(count: number): Uint8Array }

/** Does what the service asked this thread for, and sends it the response. */
export async function replaceHere({ random, weakRandomBytes }: Chance): Promise<void> {
  const { store, now, work } = workerData as StoreReplacement
  const db = await openStore(store, {
    random: () => (weakRandomBytes(1)[0] ?? 0) / 256,
    seed: () => Promise.reject(new Error('The service has opened its store before.')),
  })
  let answered: ReplacementResult
  try {
    answered = { value: await replace(db, work, { now: () => now, random, env: {} }) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    answered = { problem: toProblem(error) }
  } finally {
    await db.close()
  }
  await bringIntoFile(store)
  parentPort?.postMessage(answered)
}

function replace(db: Db, work: StoreReplacement['work'], deps: ControlDeps): Promise<unknown> {
  return 'load' in work
    ? loadSnapshot(db, deps, () => createReadStream(work.load))
    : invokeControl(db, 'reset', work.reset, deps)
}
