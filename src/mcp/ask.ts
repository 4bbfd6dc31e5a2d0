/** A question that a person answers with yes or no, through the program of the agent: the same for every gate. */
import { inputRequired } from '@modelcontextprotocol/server'
import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import { sha256Hex } from '../core/hash.ts'
import type { Ledger } from '../journal/ledger.ts'

/** The program of the agent: what it calls itself, whether it can ask its user, and what came back from there. */
export type Program = {
  name: string | null
  canAsk: boolean
  mcpReq: Pick<ServerContext['mcpReq'], 'inputResponses' | 'requestState'>
}

const ANSWER = 'agree'

/** The question; `state` comes back with its answer. */
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

/** The answer that came back; undefined before anybody was asked. Some programs close every question: `cancelled`. */
export function readAnswer({ mcpReq }: Program): 'yes' | 'no' | 'cancelled' | undefined {
  const answer = mcpReq.inputResponses?.[ANSWER]
  if (answer === undefined) return undefined
  const { action, content } = answer as { action?: unknown; content?: Record<string, unknown> }
  if (action === 'accept' && content?.[ANSWER] === true) return 'yes'
  return action === 'cancel' ? 'cancelled' : 'no'
}

/** Seals are hashed first: how long the comparison takes tells nothing about where they differ. */
export function isSameSeal(given: unknown, seal: string): boolean {
  return typeof given === 'string' && sha256Hex(given) === sha256Hex(seal)
}

/** Whether a person said no to this a short while ago. */
export function isDeclined({ declined }: Pick<Ledger, 'declined'>, name: string, now: number): boolean {
  return declined.some(({ purchase, until }) => purchase === name && now < until)
}
