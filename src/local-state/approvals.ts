/**
 * Purchases by agents that need a person's consent: the pending requests, and the approvals that `dray approve`
 * wrote. Each approval is a file of its own. The process that renames the file first uses the approval, so it is used
 * once.
 */
import { existsSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalJson } from '../core/canonical-json.ts'
import { makeFolders } from '../core/folders.ts'
import { sha256Hex } from '../core/hash.ts'
import type { InputHashes } from '../core/input-hashes.ts'
import type { Machine } from '../core/machine.ts'
import type { Money } from '../core/money.ts'
import { toWriteError } from '../core/write-error.ts'
import { appendEntry, readEntries, removeEntries } from './log-file.ts'
import type { LogFile } from './log-file.ts'

/** One call that buys, at one price, as one caller. */
export type Purchase = {
  /** The name that `dray approve` takes: the quote's id, or the short id of `toCallApprovalId`. */
  approval_id: string
  quote_id: string | null
  /** The operation that buys. */
  operation: string
  /** The tier of the chosen fare; null except for rides. */
  tier: string | null
  total: Money
  /** By the service's clock. */
  expires_at: string
  profile: string
  service: string
  account: string | null
  /** The SHA-256 of the canonical input, without the agent's key. Another input is another purchase. */
  input_sha256: string
  /** The hashes of the input's fields, which tell how another input differs. */
  input_parts: InputHashes
  /** The purchase described line by line, for a person: what it is and its total. */
  about: readonly string[]
  /** Lines that the call adds to its quote: who, when, where to, notes. */
  adds: readonly string[]
}

export type PendingApproval = {
  purchase: Purchase
  /** True if the profile is protected. */
  protected: boolean
  /** The time at which the agent asked: by the machine's clock, and by the service's, which may stand still. */
  asked_at: number
  service_time: number
  frozen: boolean
  /** The name that the MCP client gives itself. */
  client: string | null
  /** The person said no when the MCP client asked. They may still change their mind. */
  declined?: boolean
}

type ApprovalDeps = Pick<Machine, 'paths'>

/** Records that a purchase waits for a person. */
export function recordPendingApproval(deps: ApprovalDeps, waiting: PendingApproval): void {
  appendEntry(pendingApprovalsFile(deps), waiting)
}

/** Returns the pending purchases with a valid price, newest first, each once. */
export function listPendingApprovals(deps: ApprovalDeps, now: number): PendingApproval[] {
  const seen = new Set<string>()
  return readEntries<PendingApproval>(pendingApprovalsFile(deps))
    .toReversed()
    .filter((each) => {
      // An earlier version of this program did not record what the call says.
      if (typeof each.purchase.input_sha256 !== 'string') return false
      const name = nameOf(each.purchase)
      const first = !seen.has(name)
      seen.add(name)
      return first && millisecondsLeft(each, now) > 0
    })
}

/** Returns how many milliseconds the price still holds, estimated without asking the service. */
export function millisecondsLeft(
  { purchase, asked_at, service_time, frozen }: PendingApproval,
  now: number,
): number {
  return Date.parse(purchase.expires_at) - service_time - (frozen ? 0 : now - asked_at)
}

/** Returns a short name of the purchase by what its call says: `apr_` and ten digits of the hash. */
export function toCallApprovalId({ input_sha256 }: Pick<Purchase, 'input_sha256'>): string {
  return `apr_${input_sha256.slice(0, 10)}`
}

/** Approves one purchase at its price. Throws AppError('file_error' | 'storage_full'). */
export function writeApproval(deps: ApprovalDeps, purchase: Purchase): void {
  const path = pathOf(deps, purchase)
  try {
    makeFolders(folderOf(deps), 0o700)
    writeFileSync(`${path}.next`, JSON.stringify(purchase), { mode: 0o600, flush: true })
    renameSync(`${path}.next`, path)
  } catch (error) {
    throw toWriteError(error, (why) => `${path} cannot be written (${why}). Nothing was approved.`)
  }
}

/** Returns whether the purchase is approved, without using the approval up. */
export function isPurchaseApproved(deps: ApprovalDeps, purchase: Purchase, now: number): boolean {
  return fits(read(pathOf(deps, purchase)), purchase, now)
}

/**
 * Uses the approval up. Returns false when there is none, or when another server used it first. Throws
 * AppError('file_error' | 'storage_full').
 */
export function claimApproval(
  deps: ApprovalDeps & Pick<Machine, 'pid'>,
  purchase: Purchase,
  now: number,
): boolean {
  const path = pathOf(deps, purchase)
  const own = `${path}.${deps.pid}`
  try {
    renameSync(path, own)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw toWriteError(error, (why) => `The approval ${path} cannot be used (${why}). Nothing was bought.`)
  }
  const approval = read(own)
  unlinkSync(own)
  removeEntries<PendingApproval>(
    pendingApprovalsFile(deps),
    (each) => nameOf(each.purchase) !== nameOf(purchase),
  )
  return fits(approval, purchase, now)
}

/**
 * Returns an approval of another call of the same operation by the same caller that still holds; the one at the same
 * quote first.
 */
export function findOtherApproval(deps: ApprovalDeps, purchase: Purchase, now: number): Purchase | undefined {
  const { approval_id, operation } = purchase
  const others = readAll(deps).filter(
    (each) =>
      isSameCaller(each, purchase) &&
      each.operation === operation &&
      now < Date.parse(each.expires_at) &&
      nameOf(each) !== nameOf(purchase),
  )
  return others.find((each) => each.approval_id === approval_id) ?? others[0]
}

function isSameCaller(one: Purchase, other: Purchase): boolean {
  return one.profile === other.profile && one.service === other.service && one.account === other.account
}

/** Forgets the pending requests and the approvals of a service that was reset. */
export function deleteApprovals(deps: ApprovalDeps, service: string): void {
  removeEntries<PendingApproval>(pendingApprovalsFile(deps), ({ purchase }) => purchase.service !== service)
  for (const path of listFiles(deps)) if (read(path)?.service === service) unlinkSync(path)
}

/** Compares what the file holds, not only its name: it may have been copied from another approval. */
function fits(approval: Purchase | undefined, purchase: Purchase, now: number): boolean {
  return (
    approval !== undefined && nameOf(approval) === nameOf(purchase) && now < Date.parse(approval.expires_at)
  )
}

function readAll(deps: ApprovalDeps): Purchase[] {
  return listFiles(deps).flatMap((path) => read(path) ?? [])
}

function listFiles(deps: ApprovalDeps): string[] {
  const folder = folderOf(deps)
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [join(folder, name)] : []))
}

function read(path: string): Purchase | undefined {
  try {
    const approval = JSON.parse(readFileSync(path, 'utf8')) as Purchase
    return typeof approval.input_sha256 === 'string' ? approval : undefined
  } catch {
    return undefined
  }
}

/** Includes the price and the whole input, because a person approves exactly that. */
function nameOf(purchase: Purchase): string {
  const { profile, service, account, operation, approval_id, tier, total, input_sha256 } = purchase
  const who = [profile, service, account]
  const what = [operation, approval_id, tier, total.amount, total.currency, input_sha256]
  return sha256Hex(canonicalJson([...who, ...what])).slice(0, 32)
}

function folderOf({ paths }: ApprovalDeps): string {
  return join(paths.state, 'approvals')
}

function pathOf(deps: ApprovalDeps, purchase: Purchase): string {
  return join(folderOf(deps), `${nameOf(purchase)}.json`)
}

function pendingApprovalsFile({ paths }: ApprovalDeps): LogFile {
  return { path: join(paths.state, 'approvals', 'waiting.ndjson'), kept: 50, maxBytes: 100_000 }
}
