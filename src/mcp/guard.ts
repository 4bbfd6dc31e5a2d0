/** The guard between an agent's tool call and the service: the key, the gate, the limit, the audit file. */
import type { InputRequiredResult } from '@modelcontextprotocol/server'
import type { CallResult, Client } from '../client/client.ts'
import { canCost, purchasingOf } from '../core/spending.ts'
import { changeLedger, makeEmptyLedger } from '../local-state/ledger.ts'
import type { SpendAccount } from '../local-state/ledger.ts'
import { buyWithGuards } from './buy.ts'
import type { ConfirmationResult } from './consent.ts'
import { throwIfCancelled } from './guard-types.ts'
import type { ToolCall, GuardOptions, GuardState } from './guard-types.ts'
import { reserveCallKey, findCallKey, sendingOf } from './idempotency.ts'
import type { CallKey } from './idempotency.ts'
import { answerNow } from './made.ts'
import { preflightCall } from './preflight.ts'
import { saveShownPrice } from './prices.ts'
import { answered, toErrorCode, toGateState, writeAuditEntry, callAndRecord, textOf } from './record.ts'

/** A person is not asked again for this time after declining a purchase. */
const NO_HOLDS_MS = 24 * 3_600_000

/** Makes the guard of one server. `purse` returns the paying account. */
export function makeGuard(options: GuardOptions, purse: () => Promise<SpendAccount>): GuardState {
  return {
    ...options,
    purse,
    questions: new Map(),
    async decline(purchase, now) {
      await changeLedger(options.runtime, await purse(), (ledger) => {
        const others = ledger.declined.filter((each) => each.until > now && each.purchase !== purchase)
        ledger.declined = [...others, { purchase, until: now + NO_HOLDS_MS }]
      })
    },
    lastServiceTime: undefined,
  }
}

/** Carries out a call, or returns the question that a person must answer first. Throws AppError. */
export async function callWithGuards(
  guard: GuardState,
  client: Client,
  called: ToolCall,
): Promise<CallResult | InputRequiredResult> {
  const { tool, input } = called
  const purchasing = purchasingOf(tool)
  // A call that only prices creates nothing, so it is sent every time.
  const prices =
    purchasing?.how === 'invoice' && purchasing.pricedBy === tool.name && input['price_only'] === true
  if (tool.read || prices || isPreview(input)) return callReadTool(guard, client, called)
  // One that agrees to no new price changes none.
  const keepsPrice = purchasing?.how === 'difference' && !canCost(purchasing, input)
  return purchasing === undefined || keepsPrice
    ? change(guard, client, called)
    : buyWithGuards(guard, client, called, { purchasing, isGone: false })
}

/** Returns whether a call shows what it would do and does nothing: it is answered again each time. */
function isPreview({ preview }: ToolCall['input']): boolean {
  return preview === true
}

/** Returns whether the result is a question to a person. */
export function isQuestion(result: CallResult | InputRequiredResult): result is InputRequiredResult {
  return 'resultType' in result
}

async function callReadTool(guard: GuardState, client: Client, called: ToolCall): Promise<CallResult> {
  const { tool, input, scenario, signal, onRow } = called
  writeAuditEntry(guard, called, { event: 'call' })
  const result = await answered(guard, called, {}, () =>
    client.call(tool.name, input, { scenario, signal, onRow }),
  )
  saveShownPrice(guard.runtime, guard.actor, { operation: tool.name, input, answer: result.value })
  return result
}

/** Carries out a change that is no purchase. A ledger that cannot be written must not prevent a cancellation. */
async function change(
  guard: GuardState,
  client: Client,
  called: ToolCall,
): Promise<CallResult | InputRequiredResult> {
  const question = await askFirst(guard, client, called)
  if (question !== undefined && question !== 'agreed') return question
  throwIfCancelled(called)
  return carryOut(guard, client, called, { agreed: question === 'agreed', isGone: false })
}

/** Sends a change. The response of one that was carried out before is its thing as it is now, or another one where that is gone. */
async function carryOut(
  guard: GuardState,
  client: Client,
  called: ToolCall,
  { agreed, isGone }: { agreed: boolean; isGone: boolean },
): Promise<CallResult> {
  const { tool, input, scenario, beforeChange, onRow } = called
  const { openIntent, purse } = await beginChange(guard, called, isGone)
  const { key } = openIntent
  writeAuditEntry(guard, called, { event: 'call', key })
  const result = await callAndRecord(guard, called, { openIntent, purse, facts: { key } }, () =>
    client.call(tool.name, input, { idempotencyKey: key, scenario, beforeChange, onRow, agreed }),
  )
  if (!result.replayed || called.idempotencyKey !== undefined || isGone) return result
  const now = await answerNow(client, called, result)
  return now === 'gone' ? carryOut(guard, client, called, { agreed, isGone: true }) : now
}

type AskFirst = (guard: GuardState, client: Client, called: ToolCall) => Promise<ConfirmationResult>

/** Each question is loaded on demand, because few agents change a menu. */
const askAboutEnd: AskFirst = async (...call) => (await import('./final-gate.ts')).askAboutEnd(...call)
const askAboutPrice: AskFirst = async (...call) => (await import('./price-gate.ts')).askAboutPrice(...call)
const askAboutNew: AskFirst = async (...call) => (await import('./price-gate.ts')).askAboutNew(...call)

/** The question of each tool that sets prices of a menu. */
const PRICE_GATES: Readonly<Record<string, AskFirst>> = {
  update_catalog_item: askAboutPrice,
  create_catalog_item: askAboutNew,
  import_catalog_items: askAboutNew,
}

/** Returns the question that is before a call, if one does. */
function askOf(
  { finalGate, priceGate }: GuardState,
  { name, final = false }: ToolCall['tool'],
): AskFirst | undefined {
  if (finalGate && final) return askAboutEnd
  return priceGate ? PRICE_GATES[name] : undefined
}

/**
 * Returns the question before a price that is probably a mistake or a call that is final, if one is required, or that a
 * person agreed. Throws AppError when nothing may be sent.
 */
async function askFirst(guard: GuardState, client: Client, called: ToolCall): Promise<ConfirmationResult> {
  try {
    const ask = askOf(guard, called.tool)
    if (ask === undefined) return undefined
    await preflightCall(called.tool, called.input)
    const question = await ask(guard, client, called)
    if (question !== undefined && question !== 'agreed')
      writeAuditEntry(guard, called, { event: 'answer', gate: 'asked', outcome: 'input_required' })
    return question
  } catch (error) {
    writeAuditEntry(guard, called, { event: 'answer', gate: toGateState(error), outcome: toErrorCode(error) })
    throw error
  }
}

async function beginChange(
  guard: GuardState,
  called: ToolCall,
  isGone: boolean,
): Promise<{ openIntent: CallKey; purse: SpendAccount | undefined }> {
  const sending = { ...sendingOf(called.tool, called, guard.runtime), isGone }
  let purse: SpendAccount | undefined
  try {
    purse = await guard.purse()
    return {
      openIntent: await changeLedger(guard.runtime, purse, (ledger) => reserveCallKey(ledger, sending)),
      purse,
    }
  } catch (error) {
    guard.warn(textOf(error))
    const { service, account } = guard.actor
    // Without a record a repeat of the call is known by its content alone, and nothing may be added twice.
    const { nonce: _nonce, ...known } = sending
    const openIntent = findCallKey(
      makeEmptyLedger(purse ?? { service, account }),
      sending.adds === undefined ? sending : known,
    )
    return { openIntent, purse }
  }
}
