/**
 * One request's way in, and the only caller of `operation.run`. The order of the checks is `contract.md` A1:
 * whatever is refused first is what the caller hears, over every transport alike.
 */
import { noteOwnerSeen, settleToken } from '../areas/account/store.ts'
import type { Account, Scope } from '../core/account.ts'
import type { Context, Rules } from '../core/context.ts'
import type { Db, Tx } from '../core/db.ts'
import { AppError, toProblem } from '../core/errors.ts'
import type { FieldError } from '../core/errors.ts'
import { randomId } from '../core/ids.ts'
import type { AnyOperation, Touches } from '../core/operation.ts'
import { formulaRoute, type Route, type Way } from '../core/route.ts'
import { toTimestamp } from '../core/time.ts'
import { serviceNow } from '../sandbox/clock.ts'
import { storeAnswer } from '../store/idempotency.ts'
import type { Due } from '../store/timeline.ts'
import { loadWorld } from '../store/world.ts'
import type { StoredWorld } from '../store/world.ts'
import { authenticate } from './credential.ts'
import { makeCursor } from './cursor.ts'
import type { RateLimiter } from './rate-limit.ts'
import { claim, fingerprint, toInFlight } from './replay.ts'
import type { Outcome } from './replay.ts'
import { invalidRequest, readIdempotencyKey, readInput } from './request.ts'
import type { Answer, Request } from './request.ts'
import { requireEntitlement, requireScope } from './requirements.ts'
import { parseScenario } from './scenario.ts'
import { locate, validate } from './validation.ts'
import type { Check } from './validation.ts'
import { toVisible } from './visible.ts'

/** Due events applied in one transaction; what is due beyond that runs in transactions of its own, before. */
const BATCH = 500

/** A call is answered within this time once its input has arrived: well below the 60 s that a request may take to arrive. */
const CALL_MS = 30_000
/** The presence of a store's owner is recorded no more often than this. */
const PRESENT_MS = 300_000

const NO_RULES: Rules = { oneActiveRide: false }

export type GatewayParts = {
  db: Db
  /** The machine's clock, milliseconds since the epoch. */
  now(): number
  /** Names requests; need not be secret. */
  noise(bytes: number): Uint8Array
  /** The registry: the operation of that name and its compiled validator, or undefined. */
  load(name: string): Promise<{ operation: AnyOperation; check: Check } | undefined>
  /** Applies what is due; loaded only when something is. */
  drain(tx: Tx, stored: StoredWorld, now: number, due: Due, limit: number): Promise<number>
  hasDue(tx: Tx, now: number, due: Due): Promise<boolean>
  /** Asks a route engine that is a service of its own, outside of any transaction; the formula is used without one. */
  askRoute?: ((way: Way) => Promise<Route>) | undefined
  rules?: Rules | undefined
  /** How much an account may ask for; without it as much as it likes. */
  limiter?: RateLimiter | undefined
  /** Told about errors that are not of the closed table, with the request they happened in. */
  onBug(error: unknown, requestId: string): void
}

export type Gateway = {
  /** Carries out one call. Never throws: a failure is an answer with a problem document. */
  invoke(request: Request): Promise<Answer>
}

/** What the headers of an answer say besides: its time, and what is left of the caller's share. */
type Told = {
  time?: string
  limits: Record<string, string>
  /** The SHA-256 of the caller's token, when it is its first use since a refresh. */
  unsettled?: string | undefined
  /** The owner of stores whose presence is to be recorded. */
  owner?: { accountId: string; now: number } | undefined
}

type Loaded = { operation: AnyOperation; check: Check }
type Input = Record<string, unknown>

/** Thrown inside a transaction that only reads to leave it: something is due. */
class MustWrite extends Error {}

/** Thrown inside a transaction to leave it: the route engine is to be asked first. */
class MustAsk extends Error {
  readonly way: Way

  constructor(way: Way) {
    super('the route engine is to be asked')
    this.way = way
  }
}

/** Thrown inside a transaction to leave it: something is due that other transactions should carry. */
class Backlog extends Error {
  readonly due: Due

  constructor(due: Due) {
    super('something is due that other transactions should carry')
    this.due = due
  }
}

export function makeGateway(parts: GatewayParts): Gateway {
  const { db } = parts

  async function invoke(request: Request): Promise<Answer> {
    const requestId = request.requestId ?? randomId('req', parts.now(), parts.noise(10))
    const told: Told = { limits: {} }
    try {
      const loaded = await parts.load(request.operation)
      if (loaded === undefined)
        throw new AppError('route_not_found', `There is no operation ${request.operation.slice(0, 60)}.`)
      let outcome: Outcome
      try {
        outcome = await carryOut(loaded, { ...request, requestId }, told)
      } finally {
        await settle(told)
      }
      await notePresence(told, requestId)
      return {
        status: outcome.status,
        headers: {
          ...commonHeaders(requestId, told.time),
          ...told.limits,
          'Content-Type': outcome.status < 400 ? 'application/json' : 'application/problem+json',
          ...(outcome.location !== undefined && { Location: outcome.location }),
          ...(outcome.replayed && { 'Idempotent-Replayed': 'true' }),
        },
        body: outcome.body,
      }
    } catch (error) {
      const answer = failure(asAppError(error, requestId, request), requestId, told.time)
      return { ...answer, headers: { ...answer.headers, ...told.limits } }
    }
  }

  /** Ends the time in which a refresh may be repeated: its answer has arrived. */
  async function settle({ unsettled }: Told): Promise<void> {
    if (unsettled === undefined) return
    // A call does not fail for this; the next use of the token does it again.
    await db.write((tx) => settleToken(tx, unsettled)).catch(() => undefined)
  }

  async function carryOut(loaded: Loaded, request: Request, told: Told): Promise<Outcome> {
    const { operation } = loaded
    // Over HTTP the credential is checked before the body is read; where there is none, its own transaction checks it.
    const early = request.http !== undefined && operation.method !== 'GET'
    if (early || parts.limiter !== undefined) await admitCaller(operation, request, told)
    const { input, misplaced } = await readInput(operation, request)
    const routes = new Map<string, Route>()
    const call = { loaded, request, input, misplaced, routes, told }
    const timeLeft = startCall(parts.now)

    for (let writing = operation.method !== 'GET'; ;) {
      try {
        const carry = (tx: Tx): Promise<Outcome> => attempt(tx, writing, call)
        const limits = { totalMs: timeLeft() }
        return await (writing ? db.write(carry, limits) : db.read(carry, limits))
      } catch (error) {
        if (error instanceof MustWrite) writing = true
        else if (error instanceof Backlog) await drainBacklog(error.due, timeLeft)
        else if (error instanceof MustAsk) routes.set(nameOf(error.way), await ask(error.way))
        else throw isKeyed(call) ? toInFlight(error) : error
      }
    }
  }

  /** Records in a transaction of its own that an owner runs the stores; a call that is done stays done if that fails. */
  async function notePresence({ owner }: Told, requestId: string): Promise<void> {
    if (owner === undefined) return
    await db
      .write((tx) => noteOwnerSeen(tx, owner.accountId, owner.now))
      .catch((error: unknown) => parts.onBug(error, requestId))
  }

  /** Checks 2 to 4, once for each request however often its transaction is begun. */
  async function admitCaller(operation: AnyOperation, request: Request, told: Told): Promise<void> {
    const { limiter } = parts
    const policy = limiter?.policy(operation.createsTransaction)
    if (policy !== undefined) told.limits['RateLimit-Policy'] = policy
    const { account, scopes } = await db.read((tx) => identify(tx, request, told))
    if (limiter !== undefined && policy !== undefined) {
      const { remaining, over } = await limiter.take(account.account_id, operation.createsTransaction)
      told.limits['RateLimit'] = remaining
      if (over !== undefined) {
        told.limits['Retry-After'] = String(over.wait)
        throw new AppError('rate_limited', over.detail, { hint: `Try again in ${over.wait} s.` })
      }
    }
    requireScope(operation, scopes)
  }

  /** Whose request it is, at what time. */
  async function identify(
    tx: Tx,
    { credential, http }: Request,
    told: Told,
  ): Promise<{ stored: StoredWorld; now: number; account: Account; scopes: readonly Scope[] }> {
    const stored = await loadWorld(tx)
    const now = serviceNow(stored.clock, parts.now())
    told.time = serviceTime(stored, now)
    const { account, scopes, unsettled } = await authenticate(tx, credential, now)
    told.unsettled = unsettled
    http?.onCaller?.(account.account_id)
    return { stored, now, account, scopes }
  }

  /** What of a call is known before its transaction. */
  type Call = {
    loaded: Loaded
    request: Request
    input: Input
    misplaced: FieldError[]
    /** What the route engine has answered to it so far. */
    routes: Map<string, Route>
    told: Told
  }

  /** One transaction's worth: checks 7 to 11, and the effect. */
  async function attempt(tx: Tx, writing: boolean, call: Call): Promise<Outcome> {
    const { loaded, request, input: given, misplaced, routes, told } = call
    const { operation } = loaded
    const { stored, now, account, scopes } = await identify(tx, request, told)
    requireScope(operation, scopes)

    const key = readIdempotencyKey(operation, request.idempotencyKey)
    const scope =
      key === undefined ? undefined : { account_id: account.account_id, operation: operation.name, key }
    if (scope !== undefined) {
      const before = await claim(tx, scope, fingerprint(operation, given), now)
      if (before !== undefined) return before
    }

    // The membership moves with the clock too, and decides about this very call. What is due for it comes in a
    // transaction of its own: one that applied something holds the counters, and should not wait for what it touches.
    const own = { resource: account.account_id }
    if (await parts.hasDue(tx, now, own)) throw new Backlog(own)

    requireEntitlement(operation, account, now)
    const { input, errors } = await validate(loaded, given)
    const all = [...misplaced, ...locate(operation, errors)]
    if (all.length > 0) throw invalidRequest(all)
    const scenario = parseScenario(request.scenario, operation)
    const cursor = makeCursor(operation, input, account.account_id, stored.cursorKey)

    const touches: Touches = operation.touches(input, { account })
    if (touches !== undefined && (await parts.hasDue(tx, now, touches))) {
      if (!writing) throw new MustWrite()
      // What applied something holds the world's row, before which a confirm locks quote, account and store.
      if (operation.createsTransaction) throw new Backlog(touches)
      if ((await parts.drain(tx, stored, now, touches, BATCH)) >= BATCH) throw new Backlog(touches)
    }

    told.owner = ownerToRecord(operation, account, now)
    const context: Context = {
      tx,
      now,
      account,
      world: stored.world,
      scenario,
      cursor,
      readRow,
      explain: async (schema, value) => (await import('./validation-details.ts')).findFaults(schema, value),
      route: (way) => routeOf(way, routes),
      rules: parts.rules ?? NO_RULES,
    }
    const run = async (): Promise<Outcome> =>
      succeed(operation, (await operation.run(context, input)) as Record<string, unknown>)
    if (scope === undefined) return run()
    const outcome = await orRefusal(tx, request.requestId, run)
    await storeAnswer(tx, scope, {
      status: outcome.status,
      location: outcome.location,
      body: outcome.body,
      completed_at: now,
    })
    return outcome
  }

  /** Batches check every row: the validator is looked up once. */
  const checks = new Map<string, Promise<Loaded | undefined>>()
  async function readRow(name: string, row: Input) {
    const found = checks.get(name) ?? parts.load(name)
    checks.set(name, found)
    const loaded = await found
    if (loaded === undefined) throw new Error(`no operation ${name}`)
    return validate(loaded, row)
  }

  /** What is known of a way by now; leaves the transaction where that is nothing. */
  function routeOf(way: Way, routes: ReadonlyMap<string, Route>): Route {
    if (parts.askRoute === undefined) return formulaRoute(way)
    const known = routes.get(nameOf(way))
    if (known === undefined) throw new MustAsk(way)
    return known
  }

  function ask(way: Way): Route | Promise<Route> {
    return parts.askRoute?.(way) ?? formulaRoute(way)
  }

  async function drainBacklog(due: Due, timeLeft: () => number): Promise<void> {
    let applied = BATCH
    while (applied >= BATCH) {
      applied = await db.write(
        async (tx) => {
          const stored = await loadWorld(tx)
          return parts.drain(tx, stored, serviceNow(stored.clock, parts.now()), due, BATCH)
        },
        { totalMs: timeLeft() },
      )
    }
  }

  function asAppError(error: unknown, requestId: string, request: Request): AppError {
    // In process, without a token, it is whoever keeps the store who calls, and is told where it lies and what is wrong.
    const outside = request.http !== undefined || (request.credential && 'token' in request.credential)
    if (error instanceof AppError && outside !== true) return error
    return toVisible(error, requestId, parts.onBug)
  }

  return { invoke }
}

/**
 * Starts the time of a call; the function it gives returns what is left of it. That throws `service_unavailable` when
 * nothing is left; a machine's clock that is set back does not make it longer.
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

function nameOf({ points, vehicle }: Way): string {
  return JSON.stringify([vehicle, points])
}

function isKeyed({ loaded, request }: { loaded: Loaded; request: Request }): boolean {
  return request.idempotencyKey !== undefined && loaded.operation.idempotency !== 'none'
}

/** Runs; a final refusal undoes what the run wrote and becomes the answer that a repeat will hear again (A7). */
async function orRefusal(
  tx: Tx,
  requestId: string | undefined,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await tx.savepoint(run)
  } catch (error) {
    if (!(error instanceof AppError) || error.entry.retryable || !isBusinessRefusal(error)) throw error
    return { status: error.entry.status ?? 500, body: JSON.stringify(toProblem(error, requestId)) }
  }
}

/** The refusals of checks 10 and 11: 402, 404, 409 and 422. */
function isBusinessRefusal({ entry }: AppError): boolean {
  return entry.status === 402 || entry.status === 404 || entry.status === 409 || entry.status === 422
}

function succeed(operation: AnyOperation, output: Record<string, unknown>): Outcome {
  const location = operation.location?.replace(/\{(\w+)\}/g, (_, name: string) => String(output[name]))
  return { status: operation.status, body: JSON.stringify(output), location }
}

/** The owner of stores who makes a call, when that was not recorded for a while. */
function ownerToRecord({ entitlement }: AnyOperation, account: Account, now: number): Told['owner'] {
  const { account_id: accountId, businessSeenAt = 0 } = account
  return entitlement === 'business_agreement' && now - businessSeenAt > PRESENT_MS
    ? { accountId, now }
    : undefined
}

export function failure(error: AppError, requestId: string, time: string | undefined): Answer {
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

export function commonHeaders(requestId: string, time: string | undefined): Record<string, string> {
  return {
    'Request-Id': requestId,
    Environment: 'sandbox',
    'Cache-Control': 'no-store',
    ...(time !== undefined && { 'Service-Time': time }),
  }
}

/** RFC 6750: no error attribute when no credential was sent. */
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

export function serviceTime(stored: StoredWorld, now: number): string {
  return `${toTimestamp(now)};mode=${stored.clock.mode === 'frozen' ? 'frozen' : 'running'}`
}
