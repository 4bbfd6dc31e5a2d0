/**
 * The memory of an upload that is under way: written and synced before anything is sent, removed when the last batch
 * is answered. The same command after a crash finds it and sends the same batches with the same keys; the service
 * answers those that it knows as it did the first time.
 */
import { join } from 'node:path'
import { sha256Hex } from '../../core/hash.ts'
import {
  createClaimFile,
  listClaimFiles,
  type ClaimOwner,
  removeIfThere,
  claimFile,
} from '../../local-state/claim-files.ts'
import { stateSaveError } from '../calls/state-errors.ts'
import type { Runtime } from '../runtime.ts'

export type Journal = {
  /** Batch n is sent with `<key>-<n>`. */
  key: string
  /** The time at which the upload began, by the machine's clock. */
  startedAt: number
  /** The same upload was begun before and did not end. */
  resumed: boolean
  close(): void
}

type Entry = { key: string; started_at: number }
type JournalDeps = ClaimOwner & Pick<Runtime, 'paths' | 'now' | 'random'>

/** Shorter than the service remembers a key. Past it the references keep parcels from being created twice. */
const MAX_AGE_MS = 23 * 3_600_000

/**
 * `content` names what is sent and where to: another file, option or service is another upload. Throws
 * AppError('file_error' | 'storage_full') when it cannot be remembered; with a `key` of the user's own it need not be.
 */
export function openJournal(content: string, deps: JournalDeps, key: string | undefined): Journal {
  const folder = join(deps.paths.state, 'uploads')
  try {
    return open(folder, content, deps, key)
  } catch (error) {
    if (key === undefined) throw stateSaveError(error, folder, 'upload')
    return { key, startedAt: deps.now(), resumed: false, close: () => undefined }
  }
}

function open(folder: string, content: string, deps: JournalDeps, key: string | undefined): Journal {
  const place = sha256Hex(content).slice(0, 32)
  const before = claimAbandoned(folder, place, deps)
  if (before !== undefined && (key === undefined || key === before.key)) return before
  const entry: Entry = {
    key: key ?? `upload-${Buffer.from(deps.random(16)).toString('hex')}`,
    started_at: before?.startedAt ?? deps.now(),
  }
  const close = createClaimFile(deps, folder, place, entry)
  return { key: entry.key, startedAt: entry.started_at, resumed: before !== undefined, close }
}

/** One of an ended process. One that lives is another upload of the same file, going on at the same time. */
function claimAbandoned(folder: string, place: string, deps: JournalDeps): Journal | undefined {
  for (const found of listClaimFiles<Entry>(deps, folder, place)) {
    if (found.running !== undefined) continue
    const { key, started_at: startedAt } = found.value
    if (deps.now() - startedAt > MAX_AGE_MS) {
      removeIfThere(found.path)
      continue
    }
    const close = claimFile(deps, folder, found)
    if (close !== undefined) return { key, startedAt, resumed: true, close }
  }
  return undefined
}
