/** Finds the outcome of a call without a response. */
import { AppError } from '../../core/errors.ts'
import type { Money } from '../../core/money.ts'
import type { Resource } from '../../core/resource.ts'
import { loadSpec } from '../../generated/registry.ts'
import { RESOURCES } from '../../generated/resources.ts'
import { claimPendingCall } from '../../local-state/pending-calls.ts'
import type { PendingCallFile, PendingCall } from '../../local-state/pending-calls.ts'
import { findCreatedId } from '../../local-state/recent.ts'
import type { CommandContext } from '../cli.ts'
import { shownTarget } from '../explain.ts'
import { commandLine } from '../output/shell.ts'
import { isTooOld, makeCall } from './call-once.ts'

export type ResolvedCall = {
  call_id: string
  /** `done`: it had succeeded; `done_now`: it succeeded now; `refused`; `not_known`: it is too old to repeat. */
  outcome: 'done' | 'done_now' | 'refused' | 'not_known'
  operation: string
  total: Money | null
  /** The id of the created or changed resource, if the service named it. */
  resource_id: string | null
  detail: string
}

/**
 * Repeats the call at the service, and removes its record after a final response. Throws AppError('usage' |
 * 'network_error' | …).
 */
export async function finishPendingCall(cli: CommandContext, found: PendingCallFile): Promise<ResolvedCall> {
  const { intent } = found
  assertNotRunning(found)
  assertSameTarget(cli, intent)
  const { now } = await (await cli.client()).serviceTime()
  // A used, expired or deleted quote buys nothing, so repeating the call is safe after any time.
  const quoted = typeof intent.input['quote_id'] === 'string'
  if (isTooOld(intent, now) && !quoted) {
    const held = claimPendingCall(cli.runtime, found)
    held?.close()
    return resolved(intent, 'not_known', null, `It was sent too long ago to retry. ${await checkIn(intent)}`)
  }
  const held = claimPendingCall(cli.runtime, found)
  if (held === undefined) throw new AppError('usage', 'Another command is already resolving this call.')
  try {
    return await makeCall(cli, held, async ({ value, replayed }) => {
      const id = findCreatedId(intent.operation, value)
      return replayed
        ? resolved(intent, 'done', id, 'It had been carried out; it was not repeated.')
        : resolved(intent, 'done_now', id, 'It had not been carried out; it is done now.')
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return await refusal(intent, error)
  }
}

/** Returns the outcome that an error means for the call. Rethrows an error that says nothing about it. */
async function refusal(intent: PendingCall, error: AppError): Promise<ResolvedCall> {
  const { status } = error.entry
  const isAnswer = status === 402 || status === 403 || status === 404 || status === 409 || status === 422
  if (!isAnswer || error.code === 'insufficient_scope' || error.code === 'idempotency_in_flight') throw error
  if (error.code === 'quote_already_used') {
    const id = Object.entries(error.extra).find(
      ([name]) => name.endsWith('_id') && name !== 'request_id',
    )?.[1]
    const what = typeof id === 'string' ? id : null
    return resolved(intent, 'done', what, 'It had been carried out; it was not repeated.')
  }
  // The service deletes quotes a day after they expire.
  if (error.code === 'quote_not_found')
    return resolved(intent, 'not_known', null, `The quote no longer exists. ${await checkIn(intent)}`)
  return resolved(intent, 'refused', null, `It was not carried out: ${error.message}`)
}

function resolved(
  { key, operation, total }: PendingCall,
  outcome: ResolvedCall['outcome'],
  resourceId: string | null,
  detail: string,
): ResolvedCall {
  return { call_id: key, outcome, operation, total, resource_id: resourceId, detail }
}

/** Throws AppError('usage') while the call's command is still running, because that command gets the response. */
export function assertNotRunning({ running }: PendingCallFile): void {
  if (running === undefined) return
  throw new AppError('usage', `The command that sent it is still running as process ${running}.`, {
    hint: 'Wait for it to finish, or stop it first.',
  })
}

/** Throws unless service, account and profile are those of the call: its key is only valid there. */
function assertSameTarget(
  { settings }: CommandContext,
  { service, account, profile, key }: PendingCall,
): void {
  const { target } = settings
  const { kind, address } = shownTarget(target)
  if (address === service && (target.account ?? null) === account && settings.profile === profile) return
  const where = address === service ? [] : [isAddress(service) ? '--base-url' : '--store', service]
  const flags = [
    ...(settings.profile === profile ? [] : ['--profile', profile]),
    ...(settings.profile === profile || kind === 'embedded' ? where : []),
    ...(account === null || account === target.account ? [] : ['--as', account]),
  ]
  throw new AppError('usage', 'The call was sent to another server or as another account.', {
    hint: `Resolve it there: ${commandLine(['dray', 'pending', 'resolve', key, ...flags])}`,
  })
}

function isAddress(service: string): boolean {
  return /^https?:/.test(service)
}

/** Returns the advice to look for the call with the list of its area; else with what was created from here. */
async function checkIn({ argv: [group] }: PendingCall): Promise<string> {
  const listed = Object.values<Resource>(RESOURCES).find(
    ({ area, list }) => area === group && list !== undefined,
  )
  const words = listed?.list === undefined ? undefined : (await loadSpec(listed.list))?.words
  return `Look for it with \`dray ${words ?? 'recent'}\`.`
}
