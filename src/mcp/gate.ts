/**
 * The gate before a purchase: a person must consent. The MCP client asks if it can; otherwise the person runs
 * `dray approve` in a terminal. Both answers count once, and for the call that the person was shown: for no other argument.
 */
import type { InputRequiredResult } from '@modelcontextprotocol/server'
import type { ServiceTime } from '../client/client.ts'
import { usedAs } from '../client/confirmed.ts'
import { canonicalJson } from '../core/canonical-json.ts'
import { AppError } from '../core/errors.ts'
import { sha256Hex } from '../core/hash.ts'
import { differingParts, listPaths, hashInput } from '../core/input-hashes.ts'
import type { Machine } from '../core/machine.ts'
import { formatGroupedMoney } from '../core/money.ts'
import { findOtherApproval, isPurchaseApproved, recordPendingApproval } from '../local-state/approvals.ts'
import type { Purchase } from '../local-state/approvals.ts'
import type { Actor, Ledger } from '../local-state/ledger.ts'
import { QUOTE_OPERATIONS } from '../local-state/quotes.ts'
import { findCreatedByQuote } from '../local-state/recent.ts'
import { argumentLines } from './arguments-text.ts'
import {
  elicitConfirmation,
  claimConfirmation,
  isPurchaseDeclined,
  saveConfirmation,
  readElicitation,
} from './elicitation.ts'
import type { Mismatch, McpClientSession, ConfirmationSubject, Questions } from './elicitation.ts'
import type { ShownPrice } from './prices.ts'
import { questionText } from './question.ts'

export type GateDeps = {
  actor: Actor
  /** True if the profile is protected. */
  protected: boolean
  runtime: Pick<Machine, 'paths' | 'now' | 'random'>
  /** The questions of this server that have no answer yet. */
  questions: Questions
  /** Records for every server of the account that a person declined the purchase. */
  decline(purchase: string, now: number): Promise<void>
}

/** One purchase. */
export type PurchaseToConfirm = {
  operation: string
  /** The arguments as the agent gave them: a person agrees to these. */
  given: Readonly<Record<string, unknown>>
  /** The input as it will be sent, with the price. */
  input: Readonly<Record<string, unknown>>
  shown: ShownPrice
  /** The purchase for people, line by line. */
  about: readonly string[]
  /** The hash that identifies this intent of the agent. */
  intent: string
  time: ServiceTime
}

/** The way in which a person consented, or the question to ask first. */
export type PurchaseDecision = 'accepted' | 'approved' | InputRequiredResult

/**
 * Decides whether the purchase may be sent. Throws AppError('approval_required' | 'not_confirmed' | 'quote_expired' |
 * 'quote_already_used').
 */
export async function decide(
  deps: GateDeps,
  confirm: PurchaseToConfirm,
  program: McpClientSession,
  ledger: Pick<Ledger, 'declined'>,
): Promise<PurchaseDecision> {
  const { actor, runtime } = deps
  const { time } = confirm
  assertFresh(deps, confirm)
  if (isPurchaseApproved(runtime, toPurchase(actor, confirm), time.now)) return 'approved'
  const name = declinedName(confirm)
  if (isPurchaseDeclined(ledger, name, time.now)) throw saidNo(deps, confirm, program)
  if (!program.canAsk) throw mustWait(deps, confirm, program, 'and this program cannot ask one')
  const answer = readElicitation(program)
  if (answer === undefined) return ask(deps, confirm)
  const mismatch = claimConfirmation(deps, program, toQuestioned(actor, confirm), time.now)
  if (mismatch !== undefined) throw belongsElsewhere(confirm, mismatch)
  if (answer === 'yes') return 'accepted'
  // Some programs claim that they can ask, but close every question. Only a terminal remains then.
  if (answer === 'cancelled') throw mustWait(deps, confirm, program, 'and did not answer')
  await deps.decline(name, time.now)
  throw saidNo(deps, confirm, program)
}

/** Throws AppError('quote_already_used' | 'quote_expired'). */
function assertFresh({ actor, runtime }: GateDeps, { operation, shown, time }: PurchaseToConfirm): void {
  if (shown.quote === undefined) return
  const bought = findCreatedByQuote(runtime, actor.service, shown.quote.quote_id)
  if (bought !== undefined) throw usedAs(operation, bought.id)
  if (time.now >= Date.parse(shown.expiresAt))
    throw new AppError(
      'quote_expired',
      `The quote of ${formatGroupedMoney(shown.total)} has expired. Nothing was bought.`,
    )
}

/**
 * Returns a name for the declined purchase: the quote and its fare, or the parcels. The agent's key is not part of
 * it.
 */
function declinedName({ operation, shown, input }: PurchaseToConfirm): string {
  const what = shown.quote === undefined ? input : [shown.quote.quote_id, shown.choice]
  return sha256Hex(canonicalJson([operation, what]))
}

/** Returns the purchase that an approval refers to. */
export function toPurchase(
  actor: Actor,
  { operation, shown, about, given, input }: PurchaseToConfirm,
): Purchase {
  const { quote, total, choice, approvalId, expiresAt } = shown
  return {
    approval_id: approvalId,
    quote_id: quote?.quote_id ?? null,
    operation,
    tier: choice,
    total,
    expires_at: expiresAt,
    ...actor,
    input_sha256: sha256Hex(canonicalJson(given)),
    input_parts: hashInput(given),
    about: [...about],
    adds: argumentLines(input),
  }
}

/** Returns the error for a quote that this machine has not seen. */
export function unseen(operation: string): AppError {
  const quote = QUOTE_OPERATIONS[operation]
  return new AppError(
    'approval_required',
    'This quote was not requested here for this account, so the user has not seen its price. Nothing was bought.',
    { hint: `Call ${quote} here, show its price, then call ${operation} with its quote_id.` },
  )
}

/** Returns the error when another server used the approval first. */
export function approvalIsGone(actor: Actor, confirm: PurchaseToConfirm): AppError {
  const { quote_id, approval_id } = toPurchase(actor, confirm)
  return new AppError('approval_required', 'The approval was used by another call. Nothing was bought.', {
    hint: howToApprove(approval_id, confirm.operation),
    extra: { quote_id, approval_id, approve_command: `dray approve ${approval_id}` },
  })
}

function mustWait(
  deps: GateDeps,
  confirm: PurchaseToConfirm,
  program: McpClientSession,
  why: string,
): AppError {
  const { operation, shown, time } = confirm
  const purchase = putOnTheList(deps, confirm, program, false)
  const { quote_id, approval_id, total, expires_at, profile } = purchase
  const other = findOtherApproval(deps.runtime, purchase, time.now)
  const differing = other && differingParts(other.input_parts, purchase.input_parts)
  const detail =
    differing === undefined
      ? `The user must approve ${formatGroupedMoney(shown.total)} first, ${why}.`
      : `The user approved a different ${operation}, ${differenceText(differing)}.`
  return new AppError('approval_required', `${detail} Nothing was bought.`, {
    hint: `${differing === undefined ? '' : 'Call it with the arguments that were agreed to. For these arguments: '}${howToApprove(approval_id, operation)}`,
    extra: {
      quote_id,
      approval_id,
      total,
      expires_at,
      profile,
      approve_command: `dray approve ${approval_id}`,
      ...(differing !== undefined && { differing: differing.slice(0, MAX_DIFFERING) }),
    },
  })
}

/** The most fields that an error names. */
const MAX_DIFFERING = 20

/** Returns `which differs from this in payment.method, notes`. */
function differenceText(differing: readonly string[]): string {
  return differing.length === 0
    ? 'at another price'
    : `which differs from this one in ${listPaths(differing)}`
}

/** Adds the purchase to the list of `dray approve`. */
function putOnTheList(
  { actor, runtime, protected: isProtected }: GateDeps,
  confirm: PurchaseToConfirm,
  { name }: McpClientSession,
  declined: boolean,
): Purchase {
  const { time } = confirm
  const purchase = toPurchase(actor, confirm)
  recordPendingApproval(runtime, {
    purchase,
    protected: isProtected,
    asked_at: runtime.now(),
    service_time: time.now,
    frozen: time.frozen,
    client: name,
    declined,
  })
  return purchase
}

function howToApprove(approvalId: string, operation: string): string {
  return `Ask the user to run \`dray approve ${approvalId}\` in a terminal, then call ${operation} again with the same arguments.`
}

function saidNo(deps: GateDeps, confirm: PurchaseToConfirm, program: McpClientSession): AppError {
  const { approval_id, quote_id } = putOnTheList(deps, confirm, program, true)
  return new AppError(
    'not_confirmed',
    `The user declined ${formatGroupedMoney(confirm.shown.total)}. Nothing was bought.`,
    {
      hint: `Do not call this again: the user is not asked about it again, even with another idempotency_key. If they change their mind, they can run \`dray approve ${approval_id}\` in a terminal.`,
      extra: { quote_id, approval_id, approve_command: `dray approve ${approval_id}` },
    },
  )
}

function ask(deps: GateDeps, confirm: PurchaseToConfirm): InputRequiredResult {
  const { operation, shown, about, input, time } = confirm
  const { actor } = deps
  return elicitConfirmation(questionText({ operation, shown, about, input, now: time.now, actor }), {
    title: `Yes, pay ${formatGroupedMoney(shown.total)}`,
    description: 'Nothing is bought without it.',
    state: saveConfirmation(deps, toQuestioned(actor, confirm), Date.parse(shown.expiresAt)),
  })
}

/** Returns the call that a question is about: the caller, the agent's key, the purchase and its price. */
function toQuestioned(
  actor: Actor,
  { intent, operation, given, shown }: PurchaseToConfirm,
): ConfirmationSubject {
  const { approvalId, total, choice } = shown
  const who = [actor.profile, actor.service, actor.account]
  return {
    input: given,
    about: [...who, operation, intent, approvalId, choice, total.amount, total.currency],
  }
}

/** Returns the error for an answer to another question, a forged one, or a late one. */
function belongsElsewhere({ operation }: PurchaseToConfirm, { differing }: Mismatch): AppError {
  const why = differing.length === 0 ? 'or came too late' : differenceText(differing)
  return new AppError(
    'not_confirmed',
    `The user’s answer belongs to another call, ${why}. Nothing was bought.`,
    {
      hint: `Call ${operation} again without the answer: the user is asked again.`,
    },
  )
}
