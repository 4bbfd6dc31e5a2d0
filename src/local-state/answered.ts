/**
 * Calls that were answered under a key of the user's own. A purchase that was quoted first is only the same call with the
 * same quote, so a repeat of the command reads here what to send again.
 */
import { join } from 'node:path'
import type { Machine } from '../core/machine.ts'
import { appendEntry, readEntries, removeEntries } from './log-file.ts'
import type { LogFile } from './log-file.ts'
import type { PendingCall } from './pending-calls.ts'

type AnsweredCall = { place: string; intent: PendingCall }

type AnsweredDeps = Pick<Machine, 'paths'>

/** Saves an answered call once. `place` is the hash of the command. Ignores a failed write. */
export function saveAnswered(deps: AnsweredDeps, place: string, intent: PendingCall): void {
  if (readAnswered(deps, place)?.started_at === intent.started_at) return
  const entry: AnsweredCall = { place, intent }
  appendEntry(fileOf(deps), entry)
}

/** Returns the last call that this command had answered. */
export function readAnswered(deps: AnsweredDeps, place: string): PendingCall | undefined {
  return readEntries<AnsweredCall>(fileOf(deps)).findLast((entry) => entry.place === place)?.intent
}

/** Forgets the calls of a service that was reset. */
export function deleteAnswered(deps: AnsweredDeps, service: string): void {
  removeEntries<AnsweredCall>(fileOf(deps), ({ intent }) => intent.service !== service)
}

/** The limit: a purchase takes 1 to 2 kB. */
function fileOf({ paths }: AnsweredDeps): LogFile {
  return { path: join(paths.state, 'answered.ndjson'), kept: 50, maxBytes: 200_000 }
}
