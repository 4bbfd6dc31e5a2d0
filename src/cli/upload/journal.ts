/**
 * The memory of an upload that is under way: written and synced before anything is sent, removed when the last batch
 * is answered. The same command after a crash finds it and sends the same batches with the same keys; the service
 * answers those that it knows as it did the first time.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../../domain/hash.ts'
import type { Runtime } from '../../runtime.ts'

export type Journal = {
  /** Batch n is sent with `<key>-<n>`. */
  key: string
  /** When the upload began, by the machine's clock. */
  startedAt: number
  /** The same upload was begun before and did not end. */
  resumed: boolean
  close(): void
}

type Entry = { key: string; started_at: number; pid: number }
type Parts = Pick<Runtime, 'paths' | 'pid' | 'now' | 'random' | 'isAlive'>

/** Shorter than the service remembers a key. Past it the references keep parcels from being created twice. */
const MAX_AGE_MS = 23 * 3_600_000

/** `content` names what is sent and where to: another file, option or service is another upload. */
export function openJournal(content: string, parts: Parts, key: string | undefined): Journal {
  const folder = join(parts.paths.state, 'uploads')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const id = sha256Hex(content).slice(0, 32)
  const found = findAbandoned(folder, id, parts)
  const entry: Entry = {
    key: key ?? found?.entry.key ?? `upload-${Buffer.from(parts.random(16)).toString('hex')}`,
    started_at: found?.entry.started_at ?? parts.now(),
    pid: parts.pid,
  }
  const path = join(folder, `${id}.${parts.pid}.json`)
  // Whole or not there: an upload that starts meanwhile takes what it cannot read for the rest of a crash.
  const draft = join(folder, `next.${parts.pid}`)
  writeFileSync(draft, JSON.stringify(entry), { mode: 0o600, flush: true })
  renameSync(draft, path)
  if (found !== undefined && found.path !== path) rmSync(found.path, { force: true })
  return {
    key: entry.key,
    startedAt: entry.started_at,
    resumed: found !== undefined,
    close: () => removeIfThere(path),
  }
}

/** An entry whose process is gone. One that lives is another upload of the same file, going on at the same time. */
function findAbandoned(
  folder: string,
  id: string,
  { pid, now, isAlive }: Parts,
): { path: string; entry: Entry } | undefined {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${id}.`)) continue
    const path = join(folder, name)
    const entry = readEntry(path)
    if (entry === undefined || now() - entry.started_at > MAX_AGE_MS) rmSync(path, { force: true })
    else if (entry.pid === pid || !isAlive(entry.pid)) return { path, entry }
  }
  return undefined
}

function readEntry(path: string): Entry | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Entry
  } catch {
    return undefined
  }
}

/** As `rmSync` with force, without the modules that it loads. */
function removeIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
