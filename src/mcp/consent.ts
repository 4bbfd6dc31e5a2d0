/** A question to a person before a change that is no purchase. */
import type { InputRequiredResult } from '@modelcontextprotocol/server'
import type { Client } from '../client/client.ts'
import { canonicalJson } from '../core/canonical-json.ts'
import { AppError } from '../core/errors.ts'
import { sha256Hex } from '../core/hash.ts'
import { readLedger } from '../local-state/ledger.ts'
import {
  elicitConfirmation,
  claimConfirmation,
  isPurchaseDeclined,
  saveConfirmation,
  readElicitation,
} from './elicitation.ts'
import type { McpClientSession, ConfirmationSubject } from './elicitation.ts'
import type { GuardState } from './guard-types.ts'

/** The question to ask first; `agreed` once a person said yes to it; undefined when none is needed. */
export type ConfirmationResult = InputRequiredResult | 'agreed' | undefined

/** The time that a response counts. */
const HOLDS_MS = 24 * 3_600_000

/** A change that a person is asked about first. */
export type ConfirmationRequest = {
  /** The decision of the person is about it: a no holds, whatever else the call says. */
  change: unknown[]
  questioned: ConfirmationSubject
  message: string[]
  /** The part that a no is about: `the new price`. */
  subject: string
  title: string
  what: string
  /** The way to do it without the agent. */
  way: string
}

/** Returns the question, or that a person said yes. */
export async function requestConsent(
  guard: GuardState,
  client: Client,
  program: McpClientSession,
  doubt: ConfirmationRequest,
): Promise<ConfirmationResult> {
  const { now } = await client.serviceTime()
  const change = sha256Hex(canonicalJson(doubt.change))
  if (isPurchaseDeclined(readLedger(guard.runtime, await guard.purse()), change, now)) throw saidNo(doubt)
  if (!program.canAsk) throw mustWait(doubt, 'and this program cannot ask one')
  const { questioned } = doubt
  const answer = readElicitation(program)
  if (answer === undefined || claimConfirmation(guard, program, questioned, now) !== undefined)
    return elicitConfirmation(doubt.message.join('\n'), {
      title: doubt.title,
      description: 'The call changes the item only with your consent.',
      state: saveConfirmation(guard, questioned, now + HOLDS_MS),
    })
  if (answer === 'cancelled') throw mustWait(doubt, 'and did not answer')
  if (answer === 'yes') return 'agreed'
  await guard.decline(change, now)
  throw saidNo(doubt)
}

/** Names the account in the sandbox; a live service knows the person by the login. */
export function ownAccount({ actor: { service, account } }: GuardState): string[] {
  return account === null || service.startsWith('http') ? [] : ['--as', account]
}

function mustWait({ what, way }: ConfirmationRequest, why: string): AppError {
  return new AppError(
    'approval_required',
    `The user must approve ${what} first, ${why}. Nothing was changed.`,
    { hint: `Ask the user to run ${way} in a terminal.` },
  )
}

function saidNo({ subject, way }: ConfirmationRequest): AppError {
  return new AppError('not_confirmed', `The user declined ${subject}. Nothing was changed.`, {
    hint: `Do not call this again: the user is not asked about it again for a day. If they change their mind, they can run ${way} in a terminal.`,
  })
}
