/**
 * Calls that change something. Each is recorded before it is sent, so that repeating the command does nothing twice.
 */
import type { CallResult } from '../../client/client.ts'
import { classifyFailure } from '../../client/outcome.ts'
import { canonicalJson } from '../../core/canonical-json.ts'
import { AppError } from '../../core/errors.ts'
import { sha256Hex } from '../../core/hash.ts'
import { randomId } from '../../core/ids.ts'
import { formatGroupedMoney } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import { localDate, localTime, toTimestamp } from '../../core/time.ts'
import { saveAnswered, readAnswered } from '../../local-state/answered.ts'
import { listPendingCalls, claimPendingCall, recordPendingCall } from '../../local-state/pending-calls.ts'
import type { PendingCallFile, ClaimedCall, PendingCall } from '../../local-state/pending-calls.ts'
import type { CommandContext } from '../cli.ts'
import { shownTarget } from '../explain.ts'
import { rememberCreated } from './created.ts'
import { stateSaveError, deletePendingRecord } from './state-errors.ts'

/** The time for which a service stores a key (docs/rules/idempotency.md#clients-record-a-call-before-they-send-it). */
const KEY_WINDOW_MS = 24 * 3_600_000
/** Less than that, so that an open call is still known when it is repeated. */
const MAX_AGE_MS = KEY_WINDOW_MS - 3_600_000

export type IdempotentCall = {
  operation: string
  input: Record<string, unknown>
  /** The accepted price of a purchase. */
  total?: Money | undefined
}

/**
 * Returns the open call that a dead process of this command left, to be repeated; undefined when there is none or
 * `--new` is set. `said` are the user's arguments. Throws AppError('call_unresolved').
 */
export async function findOpenCall(cli: CommandContext, said: unknown): Promise<ClaimedCall | undefined> {
  if (cli.globals.new) return undefined
  for (const found of recall(cli, said)) {
    if (found.running !== undefined) continue
    const { now } = await (await cli.client()).serviceTime()
    // The user decides about a key of their own.
    if (isTooOld(found.intent, now) && cli.globals.idempotencyKey === undefined)
      throw unresolved(found.intent)
    const held = resume(cli, found)
    if (held === undefined) continue
    await cli.say(`Resuming the ${callOf(found.intent, now)}.`)
    return held
  }
  return undefined
}

/** Returns the open calls of this command. Throws AppError('file_error'). */
function recall(cli: CommandContext, said: unknown): PendingCallFile[] {
  try {
    return listPendingCalls(cli.runtime, placeOf(cli, said))
  } catch (error) {
    if (cli.globals.idempotencyKey !== undefined) return []
    throw stateSaveError(error, cli.runtime.paths.state, 'call')
  }
}

/** Takes over an open call; undefined when another process did. Throws AppError. */
function resume({ runtime }: CommandContext, found: PendingCallFile): ClaimedCall | undefined {
  try {
    return claimPendingCall(runtime, found)
  } catch (error) {
    throw stateSaveError(error, runtime.paths.state, 'call')
  }
}

/**
 * Returns the call that this command had answered under the same key of the user's own, to be sent again: the service
 * gives its first answer. Undefined when there is none, or when the service has forgotten the key.
 */
export async function findAnswered(cli: CommandContext, said: unknown): Promise<ClaimedCall | undefined> {
  const { idempotencyKey, new: isNew } = cli.globals
  if (idempotencyKey === undefined || isNew) return undefined
  const intent = readAnswered(cli.runtime, placeOf(cli, said))
  if (intent === undefined) return undefined
  const { now } = await (await cli.client()).serviceTime()
  const age = now - intent.service_time
  // Time does not run backwards: an earlier time is that of a sandbox that was reset from elsewhere.
  if (age < 0 || age >= KEY_WINDOW_MS) return undefined
  return { intent, resumed: true, close: () => undefined }
}

/** Records a call that was answered, if it has a key of the user's own. */
export function rememberAnswered(cli: CommandContext, said: unknown, { intent }: ClaimedCall): void {
  if (cli.globals.idempotencyKey !== undefined) saveAnswered(cli.runtime, placeOf(cli, said), intent)
}

/** Records a call that is about to be sent. */
export async function recordNewCall(
  cli: CommandContext,
  said: unknown,
  call: IdempotentCall,
): Promise<ClaimedCall> {
  const { runtime, globals, settings, argv } = cli
  const { now: serviceTime } = await (await cli.client()).serviceTime()
  const intent: PendingCall = {
    argv,
    profile: settings.profile,
    service: shownTarget(settings.target).address,
    account: settings.target.account ?? null,
    operation: call.operation,
    input: call.input,
    scenario: globals.scenario ?? null,
    // The key need not be secret, because the service stores the keys of each account separately.
    key: globals.idempotencyKey ?? randomId('key', runtime.now(), runtime.weakRandomBytes(10)),
    total: call.total ?? null,
    started_at: runtime.now(),
    service_time: serviceTime,
  }
  try {
    return recordPendingCall(runtime, placeOf(cli, said), intent)
  } catch (error) {
    // With a key of their own, users can repeat the call without the record.
    if (globals.idempotencyKey !== undefined) return { intent, resumed: false, close: () => undefined }
    throw stateSaveError(error, runtime.paths.state, 'call')
  }
}

/** Makes the call and passes the response to `use`. The record is removed only after a final response was used. */
export async function makeCall<T>(
  cli: CommandContext,
  held: ClaimedCall,
  use: (answer: CallResult) => Promise<T>,
): Promise<T> {
  const answer = await send(cli, held)
  try {
    rememberCreated(cli, held.intent.operation, answer)
    return await use(answer)
  } catch (error) {
    const { completedChanges, failedWith } = await import('./done.ts')
    throw failedWith(error, completedChanges(held.intent.operation, held.intent.input, answer.value))
  } finally {
    await deletePendingRecord(cli, held.close)
  }
}

async function send(cli: CommandContext, held: ClaimedCall): Promise<CallResult> {
  const { operation, input, key, scenario } = held.intent
  const client = await cli.client()
  try {
    const call = () =>
      client.call(operation, input, { idempotencyKey: key, ...(scenario !== null && { scenario }) })
    if (!isConfirmedAgain(cli, held)) return await call()
    const { confirmOnce } = await import('../../client/confirmed.ts')
    return await confirmOnce(client, operation, true, call)
  } catch (error) {
    const failure = classifyFailure(error)
    if (failure === 'refused' || (failure === 'unsent' && !held.resumed))
      await deletePendingRecord(cli, held.close)
    throw failure === 'unknown' ? withWayBack(error, cli) : error
  }
}

/**
 * Returns whether a call confirms a quote once more, and its answer is to be what became of it. A key of the user's own
 * gives the first answer again, as over HTTP, and `--wait` looks at what became of it by itself.
 */
function isConfirmedAgain({ globals }: CommandContext, { intent, resumed }: ClaimedCall): boolean {
  return (
    resumed &&
    globals.idempotencyKey === undefined &&
    !globals.wait &&
    typeof intent.input['quote_id'] === 'string'
  )
}

/** Makes a new call, or repeats an open one. A new purchase is confirmed first. */
export async function callOnce<T>(
  cli: CommandContext,
  said: unknown,
  call: IdempotentCall,
  {
    use,
    agree,
  }: { use: (answer: CallResult) => Promise<T>; agree?: (() => Promise<Money | undefined>) | undefined },
): Promise<T> {
  const open = await findOpenCall(cli, said)
  const held = open ?? (await recordNewCall(cli, said, agree ? { ...call, total: await agree() } : call))
  return makeCall(cli, held, use)
}

/** Returns whether the service may have forgotten the key of a call. `now` is the service's time. */
export function isTooOld({ service_time }: PendingCall, now: number): boolean {
  return now - service_time > MAX_AGE_MS
}

/** Returns `call of 14:02, £18.40`, with the date if it is not today's. */
function callOf({ service_time, total }: Pick<PendingCall, 'service_time' | 'total'>, now: number): string {
  const timezone = Temporal.Now.timeZoneId()
  const day = localDate(service_time, timezone)
  const date = localDate(now, timezone) === day ? '' : `${day} `
  const price = total === null ? '' : `, ${formatGroupedMoney(total)}`
  return `call of ${date}${localTime(service_time, timezone)}${price}`
}

function unresolved(intent: PendingCall): AppError {
  return new AppError(
    'call_unresolved',
    `This command was sent at ${toTimestamp(intent.service_time)} and got no response; that is too long ago for a safe retry. Nothing was sent now.`,
    {
      hint: `\`dray pending resolve ${intent.key}\` finds the result; --new runs the command again anyway.`,
      extra: { call_id: intent.key },
    },
  )
}

/** Returns the hash by which the call is found: profile, account, service, words and arguments. */
function placeOf({ settings, globals, spec }: CommandContext, said: unknown): string {
  const { profile, target } = settings
  const what = [
    [profile, shownTarget(target).address, target.account ?? null],
    [spec.words, said, globals.scenario ?? null, globals.idempotencyKey ?? null],
  ]
  return sha256Hex(canonicalJson(what)).slice(0, 32)
}

/** Adds a hint to repeat the command, which finds the call by itself. A key of the user's own must be typed again. */
function withWayBack(error: unknown, { globals }: CommandContext): unknown {
  if (!(error instanceof AppError) || globals.idempotencyKey !== undefined) return error
  // Errors such as those of a certificate or a disk have a better hint.
  const lost = error.code === 'network_error' && error.extra['idempotency_key'] !== undefined
  if (!lost && (error.hint !== undefined || error.code === 'rate_limited')) return error
  return new AppError(error.code, error.message, {
    hint: 'dray could not confirm the result. Run the same command again; it will not be carried out twice.',
    errors: error.errors,
    extra: error.extra,
    cause: error.cause,
  })
}
