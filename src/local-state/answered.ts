/**
 * Calls that were answered under a key of the user's own. A purchase that was quoted first is only the same call with the
 * same quote, so a repeat of the command reads here what to send again.
 */
import { join } from 'node:path'
import type { Machine } from '../core/machine.ts'
import { appendEntry, readEntries, removeEntries } from './log-file.ts'
import type { LogFile } from './log-file.ts'
import type { Intent } from './pending-calls.ts'

type Answered = { place: string; intent: Intent }

type AnsweredDeps = Pick<Machine, 'paths'>

/** Saves an answered call once. `place` is the hash of the command. Ignores a failed write. */
export function keepAnswered(deps: AnsweredDeps, place: string, intent: Intent): void {
  if (lookUpAnswered(deps, place)?.started_at === intent.started_at) return
  const entry: Answered = { place, intent }
  appendEntry(fileOf(deps), entry)
}

/** Returns the last call that this command had answered. */
export function lookUpAnswered(deps: AnsweredDeps, place: string): Intent | undefined {
  return readEntries<Answered>(fileOf(deps)).findLast((entry) => entry.place === place)?.intent
}

/** Forgets the calls of a service that was reset. */
export function forgetAnswered(deps: AnsweredDeps, service: string): void {
  removeEntries<Answered>(fileOf(deps), ({ intent }) => intent.service !== service)
}

/** The limit: a purchase takes 1 to 2 kB. */
function fileOf({ paths }: AnsweredDeps): LogFile {
  return { path: join(paths.state, 'answered.ndjson'), kept: 50, maxBytes: 200_000 }
}
