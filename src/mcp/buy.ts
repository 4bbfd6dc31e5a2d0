/** A purchase by an agent: at a known price, within the limits, and with a person's consent where required. */
import type { InputRequiredResult } from '@modelcontextprotocol/server'
import type { CallResult, Client, ServiceTime } from '../client/client.ts'
import { confirmOnce } from '../client/confirmed.ts'
import { AppError } from '../core/errors.ts'
import { formatGroupedMoney } from '../core/money.ts'
import type { PurchaseSpending } from '../core/spending.ts'
import { claimApproval } from '../local-state/approvals.ts'
import { changeLedger, readLedger } from '../local-state/ledger.ts'
import type { Ledger, SpendAccount } from '../local-state/ledger.ts'
import { approvalIsGone, decide, toPurchase, unseen } from './gate.ts'
import type { PurchaseToConfirm, PurchaseDecision } from './gate.ts'
import { throwIfCancelled } from './guard-types.ts'
import type { ToolCall, GuardState } from './guard-types.ts'
import { reserveCallKey, findCallKey, sendingOf } from './idempotency.ts'
import type { CallKey, OutgoingCall } from './idempotency.ts'
import { hasLargeAmount } from './large.ts'
import { answerNow, isMadeElsewhere } from './made.ts'
import { preflightCall } from './preflight.ts'
import { findShown, priceNow, priceRise, toMoneyOrUndefined } from './prices.ts'
import type { ShownPrice } from './prices.ts'
import { aboutPurchase } from './question.ts'
import { toErrorCode, end, toGateState, writeAuditEntry, callAndRecord, recordFailure } from './record.ts'
import type { AuditFacts } from './record.ts'
import { checkSpend, reserveSpend } from './spend.ts'

/**
 * Buys, or returns the question that a person must answer first. What was bought before and is gone since is bought again,
 * by all checks. Throws AppError.
 */
export async function buyWithGuards(
  guard: GuardState,
  client: Client,
  called: ToolCall,
  { purchasing, isGone }: { purchasing: PurchaseSpending; isGone: boolean },
): Promise<CallResult | InputRequiredResult> {
  const { tool, scenario, beforeChange, onRow } = called
  const facts: AuditFacts = { quoteId: called.input['quote_id'] }
  let ready: Ready | InputRequiredResult
  try {
    const time = await client.serviceTime()
    guard.lastServiceTime = time.now
    const planned = await plan(guard, client, called, { purchasing, time, isGone })
    if (typeof planned.price === 'object') facts.total = planned.price.total
    ready = await prepare(guard, called, planned, facts)
  } catch (error) {
    writeAuditEntry(guard, called, {
      ...facts,
      event: 'answer',
      gate: toGateState(error),
      outcome: toErrorCode(error),
    })
    throw error
  }
  if ('resultType' in ready) {
    writeAuditEntry(guard, called, { ...facts, event: 'answer', gate: 'asked', outcome: 'input_required' })
    return ready
  }
  const { openIntent, gate, purse, input } = ready
  const { key } = openIntent
  const call = () => client.call(tool.name, input, { idempotencyKey: key, scenario, beforeChange, onRow })
  // An agent that gives a key of its own gets the first response, as over HTTP.
  const isDerived = called.idempotencyKey === undefined
  const confirms = isDerived && purchasing.how === 'quote'
  const result = await callAndRecord(
    guard,
    called,
    { openIntent, purse, facts: { ...facts, key, gate } },
    () => (confirms ? confirmOnce(client, tool.name, openIntent.was !== 'new', call) : call()),
  )
  if (!result.replayed || !isDerived || confirms || isGone) return result
  const now = await answerNow(client, called, result)
  return now === 'gone' ? buyWithGuards(guard, client, called, { purchasing, isGone: true }) : now
}

type PurchasePlan = {
  purse: SpendAccount
  ledger: Ledger
  time: ServiceTime
  sending: OutgoingCall
  found: CallKey
  /** The price; `free` for no cost, undefined when it is unknown here or was accepted before. */
  price: ShownPrice | 'free' | undefined
}

type Ready = {
  openIntent: CallKey
  gate: 'open' | 'repeated' | 'accepted' | 'approved'
  purse: SpendAccount
  input: Record<string, unknown>
}

/** Returns the call to send, whether it is new, and its price. Throws AppError. */
async function plan(
  guard: GuardState,
  client: Client,
  called: ToolCall,
  { purchasing, time, isGone }: { purchasing: PurchaseSpending; time: ServiceTime; isGone: boolean },
): Promise<PurchasePlan> {
  const { tool, input: given } = called
  const quoted = purchasing.how === 'quote'
  const shown = quoted ? findShown(guard.runtime, guard.actor, purchasing, given) : undefined
  const input = withTotal(given, shown)
  const purse = await guard.purse()
  const ledger = readLedger(guard.runtime, purse)
  const first = { ...sendingOf(tool, called, guard.runtime), input, isGone, now: time.now }
  const { was, made } = findCallKey(ledger, first)
  const isElsewhere = was === 'done' && made !== undefined && (await isMadeElsewhere(client, tool.name, made))
  const sending = isElsewhere ? { ...first, isGone: true } : first
  const found = findCallKey(ledger, sending)
  const price =
    quoted || found.was !== 'new' ? shown : await newPrice(client, tool.name, purchasing, { input, time })
  return { purse, ledger, time, sending, found, price }
}

/** Asks the service for the price of what no quote priced. */
function newPrice(
  client: Client,
  operation: string,
  purchasing: PurchaseSpending,
  { input, time }: { input: ToolCall['input']; time: ServiceTime },
): Promise<ShownPrice | 'free'> {
  return purchasing.how === 'difference'
    ? priceRise(client, purchasing, input, time.now)
    : priceNow(client, operation, input, time.now)
}

/**
 * Does all checks before the purchase. Returns the question if one must be answered first. Throws AppError when
 * nothing may be sent.
 */
async function prepare(
  guard: GuardState,
  called: ToolCall,
  planned: PurchasePlan,
  facts: AuditFacts,
): Promise<Ready | InputRequiredResult> {
  const { runtime } = guard
  const { purse, sending, found, price, time } = planned
  const input = { ...sending.input }
  // If this line cannot be written, nothing is bought.
  writeAuditEntry(guard, called, { ...facts, event: 'call', key: found.key }, true)
  const shown = typeof price === 'object' ? price : undefined
  const asks = needsPerson(guard, input, shown)
  if (asks && found.was === 'new') await preflightCall(called.tool, input)
  assertExpected(input, shown)
  const { operation } = sending
  const confirm = shown && {
    operation,
    given: called.input,
    input,
    shown,
    about: await aboutPurchase(operation, shown, input),
    intent: found.intent,
    time,
  }
  const gate = found.was === 'new' ? await mayBuy(guard, called, planned, { asks, confirm }) : 'repeated'
  if (typeof gate === 'object') return gate
  // A person may have answered a long time after the question.
  throwIfCancelled(called)
  const openIntent = await changeLedger(runtime, purse, (latest) => beginSpending(guard, latest, planned), {
    sync: true,
  })
  // A repeated call has already used its approval.
  if (gate === 'approved' && openIntent.was === 'new' && confirm !== undefined) {
    try {
      // An approval that is taken counts no more, even if the call does not begin.
      throwIfCancelled(called)
      useApproval(guard, confirm)
    } catch (error) {
      await end(guard, purse, (ledger) => recordFailure(ledger, openIntent, 'unsent'))
      throw error
    }
  }
  return { openIntent, gate, purse, input }
}

/** Returns whether a person must consent: to every purchase, or to one with a large amount in it. */
function needsPerson(guard: GuardState, input: ToolCall['input'], shown: ShownPrice | undefined): boolean {
  return guard.gate || (guard.priceGate && hasLargeAmount(input, shown))
}

/** Throws the reason why a new purchase must not be sent. A repeated one was accepted before. */
async function mayBuy(
  guard: GuardState,
  { program, tool }: ToolCall,
  { ledger, price, time }: PurchasePlan,
  { asks, confirm }: { asks: boolean; confirm: PurchaseToConfirm | undefined },
): Promise<PurchaseDecision | 'open'> {
  if (price === 'free') return 'open'
  checkSpend(guard.limits, ledger, price?.total, time.now)
  if (!asks) return 'open'
  if (confirm === undefined) throw unseen(tool.name)
  return decide(guard, confirm, program, ledger)
}

/** Counts the price before the call is sent, so that a second server sees what the first one spends. */
function beginSpending(
  { limits }: GuardState,
  ledger: Ledger,
  { sending, price, time }: PurchasePlan,
): CallKey {
  const openIntent = reserveCallKey(ledger, sending)
  if (openIntent.was !== 'new' || price === 'free') return openIntent
  checkSpend(limits, ledger, price?.total, time.now)
  if (price === undefined) return openIntent
  const { intent, generation } = openIntent
  const quote = price.quote?.quote_id ?? null
  reserveSpend(ledger, { intent, generation, quote, total: price.total, at: time.now })
  return openIntent
}

function useApproval({ runtime, actor }: GuardState, confirm: PurchaseToConfirm): void {
  if (!claimApproval(runtime, toPurchase(actor, confirm), confirm.time.now))
    throw approvalIsGone(actor, confirm)
}

/** Adds the shown price as `expected_total`, so that the purchase fails at another price. */
function withTotal(input: Record<string, unknown>, shown: ShownPrice | undefined): Record<string, unknown> {
  return shown === undefined || input['expected_total'] !== undefined
    ? input
    : { ...input, expected_total: shown.total }
}

/** Throws AppError('quote_mismatch') when the expected total differs from the shown one. */
function assertExpected(input: Record<string, unknown>, shown: ShownPrice | undefined): void {
  const expected = toMoneyOrUndefined(input['expected_total'])
  // A change costs less than its new price, which the service compares.
  if (shown === undefined || shown.change !== undefined || expected === undefined) return
  const { total } = shown
  if (expected.amount === total.amount && expected.currency === total.currency) return
  throw new AppError(
    'quote_mismatch',
    `The price is ${formatGroupedMoney(total)}, not ${formatGroupedMoney(expected)}. Nothing was bought.`,
    { extra: { expected_total: expected, current_total: total } },
  )
}
