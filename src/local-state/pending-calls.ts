/**
 * Calls that were sent and not yet answered: one file each, written and synced before the call is sent, removed after
 * its final response. After a crash the next process reads there which call to repeat, and with which key.
 */
import { join } from 'node:path'
import type { Machine } from '../core/machine.ts'
import type { Money } from '../core/money.ts'
import {
  type ClaimFile,
  createClaimFile,
  listClaimFiles,
  type ClaimOwner,
  removeIfThere,
  claimFile,
} from './claim-files.ts'

export type PendingCall = {
  /** As typed after `dray`. */
  argv: readonly string[]
  profile: string
  /** The address of the service, or the store; never with a password. */
  service: string
  account: string | null
  operation: string
  input: Record<string, unknown>
  scenario: string | null
  key: string
  /** The price that the user accepted; null for calls without a price. */
  total: Money | null
  /** By the machine's clock. */
  started_at: number
  /** By the service's clock. */
  service_time: number
}

/** An intent that this process holds. */
export type ClaimedCall = {
  intent: PendingCall
  /** True if it was taken over from a dead process. */
  resumed: boolean
  close(): void
}

/** `place` is the hash of the command; the file's name begins with it. */
export type PendingCallFile = Omit<ClaimFile<PendingCall>, 'value'> & { intent: PendingCall }

type PendingCallDeps = ClaimOwner & Pick<Machine, 'paths'>

/**
 * Records a call that is about to be sent. `place` is the hash of the command, by which the same command finds it
 * again.
 */
export function recordPendingCall(deps: PendingCallDeps, place: string, intent: PendingCall): ClaimedCall {
  return { intent, resumed: false, close: createClaimFile(deps, folderOf(deps), place, intent) }
}

/** Returns the open calls, oldest first; those of one `place`, or all. */
export function listPendingCalls(deps: PendingCallDeps, place = ''): PendingCallFile[] {
  return listClaimFiles<PendingCall>(deps, folderOf(deps), place)
    .map(({ value, ...found }) => ({ ...found, intent: value }))
    .toSorted((one, other) => one.intent.started_at - other.intent.started_at)
}

/** Takes over the intent of a dead process; undefined when another process was faster. */
export function claimPendingCall(deps: PendingCallDeps, found: PendingCallFile): ClaimedCall | undefined {
  const close = claimFile(deps, folderOf(deps), found)
  return close && { intent: found.intent, resumed: true, close }
}

/** Forgets an intent without checking its outcome. */
export function deletePendingCall({ path }: Pick<PendingCallFile, 'path'>): void {
  removeIfThere(path)
}

function folderOf({ paths }: Pick<PendingCallDeps, 'paths'>): string {
  return join(paths.state, 'pending-calls')
}
