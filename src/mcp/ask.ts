/** A yes-or-no question to a person, through the agent's program. Every gate uses it. */
import { inputRequired } from '@modelcontextprotocol/server'
import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import { sha256Hex } from '../core/hash.ts'
import type { Ledger } from '../journal/ledger.ts'

/** The agent's program: its name, whether it can ask its user, and the user's answer. */
export type Program = {
  name: string | null
  canAsk: boolean
  mcpReq: Pick<ServerContext['mcpReq'], 'inputResponses' | 'requestState'>
}

const ANSWER = 'agree'

/** Returns the question. The program returns `state` with the answer. */
export function askYesOrNo(
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
export function readAnswer({ mcpReq }: Program): 'yes' | 'no' | 'cancelled' | undefined {
  const answer = mcpReq.inputResponses?.[ANSWER]
  if (answer === undefined) return undefined
  const { action, content } = answer as { action?: unknown; content?: Record<string, unknown> }
  if (action === 'accept' && content?.[ANSWER] === true) return 'yes'
  return action === 'cancel' ? 'cancelled' : 'no'
}

/** Compares seals by their hashes, so that the time does not reveal where they differ. */
export function isSameSeal(given: unknown, seal: string): boolean {
  return typeof given === 'string' && sha256Hex(given) === sha256Hex(seal)
}

/** Returns whether a person declined this recently. */
export function isDeclined({ declined }: Pick<Ledger, 'declined'>, name: string, now: number): boolean {
  return declined.some(({ purchase, until }) => purchase === name && now < until)
}
