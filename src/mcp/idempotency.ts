/**
 * Derives the key of a call from its content. The same tool with the same arguments is the same intent, so the
 * service returns the first response and does nothing twice; `Repetition` says when it means something new. The key of a call
 * that sets a state is random as well, and is kept until it is answered. A model never has to invent a key.
 */
import { canonicalJson } from '../core/canonical-json.ts'
import { sha256Hex } from '../core/hash.ts'
import type { Machine } from '../core/machine.ts'
import type { Repetition } from '../core/repetition.ts'
import type { CallRecord, Ledger } from '../local-state/ledger.ts'
import type { ToolCall } from './guard-types.ts'

/** A call that is about to be sent. */
export type OutgoingCall = {
  operation: string
  input: Readonly<Record<string, unknown>>
  /** The agent's own key; if present, it alone distinguishes intents. */
  idempotencyKey: string | undefined
  /** The scenario that the sandbox plays; with another one it is another call. */
  scenario?: string | undefined
  /** The meaning of the same call once more. */
  repetition: Repetition
  /** The thing to whose state it adds: its own later additions make the same one mean another. */
  adds?: string | undefined
  /** True if what it made was cancelled or deleted since. */
  isGone?: boolean
  /** The service's time; undefined where it costs nothing that the service has forgotten the key. */
  now?: number | undefined
  /**
   * Part of the key of a call that sets a state or adds to one: a service may have answered the same call before, from another
   * machine or in a world that was loaded since.
   */
  nonce?: string
}

export type CallKey = {
  intent: string
  /** The number of times that this call has meant something new. */
  generation: number
  key: string
  /** The state before this call: `new` for never sent, `sent` for no response, `done`. */
  was: 'new' | 'sent' | 'done'
} & Pick<CallRecord, 'at' | 'adds' | 'nonce' | 'made'>

/** The time for which a service keeps a key, less an hour for a call that is under way. */
const KEY_HOLDS_MS = 23 * 3_600_000

const NONCE_BYTES = 8

/** Returns the call as the ledger keeps it: carried out once where its tool adds to a state. */
export function sendingOf(
  { name, repetition = 'once', adds }: ToolCall['tool'],
  { input, idempotencyKey, scenario }: Pick<ToolCall, 'input' | 'idempotencyKey' | 'scenario'>,
  { random }: Pick<Machine, 'random'>,
): OutgoingCall {
  const isAdded = adds !== undefined && (input[adds] ?? null) !== null
  const sets = isAdded || repetition === 'each_time'
  return {
    operation: name,
    input,
    idempotencyKey,
    scenario,
    repetition: isAdded ? 'makes' : repetition,
    ...(isAdded && { adds: canonicalJson([name, { ...input, [adds]: null }]) }),
    ...(sets && { nonce: random(NONCE_BYTES).toHex() }),
  }
}

/** Returns the intent without recording it. */
export function findCallKey(ledger: Ledger, sending: OutgoingCall): CallKey {
  const { idempotencyKey, adds, now } = sending
  const intent = intentOf(ledger, sending)
  const known = ledger.intents.findLast((each) => each.intent === intent)
  const again = known !== undefined && isOver(ledger, known, sending)
  const generation = (known?.generation ?? 0) + (again ? 1 : 0)
  const isNew = known === undefined || again || known.state === 'refused'
  const { at, nonce, made } = isNew ? { ...sending, at: now, made: undefined } : known
  return {
    intent,
    generation,
    key: idempotencyKey ?? formatKey(intent, generation, nonce),
    was: isNew ? 'new' : (known.state as 'sent' | 'done'),
    ...withoutUndefined({ at, adds: adds && sha256Hex(adds), nonce, made }),
  }
}

function formatKey(intent: string, generation: number, nonce: string | undefined): string {
  const parts = [intent, ...(generation === 0 ? [] : [generation]), ...(nonce === undefined ? [] : [nonce])]
  return `mcp_${parts.join('_')}`
}

type OptionalParts = Pick<CallRecord, 'at' | 'adds' | 'nonce' | 'made'>

function withoutUndefined(parts: {
  [Name in keyof OptionalParts]: OptionalParts[Name] | undefined
}): OptionalParts {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))
}

function intentOf({ purse }: Ledger, { operation, input, idempotencyKey, scenario }: OutgoingCall): string {
  const who = purse.account ?? purse.service
  const what = [who, operation, input, idempotencyKey ?? null]
  return sha256Hex(canonicalJson(scenario === undefined ? what : [...what, scenario]))
}

/** Records an intent before it is sent. */
export function reserveCallKey(ledger: Ledger, sending: OutgoingCall): CallKey {
  const openIntent = findCallKey(ledger, sending)
  if (openIntent.was !== 'done') put(ledger, openIntent, 'sent')
  return openIntent
}

/** Records the outcome of an intent, and the id of what it made; `unsent` removes the record. */
export function closeCallKey(
  ledger: Ledger,
  openIntent: CallKey,
  state: 'done' | 'refused' | 'unsent',
): void {
  // One that was done before stays at its place: it is older than what changed its thing since.
  if (state === 'done' && openIntent.was === 'done')
    for (const each of ledger.intents) each.state = each.intent === openIntent.intent ? state : each.state
  else if (state !== 'unsent') put(ledger, openIntent, state)
  else if (openIntent.was === 'new')
    ledger.intents = ledger.intents.filter(({ intent }) => intent !== openIntent.intent)
}

/**
 * Returns whether the same call means something new. After an error it does: the situation may have changed, and the
 * old key would return the old error for a day. After a success it does where it is carried out each time, where what it
 * made is gone, and where the service has forgotten the key of a purchase. For a second identical parcel the agent gives its
 * own key, which the service forgets, too. A call without a response keeps its key, but a state that was set otherwise since is
 * set again.
 */
function isOver(ledger: Ledger, known: CallRecord, sending: OutgoingCall): boolean {
  const { idempotencyKey, repetition, isGone = false, now } = sending
  const isForgotten =
    repetition === 'makes' && now !== undefined && known.at !== undefined && now - known.at > KEY_HOLDS_MS
  if (idempotencyKey !== undefined) return known.state === 'done' && (isGone || isForgotten)
  if (known.state === 'refused') return true
  const since = ledger.intents.slice(ledger.intents.indexOf(known) + 1)
  if (repetition === 'each_time') return known.state === 'done' || since.length > 0
  if (isForgotten) return true
  if (known.state === 'sent') return false
  return (
    isGone ||
    since.some(({ adds, state }) => adds !== undefined && adds === known.adds && state !== 'refused')
  )
}

function put(ledger: Ledger, openIntent: CallKey, state: CallRecord['state']): void {
  const { intent, key: _key, was: _was, ...rest } = openIntent
  ledger.intents = [...ledger.intents.filter((each) => each.intent !== intent), { intent, ...rest, state }]
}
