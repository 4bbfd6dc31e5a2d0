/** Finding out what became of a call that was never answered. */
import { AppError } from '../../core/errors.ts'
import type { Money } from '../../core/money.ts'
import { takeOver } from '../../journal/intents.ts'
import type { Found, Intent } from '../../journal/intents.ts'
import { idOf } from '../../journal/recent.ts'
import type { Cli } from '../cli.ts'
import { shownTarget } from '../explain.ts'
import { commandLine } from '../output/shell.ts'
import { isTooOld, makeCall } from './call-once.ts'

export type Resolved = {
  intent_id: string
  /** `done`: before; `done_now`: by asking; `refused`; `not_known`: it is too long ago to ask. */
  outcome: 'done' | 'done_now' | 'refused' | 'not_known'
  operation: string
  total: Money | null
  /** What was created or changed, where the service named it. */
  resource_id: string | null
  detail: string
}

/** Asks the service, and closes the intent once that is answered. Throws AppError('usage' | 'network_error' | …). */
export async function resolveIntent(cli: Cli, found: Found): Promise<Resolved> {
  const { intent } = found
  assertFree(found)
  assertSameTarget(cli, intent)
  const { now } = await (await cli.client()).serviceTime()
  // Once used, expired or forgotten, a quote buys nothing: asking is safe however long it is ago.
  const quoted = typeof intent.input['quote_id'] === 'string'
  if (isTooOld(intent, now) && !quoted) {
    const held = takeOver(cli.runtime, found)
    held?.close()
    return resolved(intent, 'not_known', null, `It was sent too long ago to ask again. ${checkIn(intent)}`)
  }
  const held = takeOver(cli.runtime, found)
  if (held === undefined) throw new AppError('usage', 'Another command has just taken this call on.')
  try {
    return await makeCall(cli, held, async ({ value, replayed }) => {
      const id = idOf(intent.operation, value)
      return replayed
        ? resolved(intent, 'done', id, 'It had been done; it was not done again.')
        : resolved(intent, 'done_now', id, 'It had not been done; it is done now.')
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return refusal(intent, error)
  }
}

/** What a refusal says about the call; rethrown when it says nothing. */
function refusal(intent: Intent, error: AppError): Resolved {
  const { status } = error.entry
  const isAnswer = status === 402 || status === 403 || status === 404 || status === 409 || status === 422
  if (!isAnswer || error.code === 'insufficient_scope' || error.code === 'idempotency_in_flight') throw error
  if (error.code === 'quote_already_used') {
    const id = Object.entries(error.extra).find(
      ([name]) => name.endsWith('_id') && name !== 'request_id',
    )?.[1]
    const what = typeof id === 'string' ? id : null
    return resolved(intent, 'done', what, 'It had been done; it was not done again.')
  }
  // Quotes are forgotten a day after they expire.
  if (error.code === 'quote_not_found')
    return resolved(intent, 'not_known', null, `The quote is forgotten by now. ${checkIn(intent)}`)
  return resolved(intent, 'refused', null, `It was not done: ${error.message}`)
}

function resolved(
  { key, operation, total }: Intent,
  outcome: Resolved['outcome'],
  resourceId: string | null,
  detail: string,
): Resolved {
  return { intent_id: key, outcome, operation, total, resource_id: resourceId, detail }
}

/** A command that is still at it will hear the answer itself. Throws AppError('usage'). */
export function assertFree({ running }: Found): void {
  if (running === undefined) return
  throw new AppError('usage', `The command that sent it is still running, as process ${running}.`, {
    hint: 'Wait for it, or end it first.',
  })
}

/** The service, account and profile must be those of the call: elsewhere its key means nothing. */
function assertSameTarget({ settings }: Cli, { service, account, profile, key }: Intent): void {
  const { target } = settings
  const { kind, address } = shownTarget(target)
  if (address === service && (target.account ?? null) === account && settings.profile === profile) return
  const where = address === service ? [] : [isAddress(service) ? '--base-url' : '--store', service]
  const flags = [
    ...(settings.profile === profile ? [] : ['--profile', profile]),
    ...(settings.profile === profile || kind === 'embedded' ? where : []),
    ...(account === null || account === target.account ? [] : ['--as', account]),
  ]
  throw new AppError('usage', 'The call was sent elsewhere, or as another account.', {
    hint: `Ask there: ${commandLine(['dray', 'intents', 'resolve', key, ...flags])}`,
  })
}

function isAddress(service: string): boolean {
  return /^https?:/.test(service)
}

const LISTS: Readonly<Record<string, string>> = {
  carrier: 'dray carrier list',
  food: 'dray food list',
  rides: 'dray rides list',
  business: 'dray business orders list',
}

function checkIn({ argv: [group = ''] }: Intent): string {
  return `Look for it with \`${LISTS[group] ?? 'dray recent'}\`.`
}
