/**
 * Carries out one request. The order of the checks is fixed (docs/rules/requests.md#the-order-of-the-checks): the caller gets the first error, the same
 * over every transport.
 */
import { recordOwnerSeen, recordFirstTokenUse } from '../areas/account/queries/accounts.ts'
import { serviceNow } from '../core/clock.ts'
import type { OperationContext } from '../core/context.ts'
import { AppError, toProblem } from '../core/errors.ts'
import { randomId } from '../core/ids.ts'
import { holdsNull, rowOperation, withoutNulls } from '../core/nulls.ts'
import { isFullView, applyViewOptions } from '../core/views.ts'
import { MAX_DUE_BATCH_EVENTS, type DueFilter } from '../db/timeline.ts'
import { loadWorld } from '../db/world.ts'
import { admitCaller, rowReader, transact } from './attempt.ts'
import type { GatewayCall } from './attempt.ts'
import type { CallFacts, GatewayDeps, CompiledOperation } from './deps.ts'
import { type Carry, carryHanded, type ForwardWrite, forwardWrite, isKeyed } from './forwarded-writes.ts'
import { toPublicError } from './public-error.ts'
import { findResourceStatus, toInFlight } from './replay.ts'
import type { CallOutcome } from './replay.ts'
import { readRequestInput } from './request.ts'
import type { GatewayResponse, GatewayRequest } from './request.ts'

/**
 * The longest time until the response, once the input has arrived. It is well below the 60 s that a request may take
 * to arrive.
 */
const CALL_MS = 30_000

export type Gateway = {
  /** Carries out one call. Never throws: a failure returns a problem document. */
  invoke(request: GatewayRequest): Promise<GatewayResponse>
  /** Carries out an attempt to write of another process. Never throws. */
  carry: Carry
}

/**
 * Makes a gateway, which carries out calls over every transport. With `hand` it hands attempts to write to the process that
 * writes for all.
 */
export function makeGateway(deps: GatewayDeps, hand?: ForwardWrite): Gateway {
  const gate: Gate = { deps: { ...deps, load: loadOnce(deps.load) }, readRow: rowReader(deps), hand }
  return {
    invoke: (request) => invoke(gate, request),
    carry: (...attempt) => carryHanded(gate.deps, gate.readRow, ...attempt),
  }
}

/** Importing a module again takes longer than to remember it. */
function loadOnce(load: GatewayDeps['load']): GatewayDeps['load'] {
  const known = new Map<string, CompiledOperation>()
  return async (name) => {
    const found = known.get(name) ?? (await load(name))
    if (found !== undefined) known.set(name, found)
    return found
  }
}

type Input = Readonly<Record<string, unknown>>

type Gate = { deps: GatewayDeps; readRow: OperationContext['readRow']; hand: ForwardWrite | undefined }

async function invoke(gate: Gate, request: GatewayRequest): Promise<GatewayResponse> {
  const { deps } = gate
  const requestId = request.requestId ?? randomId('req', deps.now(), deps.weakRandomBytes(10))
  const findings: CallFacts = { limits: {} }
  try {
    const loaded = await deps.load(request.operation)
    if (loaded === undefined)
      throw new AppError('route_not_found', `Unknown operation ${request.operation.slice(0, 60)}.`)
    let outcome: CallOutcome
    try {
      outcome = await carryOut(gate, loaded, { ...request, requestId }, findings)
    } finally {
      await endRefreshRepeat(deps, findings)
    }
    await recordPresence(deps, findings, requestId)
    const headers = Object.assign(commonHeaders(requestId, findings.time), findings.limits)
    headers['Content-Type'] = outcome.status < 400 ? 'application/json' : 'application/problem+json'
    if (outcome.location !== undefined) headers['Location'] = outcome.location
    if (outcome.replayed) headers['Idempotent-Replayed'] = 'true'
    const { status, body, state } = outcome
    return withFault({ status, headers, body, state }, request, findings)
  } catch (error) {
    const answer = toErrorResponse(asAppError(deps, error, requestId, request), requestId, findings.time)
    return withFault({ ...answer, headers: { ...answer.headers, ...findings.limits } }, request, findings)
  }
}

/** Adds how a fault loses the response. One that the caller named loses the first response to its key: clients send headers again. */
function withFault(
  answer: GatewayResponse,
  { fault }: GatewayRequest,
  { fault: drawn }: CallFacts,
): GatewayResponse {
  const isRepeat = fault !== undefined && answer.headers['Idempotent-Replayed'] === 'true'
  if (drawn === undefined || isRepeat) return answer
  const { status = answer.status, lost } = drawn
  return lost === undefined ? answer : { ...answer, lost, ...(lost === 'page' && { status }) }
}

/** Ends the time in which a refresh may be repeated, because its response has arrived. */
async function endRefreshRepeat({ db }: GatewayDeps, { unsettled }: CallFacts): Promise<void> {
  if (unsettled === undefined) return
  // A failed write must not fail the call; the next use of the token tries again.
  await db.write((tx) => recordFirstTokenUse(tx, unsettled)).catch(() => undefined)
}

/** Records in its own transaction that an owner is present. If that fails, the finished call still counts. */
async function recordPresence(deps: GatewayDeps, { owner }: CallFacts, requestId: string): Promise<void> {
  if (owner === undefined) return
  await deps.db
    .write((tx) => recordOwnerSeen(tx, owner.accountId, owner.now))
    .catch((error: unknown) => deps.onBug(error, requestId))
}

/** Returns a reader of rows that reports each row to the caller. */
function reporting(
  readRow: OperationContext['readRow'],
  { onRow }: GatewayRequest,
): OperationContext['readRow'] {
  if (onRow === undefined) return readRow
  return async (...row) => {
    const read = await readRow(...row)
    onRow()
    return read
  }
}

async function carryOut(
  { deps, readRow, hand }: Gate,
  loaded: CompiledOperation,
  request: GatewayRequest,
  findings: CallFacts,
): Promise<CallOutcome> {
  const { operation } = loaded
  // Over HTTP the credential is checked before the body is read. A request without a body is checked in its own
  // transaction.
  const early = request.http !== undefined && operation.method !== 'GET'
  if (early || deps.limiter !== undefined) await admitCaller(deps, operation, request, findings)
  const { input: given, misplaced } = await readRequestInput(operation, request)
  // First of all, so that a repeat without its nulls is the same call.
  const input = holdsNull(given) ? await dropNulls(deps, operation, given) : given
  const call: GatewayCall = {
    loaded,
    request,
    input,
    misplaced,
    readRow: reporting(readRow, request),
    findings,
  }
  const timeLeft = startCall(deps.now)

  let writing = operation.method !== 'GET'
  for (;;) {
    const totalMs = timeLeft()
    const attempt =
      writing && hand !== undefined
        ? forwardWrite(hand, deps, call, totalMs)
        : transact(deps, call, { writing, totalMs })
    const result = await attempt.catch((error: unknown) => {
      throw isKeyed(call) ? toInFlight(error) : error
    })
    if ('status' in result) return asWanted(input, result)
    if (result.kind === 'write') writing = true
    else if (result.kind === 'fault') {
      const { meetFaults } = await import('./faults.ts')
      await meetFaults(deps, request, findings, timeLeft())
    } else await drainBacklog(deps, result.due, timeLeft)
  }
}

/** Returns a success with as much of its body as the input asks for. */
function asWanted(input: Input, outcome: CallOutcome): CallOutcome {
  if (outcome.status >= 300 || isFullView(input)) return outcome
  const shown = applyViewOptions(input, JSON.parse(outcome.body))
  return { ...outcome, body: JSON.stringify(shown), state: findResourceStatus(shown) }
}

/**
 * Returns the input without fields that are null where their schema has no null, in its rows, too
 * (docs/rules/requests.md#null-counts-as-absent).
 */
async function dropNulls<V>(
  { load }: GatewayDeps,
  { input }: CompiledOperation['operation'],
  given: V,
): Promise<V> {
  const rows = rowOperation(input)
  const rowSchema = rows === undefined ? undefined : (await load(rows))?.operation.input
  return withoutNulls(input, given, rowSchema)
}

async function drainBacklog(deps: GatewayDeps, due: DueFilter, timeLeft: () => number): Promise<void> {
  let applied = MAX_DUE_BATCH_EVENTS
  while (applied >= MAX_DUE_BATCH_EVENTS) {
    applied = await deps.db.write(
      async (tx) => {
        const stored = await loadWorld(tx)
        const at = serviceNow(stored.clock, deps.now())
        return deps.drain({ tx, world: stored.world, at }, due, MAX_DUE_BATCH_EVENTS)
      },
      { totalMs: timeLeft() },
    )
  }
}

function asAppError(deps: GatewayDeps, error: unknown, requestId: string, request: GatewayRequest): AppError {
  // In process and without a token the caller owns the store, so the error may name the store and the cause.
  const { http, credential } = request
  const isOutside =
    http !== undefined ||
    (credential !== undefined && ('token' in credential || credential.scopes !== undefined))
  if (error instanceof AppError && (!isOutside || error.code === 'call_cancelled')) return error
  return toPublicError(error, requestId, deps.onBug)
}

/**
 * Starts the deadline of a call. Returns a function that returns the milliseconds left, or throws
 * `service_unavailable` when none are left. Setting the machine's clock back does not prolong the deadline.
 */
function startCall(now: () => number): () => number {
  const started = now()
  return () => {
    const left = Math.min(CALL_MS, CALL_MS - (now() - started))
    if (left > 0) return left
    throw new AppError(
      'service_unavailable',
      'The call took too long. Repeat it, with the same Idempotency-Key.',
    )
  }
}

/** Returns the response to an error: its problem document and headers. `time` is the service's, if known. */
export function toErrorResponse(
  error: AppError,
  requestId: string,
  time: string | undefined,
): GatewayResponse {
  const status = error.entry.status ?? 500
  return {
    status,
    headers: {
      ...commonHeaders(requestId, time),
      'Content-Type': 'application/problem+json',
      ...challenge(error),
      ...((error.code === 'idempotency_in_flight' || status === 503) && { 'Retry-After': '1' }),
    },
    body: JSON.stringify(toProblem(error, requestId)),
  }
}

/** Returns the headers of every response. `time` is the service's, if known. */
export function commonHeaders(requestId: string, time: string | undefined): Record<string, string> {
  const headers = { 'Request-Id': requestId, Environment: 'sandbox', 'Cache-Control': 'no-store' }
  return time === undefined ? headers : { ...headers, 'Service-Time': time }
}

/** Returns the `WWW-Authenticate` header. By RFC 6750 it has no error attribute when no credential was sent. */
function challenge(error: AppError): Record<string, string> {
  const realm = 'Bearer realm="dray"'
  if (error.code === 'missing_token') return { 'WWW-Authenticate': realm }
  if (error.code === 'invalid_token') return { 'WWW-Authenticate': `${realm}, error="invalid_token"` }
  if (error.code === 'insufficient_scope') {
    return {
      'WWW-Authenticate': `${realm}, error="insufficient_scope", scope="${String(error.extra['required_scope'])}"`,
    }
  }
  return {}
}
