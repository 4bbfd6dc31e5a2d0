/** A yes-or-no question to a person, through the MCP client. Every gate uses it. */
import { inputRequired } from '@modelcontextprotocol/server'
import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import { canonicalJson } from '../core/canonical-json.ts'
import { sha256Hex } from '../core/hash.ts'
import { differingParts, hashInput } from '../core/input-hashes.ts'
import type { InputHashes } from '../core/input-hashes.ts'
import type { Machine } from '../core/machine.ts'
import type { Ledger } from '../local-state/ledger.ts'

/** The MCP client: its name, whether it can ask its user, and the user's answer. */
export type McpClientSession = {
  name: string | null
  canAsk: boolean
  mcpReq: Pick<ServerContext['mcpReq'], 'inputResponses' | 'requestState'>
}

const ANSWER = 'agree'

/** Returns the question. The program returns `state` with the answer. */
export function elicitConfirmation(
  message: string,
  { title, description, state }: { title: string; description: string; state: string },
): InputRequiredResult {
  return inputRequired({
    inputRequests: {
      [ANSWER]: inputRequired.elicit({
        message,
        requestedSchema: {
          type: 'object',
          properties: { [ANSWER]: { type: 'boolean', title, description, default: false } },
          required: [ANSWER],
        },
      }),
    },
    requestState: state,
  })
}

/** Returns the user's answer; undefined before the question. Some programs close every question: `cancelled`. */
export function readElicitation({ mcpReq }: McpClientSession): 'yes' | 'no' | 'cancelled' | undefined {
  const answer = mcpReq.inputResponses?.[ANSWER]
  if (answer === undefined) return undefined
  const { action, content } = answer as { action?: unknown; content?: Record<string, unknown> }
  if (action === 'accept' && content?.[ANSWER] === true) return 'yes'
  return action === 'cancel' ? 'cancelled' : 'no'
}

/** The call that a question is about. An answer counts for no other. */
export type ConfirmationSubject = {
  input: Readonly<Record<string, unknown>>
  /** Everything else that makes it this call: the caller, the operation, the price. */
  about: readonly unknown[]
}

/** The open questions of one server, by names that no client can guess. */
export type Questions = Map<string, { call: string; parts: InputHashes; expires: number }>

type QuestionDeps = { questions: Questions; runtime: Pick<Machine, 'random'> }

/** An agent may ask without end; the oldest questions are forgotten. */
const MAX_QUESTIONS = 1000

/** Keeps a question until its answer comes, or until `expires` by the service's clock. Returns its name. */
export function saveConfirmation(
  { questions, runtime }: QuestionDeps,
  questioned: ConfirmationSubject,
  expires: number,
): string {
  const name = runtime.random(16).toHex()
  questions.set(name, { call: hashOf(questioned), parts: hashInput(questioned.input), expires })
  const [oldest = ''] = questions.keys()
  if (questions.size > MAX_QUESTIONS) questions.delete(oldest)
  return name
}

/** The reason why an answer does not count. Without fields it is an answer to no open question, or to one at another price. */
export type Mismatch = { differing: string[] }

/** Closes the question of an answer, so that each answer counts once. Returns why it does not count for this call. */
export function claimConfirmation(
  { questions }: QuestionDeps,
  { mcpReq }: McpClientSession,
  questioned: ConfirmationSubject,
  now: number,
): Mismatch | undefined {
  const state = mcpReq.requestState()
  const name = typeof state === 'string' ? state : ''
  const open = questions.get(name)
  questions.delete(name)
  if (open === undefined || now >= open.expires) return { differing: [] }
  if (open.call === hashOf(questioned)) return undefined
  return { differing: differingParts(open.parts, hashInput(questioned.input)) }
}

function hashOf({ input, about }: ConfirmationSubject): string {
  return sha256Hex(canonicalJson([about, input]))
}

/** Returns whether a person declined this recently. */
export function isPurchaseDeclined(
  { declined }: Pick<Ledger, 'declined'>,
  name: string,
  now: number,
): boolean {
  return declined.some(({ purchase, until }) => purchase === name && now < until)
}
