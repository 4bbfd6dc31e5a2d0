/** Carries out a call in one transaction: checks 7 to 11, and the effect. Only this module calls `operation.run`. */
import type { Account, Scope } from '../core/account.ts'
import type { OperationContext, Rules } from '../core/context.ts'
import type { Tx } from '../core/db.ts'
import { AppError, toProblem } from '../core/errors.ts'
import type { ProblemFieldError } from '../core/errors.ts'
import type { Fault } from '../core/fault.ts'
import { assertKnownFields } from '../core/fields.ts'
import { invalidRequest } from '../core/invalid-request.ts'
import { JsonText } from '../core/json-text.ts'
import type { AnyOperation } from '../core/operation.ts'
import { parseCallSource } from '../core/origin.ts'
import { toTimestamp } from '../core/time.ts'
import { storeAnswer } from '../db/idempotency.ts'
import type { IdempotencyScope } from '../db/idempotency.ts'
import { MAX_DUE_BATCH_EVENTS, type DueFilter } from '../db/timeline.ts'
import { loadWorld, type StoredWorld } from '../db/world.ts'
import { authenticate, resolveCaller } from './credential.ts'
import { makeCursor } from './cursor.ts'
import type { CallFacts, GatewayDeps, CompiledOperation } from './deps.ts'
import { findOutcome, fingerprint, findResourceStatus } from './replay.ts'
import type { CallOutcome } from './replay.ts'
import { readIdempotencyKey } from './request.ts'
import type { GatewayRequest } from './request.ts'
import { requireEntitlement, requireScope } from './requirements.ts'
import { parseScenarioHeader } from './scenario.ts'
import { locateFieldErrors, validateInput } from './validation.ts'

/** The presence of a store's owner is written at most once in this time. */
const PRESENT_MS = 300_000

const NO_RULES: Rules = { oneActiveRide: false }

type Input = Record<string, unknown>

/** A call before its transaction begins. */
export type GatewayCall = {
  loaded: CompiledOperation
  request: GatewayRequest
  input: Input
  misplaced: ProblemFieldError[]
  readRow: OperationContext['readRow']
  findings: CallFacts
}

/** The step that a call needs before its next attempt, in a new transaction. */
export type RetryReason =
  /** Events are due, but the transaction is read-only. */
  | { kind: 'write' }
  /** Events are due that transactions of their own must apply. */
  | { kind: 'drain'; due: DueFilter }
  /** A fault on order may hit the call. */
  | { kind: 'fault' }

/**
 * Thrown to leave a transaction, with the step that the call needs first. It must be thrown, because the store rolls
 * back only when its work throws. `transact` catches it and returns the step.
 */
class RetryNeededError extends Error {
  readonly need: RetryReason

  constructor(need: RetryReason) {
    super(`the call needs something first: ${need.kind}`)
    this.need = need
  }
}

/** Thrown to undo a call if its key has a response already. */
class KeyReplayedError extends Error {}

/**
 * Attempts a call in one transaction. Returns its outcome, or the step it needs first; in that case nothing was
 * written.
 */
export async function transact(
  deps: GatewayDeps,
  call: GatewayCall,
  { writing, totalMs }: { writing: boolean; totalMs: number },
): Promise<CallOutcome | RetryReason> {
  const carry = async (tx: Tx): Promise<CallOutcome> => {
    // The caller may have left while this waited for its turn to write.
    if (writing) call.request.beforeChange?.()
    return attempt(deps, tx, writing, call)
  }
  try {
    return await (writing
      ? deps.db.write(carry, { totalMs })
      : // The first statement reads the caller, and may be answered a moment before the others.
        deps.db.read(carry, { totalMs, firstStatementOutsideTransaction: true }))
  } catch (error) {
    if (error instanceof RetryNeededError) return error.need
    throw error
  }
}

/** Returns a validator of rows. It looks each operation up once, because batches check many rows. */
export function rowReader(deps: GatewayDeps): OperationContext['readRow'] {
  const found = new Map<string, ReturnType<GatewayDeps['load']>>()
  return async (name, row) => {
    const loading = found.get(name) ?? deps.load(name)
    found.set(name, loading)
    const loaded = await loading
    if (loaded === undefined) throw new Error(`no operation ${name}`)
    return validateInput(loaded, row)
  }
}

/** Does checks 2 to 4, once for each request, even if its transaction is repeated. */
export async function admitCaller(
  deps: GatewayDeps,
  operation: AnyOperation,
  request: GatewayRequest,
  findings: CallFacts,
): Promise<void> {
  const limiter = request.uncounted === true ? undefined : deps.limiter
  const policy = limiter?.policy(operation.createsTransaction)
  if (policy !== undefined) findings.limits['RateLimit-Policy'] = policy
  const { account, scopes } = await deps.db.read((tx) => identify(deps, tx, request, findings), {
    firstStatementOutsideTransaction: true,
  })
  if (limiter !== undefined && policy !== undefined) {
    const { remaining, over } = await limiter.take(account.account_id, operation.createsTransaction)
    findings.limits['RateLimit'] = remaining
    if (over !== undefined) refuseFurther(findings, over)
  }
  requireScope(operation, scopes)
}

/** Throws the refusal of one call too many, which may be made again after `wait` seconds. */
export function refuseFurther(
  { limits }: CallFacts,
  { detail, wait }: { detail: string; wait: number },
): never {
  limits['Retry-After'] = String(wait)
  throw new AppError('rate_limited', detail, {
    extra: { retry_after_seconds: wait },
    hint: `Try again in ${wait} s.`,
  })
}

type Caller = {
  stored: StoredWorld
  now: number
  account: Account
  scopes: readonly Scope[]
  /** True if events of the account are due. */
  isDue: boolean
}

/** Authenticates the caller and reads the service's time. */
async function identify(
  deps: GatewayDeps,
  tx: Tx,
  { credential, http }: GatewayRequest,
  findings: CallFacts,
): Promise<Caller> {
  const sought = await resolveCaller(tx, credential, deps.now())
  const { stored, now, nextDue = Infinity } = sought
  findings.time = serviceTime(stored, now)
  const { account, scopes, unsettled } = authenticate(credential, sought)
  findings.unsettled = unsettled
  http?.onCaller?.(account.account_id)
  return { stored, now, account, scopes, isDue: nextDue <= now }
}

async function attempt(deps: GatewayDeps, tx: Tx, writing: boolean, call: GatewayCall): Promise<CallOutcome> {
  const { operation } = call.loaded
  const caller = await identify(deps, tx, call.request, call.findings)
  requireScope(operation, caller.scopes)
  if (mayMeetFaults(call, caller.stored)) throw new RetryNeededError({ kind: 'fault' })
  const prepare = (): Promise<() => Promise<CallOutcome>> => check(deps, { tx, writing }, call, caller)
  const scope = idempotencyScope(operation, call.request, caller.account)
  return scope === undefined
    ? (await prepare())()
    : carryOutOnce({ tx, now: caller.now }, scope, call, prepare)
}

/** Returns whether injected faults concern a call, and were not drawn yet. */
function mayMeetFaults({ loaded, request, findings }: GatewayCall, { faults = [] }: StoredWorld): boolean {
  if (findings.fault !== undefined || request.silent === true) return false
  return request.fault !== undefined || faults.some((fault) => concerns(fault, loaded.operation.name))
}

/** Returns whether calls of an operation may still meet a fault. */
export function concerns({ operation, times, hits }: Fault, name: string): boolean {
  return (operation === null || operation === name) && (times === null || hits < times)
}

/** Does checks 8 and 9, and applies what is due (docs/rules/requests.md#entitlements-are-read-live). Returns what carries the call out. */
async function check(
  deps: GatewayDeps,
  { tx, writing }: { tx: Tx; writing: boolean },
  call: GatewayCall,
  caller: Caller,
): Promise<() => Promise<CallOutcome>> {
  const { operation } = call.loaded
  const { now, account } = caller
  // The membership changes with the clock too, and decides about this call. Its due events run in a transaction of
  // their own. A transaction that applied events holds the counters, and must not wait for the call's locks.
  if (caller.isDue) throw new RetryNeededError({ kind: 'drain', due: { resource: account.account_id } })

  requireEntitlement(operation, account, now)
  const { input, scenario, cursor } = await checkInput(tx, call, caller)
  await applyDue(deps, { tx, writing }, { operation, input }, caller)

  if (call.request.silent !== true) call.findings.owner = ownerToRecord(operation, account, now)
  const { payments } = call.findings.fault ?? {}
  const { world } = caller.stored
  const context: OperationContext = {
    tx,
    now,
    account,
    scopes: caller.scopes,
    world: payments === undefined ? world : { ...world, payments },
    scenario,
    origin: parseCallSource(call.request.via),
    cursor,
    readRow: call.readRow,
    explain: async (schema, value) =>
      (await import('./validation-details.ts')).listFieldErrors(schema, value),
    rules: deps.rules ?? NO_RULES,
  }
  return async () =>
    succeed(operation, (await operation.run(context, input)) as Record<string, unknown> | JsonText<unknown>)
}

/**
 * Carries a call out, unless one with its key was answered, whose response it returns
 * (docs/rules/idempotency.md#effect-and-response-are-stored-together). The call does not wait for the
 * search for that response, which on PostgreSQL travels with its first statements: what it wrote is undone if there is one.
 */
async function carryOutOnce(
  { tx, now }: { tx: Tx; now: number },
  scope: IdempotencyScope,
  { loaded, request, input }: GatewayCall,
  prepare: () => Promise<() => Promise<CallOutcome>>,
): Promise<CallOutcome> {
  const print = fingerprint(loaded.operation, input)
  const earlier = findOutcome(tx, scope, print, now).then(
    (outcome) => outcome && (() => outcome),
    (error: unknown) => (): never => {
      throw error
    },
  )
  const assertFirst = async (): Promise<void> => {
    if ((await earlier) !== undefined) throw new KeyReplayedError(`the key ${scope.key} was used before`)
  }
  try {
    const run = await prepare()
    const outcome = await orRefusal(tx, request.requestId, async () => {
      const done = await run()
      await assertFirst()
      return done
    })
    // A refusal counts only of the first call, too.
    await assertFirst()
    const { status, location, body } = outcome
    await storeAnswer(tx, scope, { fingerprint: print, status, location, body, completed_at: now })
    return outcome
  } catch (error) {
    const answer = await earlier
    // Any other error may have come between the changes of a due event, such as a refund: the transaction must be undone.
    const isWhole =
      error instanceof KeyReplayedError || error instanceof AppError || error instanceof RetryNeededError
    if (answer === undefined || !isWhole) throw error
    return answer()
  }
}

function idempotencyScope(
  operation: AnyOperation,
  { idempotencyKey }: GatewayRequest,
  { account_id }: Account,
): IdempotencyScope | undefined {
  const key = readIdempotencyKey(operation, idempotencyKey)
  return key === undefined ? undefined : { account_id, operation: operation.name, key }
}

/** Does check 9: reports all faults of the input together. */
async function checkInput(
  tx: Tx,
  { loaded, request, input: given, misplaced }: GatewayCall,
  { stored, account }: Caller,
): Promise<{ input: Input } & Pick<OperationContext, 'scenario' | 'cursor'>> {
  const { operation } = loaded
  const { input, errors } = await validateInput(loaded, given)
  const all = [...misplaced, ...locateFieldErrors(operation, errors)]
  if (all.length > 0) throw invalidRequest(all)
  const { fields } = input
  if (typeof fields === 'string')
    assertKnownFields(
      operation.output,
      fields,
      operation.method === 'GET' ? { parameter: 'fields' } : { pointer: '/fields' },
    )
  const scenario = parseScenarioHeader(request.scenario, operation)
  // The caller was read a moment before the rows of the page, and the store may have been replaced since.
  const source = input['cursor'] === undefined ? stored : await loadWorld(tx)
  return { input, scenario, cursor: makeCursor(operation, input, account.account_id, source) }
}

/** Applies the due events of the resources that the call uses (docs/rules/simulation.md#what-a-call-touches-is-up-to-date). */
async function applyDue(
  deps: GatewayDeps,
  { tx, writing }: { tx: Tx; writing: boolean },
  { operation, input }: { operation: AnyOperation; input: Input },
  { stored, now, account }: Caller,
): Promise<void> {
  const touches = operation.touches(input, { account })
  if (touches === undefined || !(await deps.hasDue(tx, now, touches))) return
  if (!writing) throw new RetryNeededError({ kind: 'write' })
  // A transaction that applied events holds the world's row. A confirm must lock quote, account and store before
  // that row, and a change of several resources must lock these.
  if (operation.createsTransaction || operation.locksSeveral === true)
    throw new RetryNeededError({ kind: 'drain', due: touches })
  if (
    (await deps.drain({ tx, world: stored.world, at: now }, touches, MAX_DUE_BATCH_EVENTS)) >=
    MAX_DUE_BATCH_EVENTS
  )
    throw new RetryNeededError({ kind: 'drain', due: touches })
}

/**
 * Runs the operation. A final refusal rolls back its writes and becomes the stored response, which a repeat gets
 * again (docs/rules/idempotency.md#final-refusals-are-stored-too).
 */
async function orRefusal(
  tx: Tx,
  requestId: string | undefined,
  run: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  try {
    return await tx.savepoint(run)
  } catch (error) {
    if (!(error instanceof AppError) || error.entry.retryable || !isBusinessRefusal(error)) throw error
    return { status: error.entry.status ?? 500, body: JSON.stringify(toProblem(error, requestId)) }
  }
}

/** Returns whether the error is a refusal by checks 10 and 11: status 402, 404, 409 or 422. */
function isBusinessRefusal({ entry }: AppError): boolean {
  return entry.status === 402 || entry.status === 404 || entry.status === 409 || entry.status === 422
}

function succeed(operation: AnyOperation, output: Record<string, unknown> | JsonText<unknown>): CallOutcome {
  if (output instanceof JsonText) return { status: operation.status, body: output.text }
  const location = operation.location?.replace(/\{(\w+)\}/g, (_, name: string) => String(output[name]))
  return {
    status: operation.status,
    body: JSON.stringify(output),
    location,
    state: findResourceStatus(output),
  }
}

/** Returns the calling owner of stores, if the owner's presence was not recorded recently. */
function ownerToRecord({ entitlement }: AnyOperation, account: Account, now: number): CallFacts['owner'] {
  const { account_id: accountId, businessSeenAt = 0 } = account
  return entitlement === 'business_agreement' && now - businessSeenAt > PRESENT_MS
    ? { accountId, now }
    : undefined
}

/** Returns the `Service-Time` header: `<instant>;mode=running|frozen`. */
export function serviceTime(stored: StoredWorld, now: number): string {
  return `${toTimestamp(now)};mode=${stored.clock.mode === 'frozen' ? 'frozen' : 'running'}`
}
