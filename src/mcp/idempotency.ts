/**
 * The key of a call, made of what it says: the same tool called again with the same arguments is the same intent, so the
 * service gives the first answer again and does nothing twice. A model never has to invent a key.
 */
import { canonicalJson } from '../core/canonical-json.ts'
import { sha256Hex } from '../core/hash.ts'
import type { Intended, Ledger } from '../journal/ledger.ts'

/** What is about to be sent. */
export type Sending = {
  operation: string
  input: Readonly<Record<string, unknown>>
  /** Given by the agent: then it alone tells one intent from another. */
  idempotencyKey: string | undefined
  /** Buys what was quoted. A quote is spent once, whatever is said about it later. */
  confirms: boolean
  /** Sets something to a value, which somebody else may have set to another one meanwhile. */
  sets: boolean
  /** Takes something back, which may be wanted anew then. */
  undoes: boolean
}

export type OpenIntent = {
  intent: string
  /** Which time it is that the same words mean something new. */
  generation: number
  key: string
  /** Before now it was: `new` never begun; `sent` without an answer; `done`. */
  was: 'new' | 'sent' | 'done'
  undoes: boolean
}

/** What the intent is, without beginning it. */
export function findIntent(ledger: Ledger, sending: Sending): OpenIntent {
  const { purse } = ledger
  const { operation, input, idempotencyKey, undoes } = sending
  const who = purse.account ?? purse.service
  const intent = sha256Hex(canonicalJson([who, operation, input, idempotencyKey ?? null]))
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

/** Notes, before it is sent, that it will be. */
export function beginIntent(ledger: Ledger, sending: Sending): OpenIntent {
  const openIntent = findIntent(ledger, sending)
  if (openIntent.was !== 'done') put(ledger, openIntent, 'sent')
  return openIntent
}

/** Notes what became of it; `unsent` takes back what was noted. */
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
 * Whether the same words mean something new. A refusal was the end of it: the world may have moved on, so the same call
 * is tried again, where a key that is kept would get the old refusal for a day. What was done is done: it is not new
 * unless something was taken back since (a parcel sent, cancelled, sent again), or it sets a value. A second parcel beside
 * the first one is a key of the agent's own. What has no answer yet keeps its key always.
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
