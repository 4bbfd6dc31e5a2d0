/**
 * Derives the key of a call from its content. The same tool with the same arguments is the same intent, so the
 * service returns the first response and does nothing twice. A model never has to invent a key.
 */
import { canonicalJson } from '../core/canonical-json.ts'
import { sha256Hex } from '../core/hash.ts'
import type { Intended, Ledger } from '../journal/ledger.ts'

/** A call that is about to be sent. */
export type Sending = {
  operation: string
  input: Readonly<Record<string, unknown>>
  /** The agent's own key; if present, it alone distinguishes intents. */
  idempotencyKey: string | undefined
  /** The scenario that the sandbox plays; with another one it is another call. */
  scenario?: string | undefined
  /** True if it confirms a quote. A quote is used once, whatever the other arguments are. */
  confirms: boolean
  /** True if it sets a value, which another caller may have changed meanwhile. */
  sets: boolean
  /** True if it undoes something, which may be wanted again later. */
  undoes: boolean
}

export type OpenIntent = {
  intent: string
  /** The number of times that this call has meant something new. */
  generation: number
  key: string
  /** The state before this call: `new` for never sent, `sent` for no response, `done`. */
  was: 'new' | 'sent' | 'done'
  undoes: boolean
}

/** Returns the intent without recording it. */
export function findIntent(ledger: Ledger, sending: Sending): OpenIntent {
  const { purse } = ledger
  const { operation, input, idempotencyKey, scenario, undoes } = sending
  const who = purse.account ?? purse.service
  const intent = sha256Hex(
    canonicalJson([
      who,
      operation,
      input,
      idempotencyKey ?? null,
      ...(scenario === undefined ? [] : [scenario]),
    ]),
  )
  const known = ledger.intents.findLast((each) => each.intent === intent)
  const again = known !== undefined && isOver(ledger, known, sending)
  const generation = (known?.generation ?? 0) + (again ? 1 : 0)
  return {
    intent,
    generation,
    key: idempotencyKey ?? `mcp_${intent}${generation === 0 ? '' : `_${generation}`}`,
    was: known === undefined || again || known.state === 'refused' ? 'new' : known.state,
    undoes,
  }
}

/** Records an intent before it is sent. */
export function beginIntent(ledger: Ledger, sending: Sending): OpenIntent {
  const openIntent = findIntent(ledger, sending)
  if (openIntent.was !== 'done') put(ledger, openIntent, 'sent')
  return openIntent
}

/** Records the outcome of an intent; `unsent` removes the record. */
export function endIntent(
  ledger: Ledger,
  openIntent: OpenIntent,
  state: 'done' | 'refused' | 'unsent',
): void {
  if (state !== 'unsent') put(ledger, openIntent, state)
  else if (openIntent.was === 'new')
    ledger.intents = ledger.intents.filter(({ intent }) => intent !== openIntent.intent)
}

/**
 * Returns whether the same call means something new. After a refusal it does: the situation may have changed, and the
 * old key would return the old refusal for a day. After a success it does only if something was undone since (a
 * parcel sent, cancelled, sent again), or if the call sets a value. For a second identical parcel the agent gives its
 * own key. A call without a response always keeps its key.
 */
function isOver({ intents }: Ledger, known: Intended, { confirms, sets, idempotencyKey }: Sending): boolean {
  if (idempotencyKey !== undefined || known.state === 'sent') return false
  if (known.state === 'refused') return true
  if (confirms || sets) return sets
  const since = intents.slice(intents.indexOf(known) + 1)
  return since.some(({ undoes, state }) => undoes && state !== 'refused')
}

function put(ledger: Ledger, { intent, generation, undoes }: OpenIntent, state: Intended['state']): void {
  const next: Intended = { intent, generation, state, ...(undoes && { undoes }) }
  ledger.intents = [...ledger.intents.filter((each) => each.intent !== intent), next]
}
