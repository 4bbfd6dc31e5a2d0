/** Records a call: its lines in the audit file, and its outcome in the ledger. */
import type { CallResult } from '../client/client.ts'
import { classifyFailure } from '../client/outcome.ts'
import { canonicalJson } from '../core/canonical-json.ts'
import { AppError } from '../core/errors.ts'
import { sha256Hex } from '../core/hash.ts'
import type { Money } from '../core/money.ts'
import { toTimestamp } from '../core/time.ts'
import { appendAudit } from '../local-state/audit.ts'
import type { AuditLine } from '../local-state/audit.ts'
import { changeLedger } from '../local-state/ledger.ts'
import type { Ledger, SpendAccount } from '../local-state/ledger.ts'
import { findCreatedId, saveCreatedResource } from '../local-state/recent.ts'
import { chargedIn } from './charges.ts'
import type { ToolCall, GuardState } from './guard-types.ts'
import { closeCallKey } from './idempotency.ts'
import type { CallKey } from './idempotency.ts'
import { countFee, releaseSpend, settleSpend } from './spend.ts'

export type AuditFacts = {
  key?: string
  quoteId?: unknown
  total?: Money | undefined
  gate?: AuditLine['gate']
}

/** Makes the call and records its outcome; without a purse, only in the audit file. */
export async function callAndRecord(
  guard: GuardState,
  called: ToolCall,
  { openIntent, purse, facts }: { openIntent: CallKey; purse: SpendAccount | undefined; facts: AuditFacts },
  call: () => Promise<CallResult>,
): Promise<CallResult> {
  try {
    const result = await answered(guard, called, facts, call)
    // A service that has forgotten the key has carried the call out again.
    const isNew = openIntent.was !== 'done' || !result.replayed
    // Saved for a person who continues in a terminal: `dray recent`.
    if (isNew) saveCreatedResource(guard.runtime, guard.actor, called.tool.name, result)
    await end(guard, purse, (ledger) => {
      const made = findMadeId(called.tool.name, result.value)
      closeCallKey(ledger, made === undefined ? openIntent : { ...openIntent, made }, 'done')
      if (isNew) charge(ledger, called, openIntent, result)
    })
    return result
  } catch (error) {
    const outcome = outcomeOf(error, openIntent)
    if (outcome !== 'unknown') await end(guard, purse, (ledger) => recordFailure(ledger, openIntent, outcome))
    throw error
  }
}

/** Returns the id of what a call made: of a manifest, that of its first parcel. */
function findMadeId(operation: string, value: unknown): string | undefined {
  const { results } = value as { results?: unknown }
  const rows: readonly unknown[] = Array.isArray(results) ? results : []
  return [value, ...rows]
    .map((each) => findCreatedId(operation, each))
    .find((id): id is string => id !== null)
}

/** Replaces the reserved amount by that of the response: rejected rows release their share. */
function charge(
  ledger: Ledger,
  { tool }: ToolCall,
  openIntent: CallKey,
  { value, serviceTime }: CallResult,
): void {
  const { intent, generation } = openIntent
  const total = chargedIn(tool.spends, value)
  const { quote_id } = value as { quote_id?: unknown }
  const quote = typeof quote_id === 'string' ? quote_id : null
  const spent = { intent, generation, quote, at: serviceTime.now }
  if (tool.spends?.how === 'invoice') settleSpend(ledger, spent, total)
  else if (tool.spends?.how === 'fee' && total !== undefined && total.amount > 0)
    countFee(ledger, { ...spent, total })
}

type RecordedOutcome = 'done' | 'refused' | 'unsent' | 'unknown'

/** Returns the outcome of a failure for this key. */
function outcomeOf(error: unknown, { was }: CallKey): RecordedOutcome {
  if (was === 'done') return 'done'
  if (error instanceof AppError && error.code === 'quote_already_used')
    return was === 'sent' ? 'done' : 'refused'
  return classifyFailure(error)
}

/** Records the failure of an intent; a final error releases its money. */
export function recordFailure(
  ledger: Ledger,
  openIntent: CallKey,
  outcome: Exclude<RecordedOutcome, 'unknown'>,
): void {
  closeCallKey(ledger, openIntent, outcome)
  if (outcome === 'refused' || (outcome === 'unsent' && openIntent.was === 'new'))
    releaseSpend(ledger, openIntent)
}

/** Changes the ledger after a call. If that fails, the call still counts as done and the money as spent. */
export async function end(
  { runtime, warn }: GuardState,
  purse: SpendAccount | undefined,
  change: (ledger: Ledger) => void,
): Promise<void> {
  if (purse === undefined) return
  try {
    await changeLedger(runtime, purse, change)
  } catch (error) {
    warn(textOf(error))
  }
}

/** Makes the call and records its response. */
export async function answered(
  guard: GuardState,
  called: ToolCall,
  facts: AuditFacts,
  call: () => Promise<CallResult>,
): Promise<CallResult> {
  try {
    const result = await call()
    guard.lastServiceTime = result.serviceTime.now
    const { replayed, requestId, value } = result
    const total = chargedIn(called.tool.spends, value) ?? facts.total
    writeAuditEntry(guard, called, { ...facts, total, event: 'answer', outcome: 'ok', replayed, requestId })
    return result
  } catch (error) {
    const requestId = error instanceof AppError ? error.extra['request_id'] : undefined
    writeAuditEntry(guard, called, { ...facts, event: 'answer', outcome: toErrorCode(error), requestId })
    throw error
  }
}

type AuditEntry = AuditFacts & {
  event: AuditLine['event']
  outcome?: string
  replayed?: boolean
  requestId?: unknown
}

/** Writes a line of the audit file. With `must` it throws when the line cannot be written. */
export function writeAuditEntry(
  guard: GuardState,
  { tool, input, program }: Pick<ToolCall, 'program'> & { tool: { name: string }; input: object },
  noted: AuditEntry,
  must = false,
): void {
  const { actor, runtime, lastServiceTime } = guard
  const { event, key, quoteId, total, gate, outcome, replayed, requestId } = noted
  const line: AuditLine = {
    event,
    at: toTimestamp(runtime.now()),
    service_time: lastServiceTime === undefined ? null : toTimestamp(lastServiceTime),
    client: program.name,
    ...actor,
    tool: tool.name,
    arguments_sha256: sha256Hex(canonicalJson(input)),
    idempotency_key: key ?? null,
    quote_id: typeof quoteId === 'string' ? quoteId.slice(0, 60) : null,
    total: total ?? null,
    gate: gate ?? null,
    outcome: outcome ?? null,
    replayed: replayed ?? null,
    request_id: typeof requestId === 'string' ? requestId : null,
  }
  try {
    appendAudit(guard.auditFile, line, { sync: must })
  } catch (error) {
    if (must) throw error
    guard.warn(textOf(error))
  }
}

/** Returns the error code for the audit file. */
export function toErrorCode(error: unknown): string {
  return error instanceof AppError ? error.code : 'internal_error'
}

/** Returns the gate's state for a call that was rejected before it was sent. */
export function toGateState(error: unknown): AuditLine['gate'] {
  const code = toErrorCode(error)
  if (code === 'approval_required') return 'waiting'
  return code === 'not_confirmed' ? 'declined' : null
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
