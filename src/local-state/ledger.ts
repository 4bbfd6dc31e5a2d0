/**
 * The changes and spending of agents for one account, in a small file that all servers on this machine share. So a
 * restart, a second server or another profile forgets nothing. Each change reads the file again under a lock and
 * replaces it atomically.
 */
import { existsSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalJson } from '../core/canonical-json.ts'
import { AppError } from '../core/errors.ts'
import { makeFolders } from '../core/folders.ts'
import { sha256Hex } from '../core/hash.ts'
import type { Machine } from '../core/machine.ts'
import type { Money } from '../core/money.ts'
import { toWriteError } from '../core/write-error.ts'

/** The profile, service and account of a call, by the names that people use. */
export type Actor = { profile: string; service: string; account: string | null }

/** The account that pays: the same whichever profile, path or address reaches it. */
export type SpendAccount = { service: string; account: string | null }

/** One intent of an agent: the same tool with the same arguments. */
export type CallRecord = {
  intent: string
  /** Incremented each time the same call means something new. */
  generation: number
  /** `sent` means that the outcome is unknown. */
  state: 'sent' | 'done' | 'refused'
  /** The service's time when it was sent. */
  at?: number
  /** The thing to whose state it adds. */
  adds?: string
  /** The random part of its key. */
  nonce?: string
  /** The id of what it made. A world that was replaced since does not have it. */
  made?: string
}

/** The cost of a purchase: counted before the call is sent, and removed if the call is rejected for good. */
export type SpendEntry = {
  /** The intent of the purchase. A key cannot stand for it: an agent may give the same key to several. */
  intent: string
  generation: number
  /** The quote that was bought. A fee for cancelling the purchase counts as part of this price. */
  quote: string | null
  total: Money
  /** By the service's clock. */
  at: number
}

/**
 * A purchase, or a sale price, that a person declined. There is no new prompt before `until`, by the service's clock.
 */
export type DeclinedPurchase = { purchase: string; until: number }

export type Ledger = {
  purse: SpendAccount
  /** Oldest first. */
  intents: CallRecord[]
  spent: SpendEntry[]
  declined: DeclinedPurchase[]
  /** Spending older than the longest period, summed by currency in minor units. */
  before: Record<string, number>
}

const MAX_CALL_RECORDS = 500

type LedgerDeps = Pick<Machine, 'paths' | 'lock'>

export function makeEmptyLedger(purse: SpendAccount): Ledger {
  return { purse, intents: [], spent: [], declined: [], before: {} }
}

/** Returns the ledger; an empty one before the first change. Throws AppError('file_error'). */
export function readLedger(deps: Pick<Machine, 'paths'>, purse: SpendAccount): Ledger {
  const path = pathOf(deps, purse)
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Ledger
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return makeEmptyLedger(purse)
    throw new AppError('file_error', `${path}, the record of agents’ spending, cannot be read.`, {
      hint: 'Check the file: nothing can be bought until it is readable or moved away.',
      cause: error,
    })
  }
}

/**
 * Changes the ledger under a lock that all processes share. With `sync` the change is on the disk before this
 * returns, so it survives a power cut. Throws AppError('file_error' | 'storage_full').
 */
export async function changeLedger<T>(
  deps: LedgerDeps,
  purse: SpendAccount,
  change: (ledger: Ledger) => T,
  { sync = false } = {},
): Promise<T> {
  const path = pathOf(deps, purse)
  try {
    makeFolders(folderOf(deps), 0o700)
    return await deps.lock(`${path}.lock`, () => {
      const ledger = readLedger(deps, purse)
      const before = JSON.stringify(ledger)
      const result = change(ledger)
      ledger.intents = withoutOld(ledger)
      const after = JSON.stringify(ledger)
      if (after !== before) write(path, after, sync)
      return result
    })
  } catch (error) {
    throw error instanceof AppError ? error : cannotSaveLedger(error, path)
  }
}

/** Keeps old calls while their spending still counts: a repeat would otherwise look like a new purchase. */
function withoutOld({ intents, spent }: Ledger): CallRecord[] {
  const counted = new Set(spent.map(({ intent }) => intent))
  const recent = intents.length - MAX_CALL_RECORDS
  return intents.filter(({ intent }, at) => at >= recent || counted.has(intent))
}

/** Forgets the ledgers of a service that was reset. */
export function deleteLedgers(deps: Pick<Machine, 'paths'>, service: string): void {
  const folder = folderOf(deps)
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name)
    if (name.endsWith('.json') && serviceOf(path) === service) unlinkSync(path)
  }
}

function serviceOf(path: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as Partial<Ledger>).purse?.service
  } catch {
    return undefined
  }
}

function write(path: string, text: string, sync: boolean): void {
  const next = `${path}.next`
  writeFileSync(next, text, { mode: 0o600, flush: sync })
  renameSync(next, path)
}

function cannotSaveLedger(error: unknown, path: string): AppError {
  return toWriteError(
    error,
    (why) => `Cannot record the spending in ${path} (${why}). Nothing was sent.`,
    'Free disk space, or set DRAY_HOME to a writable folder.',
  )
}

function folderOf({ paths }: Pick<Machine, 'paths'>): string {
  return join(paths.state, 'mcp')
}

function pathOf(deps: Pick<Machine, 'paths'>, { service, account }: SpendAccount): string {
  return join(folderOf(deps), `${sha256Hex(canonicalJson([service, account])).slice(0, 32)}.json`)
}
