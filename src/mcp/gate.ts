/**
 * The gate before a purchase: a person must consent. The agent's program asks if it can; otherwise the person runs
 * `dray approve` in a terminal. An answer through the program is sealed, so that it counts for this call only.
 */
import type { InputRequiredResult } from '@modelcontextprotocol/server'
import type { ServiceTime } from '../client/client.ts'
import { canonicalJson } from '../core/canonical-json.ts'
import { AppError } from '../core/errors.ts'
import { hmacHex, sha256Hex } from '../core/hash.ts'
import type { Machine } from '../core/machine.ts'
import { spellMoney } from '../core/money.ts'
import { isApproved, noteWaiting } from '../journal/approvals.ts'
import type { Purchase } from '../journal/approvals.ts'
import type { Actor, Ledger } from '../journal/ledger.ts'
import { QUOTED_BY } from '../journal/quotes.ts'
import { findBought } from '../journal/recent.ts'
import { askYesOrNo, isDeclined, isSameSeal, readAnswer } from './ask.ts'
import type { Program } from './ask.ts'
import type { Shown } from './prices.ts'
import { aboutPurchase, questionText } from './question.ts'

export type GateDeps = {
  actor: Actor
  /** Whether the profile is protected. */
  protected: boolean
  runtime: Pick<Machine, 'paths' | 'now'>
  /** Returns the secret key of the seals. It is made once and never leaves this process. */
  secret(): string
  /** Records for every server of the account that a person declined the purchase. */
  decline(purchase: string, now: number): Promise<void>
}

/** One purchase, as it will be sent. */
export type Confirm = {
  operation: string
  input: Readonly<Record<string, unknown>>
  shown: Shown
  /** The hash that identifies this intent of the agent. */
  intent: string
  time: ServiceTime
}

/** The way in which a person consented, or the question to ask first. */
export type Decision = 'accepted' | 'approved' | InputRequiredResult

/**
 * Decides whether the purchase may be sent. Throws AppError('approval_required' | 'not_confirmed' | 'quote_expired' |
 * 'quote_already_used').
 */
export async function decide(
  deps: GateDeps,
  confirm: Confirm,
  program: Program,
  ledger: Pick<Ledger, 'declined'>,
): Promise<Decision> {
  const { actor, runtime } = deps
  const { time } = confirm
  assertFresh(deps, confirm)
  if (isApproved(runtime, toPurchase(actor, confirm), time.now)) return 'approved'
  const name = declinedName(confirm)
  if (isDeclined(ledger, name, time.now)) throw saidNo(deps, confirm, program)
  if (!program.canAsk) throw mustWait(deps, confirm, program, 'and this program cannot ask one')
  const answer = readAnswer(program)
  if (answer === undefined) return ask(deps, confirm)
  assertSealed(deps, confirm, program.mcpReq.requestState())
  if (answer === 'yes') return 'accepted'
  // Some programs claim that they can ask, but close every question. Only a terminal remains then.
  if (answer === 'cancelled') throw mustWait(deps, confirm, program, 'and did not answer')
  await deps.decline(name, time.now)
  throw saidNo(deps, confirm, program)
}

/** Throws AppError('quote_already_used' | 'quote_expired'). */
function assertFresh({ actor, runtime }: GateDeps, { shown, time }: Confirm): void {
  if (shown.quote === undefined) return
  const bought = findBought(runtime, actor.service, shown.quote.quote_id)
  if (bought !== undefined)
    throw new AppError('quote_already_used', `The quote was bought already, as ${bought.id}.`)
  if (time.now >= Date.parse(shown.expiresAt))
    throw new AppError(
      'quote_expired',
      `The quote of ${spellMoney(shown.total)} has expired. Nothing was bought.`,
    )
}

/**
 * Returns a name for the declined purchase: the quote and its fare, or the parcels. The agent's key is not part of
 * it.
 */
function declinedName({ operation, shown, input }: Confirm): string {
  const what = shown.quote === undefined ? input : [shown.quote.quote_id, shown.tier]
  return sha256Hex(canonicalJson([operation, what]))
}

/** Returns the purchase that an approval refers to. */
export function toPurchase(actor: Actor, { operation, shown, input }: Confirm): Purchase {
  const { quote, total, tier, approvalId, expiresAt } = shown
  return {
    approval_id: approvalId,
    quote_id: quote?.quote_id ?? null,
    operation,
    tier,
    total,
    expires_at: expiresAt,
    ...actor,
    about: quote === undefined ? aboutPurchase(operation, shown, input) : [],
  }
}

/** Returns the error for a quote that nobody on this machine has seen. */
export function unseen(operation: string): AppError {
  const quote = QUOTED_BY[operation]
  return new AppError(
    'approval_required',
    'This quote was not made here for this account, so nobody here has seen its price. Nothing was bought.',
    { hint: `Call ${quote} here, show its price, then call ${operation} with its quote_id.` },
  )
}

/** Returns the error when another server used the approval first. */
export function approvalIsGone(actor: Actor, confirm: Confirm): AppError {
  const { quote_id, approval_id } = toPurchase(actor, confirm)
  return new AppError('approval_required', 'The approval was used by another call. Nothing was bought.', {
    hint: howToApprove(approval_id, confirm.operation),
    extra: { quote_id, approval_id, approve_command: `dray approve ${approval_id}` },
  })
}

function mustWait(deps: GateDeps, confirm: Confirm, program: Program, why: string): AppError {
  const { operation, shown } = confirm
  const { quote_id, approval_id, total, expires_at, profile } = putOnTheList(deps, confirm, program, false)
  return new AppError(
    'approval_required',
    `A person has to agree to ${spellMoney(shown.total)} first, ${why}. Nothing was bought.`,
    {
      hint: howToApprove(approval_id, operation),
      extra: {
        quote_id,
        approval_id,
        total,
        expires_at,
        profile,
        approve_command: `dray approve ${approval_id}`,
      },
    },
  )
}

/** Adds the purchase to the list of `dray approve`. */
function putOnTheList(
  { actor, runtime, protected: isProtected }: GateDeps,
  confirm: Confirm,
  { name }: Program,
  declined: boolean,
): Purchase {
  const { time } = confirm
  const purchase = toPurchase(actor, confirm)
  noteWaiting(runtime, {
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
  return `Ask the person to run \`dray approve ${approvalId}\` in a terminal, then call ${operation} again with the same arguments.`
}

function saidNo(deps: GateDeps, confirm: Confirm, program: Program): AppError {
  const { approval_id, quote_id } = putOnTheList(deps, confirm, program, true)
  return new AppError(
    'not_confirmed',
    `The person said no to ${spellMoney(confirm.shown.total)}. Nothing was bought.`,
    {
      hint: `Do not call this again: nobody is asked about it again, also under another idempotency_key. If the person changes their mind, they run \`dray approve ${approval_id}\` in a terminal.`,
      extra: { quote_id, approval_id, approve_command: `dray approve ${approval_id}` },
    },
  )
}

function ask({ actor, secret }: GateDeps, confirm: Confirm): InputRequiredResult {
  const { operation, shown, input, time } = confirm
  return askYesOrNo(questionText({ operation, shown, input, now: time.now, actor }), {
    title: `Yes, pay ${spellMoney(shown.total)}`,
    description: 'Nothing is bought without it.',
    state: seal(secret(), actor, confirm, Date.parse(shown.expiresAt)),
  })
}

/** Returns a seal of this question with the end of its validity. It is valid only for the same call. */
function seal(secret: string, actor: Actor, confirm: Confirm, expires: number): string {
  const { intent, operation, input, shown } = confirm
  const { approvalId, total, tier } = shown
  const about = [actor.profile, actor.service, actor.account, operation, intent, input]
  const mac = hmacHex(secret, canonicalJson([about, approvalId, tier, total.amount, total.currency, expires]))
  return `${expires}.${mac}`
}

/** Throws AppError('not_confirmed') for an answer to another question, a forged one, or a late one. */
function assertSealed({ secret, actor }: GateDeps, confirm: Confirm, state: unknown): void {
  const given = typeof state === 'string' ? state : ''
  const expires = Number(/^(\d{1,15})\./.exec(given)?.[1] ?? Number.NaN)
  const known = Number.isSafeInteger(expires) && isSameSeal(given, seal(secret(), actor, confirm, expires))
  if (known && confirm.time.now < expires) return
  throw new AppError(
    'not_confirmed',
    'The answer belongs to another call, or came too late. Nothing was bought.',
    { hint: `Call ${confirm.operation} again: the person is asked again.` },
  )
}
