/**
 * Attempts to write that one process hands to another, and what comes back; both travel as JSON. The processes that share
 * an SQLite store write through one of them: its writes share transactions, and no other process empties what it keeps in memory.
 */
import { AppError, fromProblem, toProblem } from '../core/errors.ts'
import { isRead } from '../core/operation.ts'
import { type GatewayCall, type RetryReason, transact } from './attempt.ts'
import type { CallFacts, GatewayDeps } from './deps.ts'
import { toPublicError } from './public-error.ts'
import type { CallOutcome } from './replay.ts'
import type { GatewayRequest } from './request.ts'

/** A call after its input was read, and the milliseconds that are left for it. */
type ForwardedCall = Pick<GatewayCall, 'input' | 'misplaced'> & {
  request: Omit<GatewayRequest, 'input' | 'http' | 'beforeChange' | 'onRow'>
  fault: CallFacts['fault']
  totalMs: number
}

/** The end of the attempt, with what it found. A problem is as callers outside may see it. */
type ForwardedResult = { findings: CallFacts } & (
  | { result: CallOutcome | RetryReason }
  | { problem: ReturnType<typeof toProblem> }
)

/**
 * Has an attempt carried out by the process that writes. While that process is silent it was not sent (`unsent`), or it
 * was and may be carried out or not (`unknown`). Never throws.
 */
export type ForwardWrite = (handed: ForwardedCall) => Promise<ForwardedResult | 'unsent' | 'unknown'>

/**
 * Hands an attempt over. Returns as `transact` does, or throws the problem that the other process met. While that process
 * is silent, this one carries it out: a key and a quote are safe to be carried out by both.
 */
export async function forwardWrite(
  hand: ForwardWrite,
  deps: GatewayDeps,
  call: GatewayCall,
  totalMs: number,
): Promise<CallOutcome | RetryReason> {
  const { input, misplaced, findings } = call
  const { input: _input, http: _http, onRow: _onRow, beforeChange, ...request } = call.request
  beforeChange?.()
  const ended = await hand({ request, input, misplaced, fault: findings.fault, totalMs })
  if (typeof ended === 'string') {
    if (ended === 'unsent' || isKeyed(call) || isRead(call.loaded.operation))
      return transact(deps, call, { writing: true, totalMs })
    throw new AppError(
      'service_unavailable',
      'The result of the call is unknown, and it had no Idempotency-Key. Check before you repeat it.',
    )
  }
  const { time = findings.time, unsettled, owner } = ended.findings
  Object.assign(findings, { time, unsettled, owner })
  if ('result' in ended) return ended.result
  throw fromProblem(ended.problem) ?? new Error(ended.problem.detail)
}

/** Returns whether a repeat of a call finds what it did. */
export function isKeyed({ loaded, request }: Pick<GatewayCall, 'loaded' | 'request'>): boolean {
  return request.idempotencyKey !== undefined && loaded.operation.idempotency !== 'none'
}

/** Thrown to undo an attempt that the other process may have given up: this process did not run for too long. */
export class Stale extends Error {
  constructor() {
    super('This process was stopped for a while')
  }
}

/**
 * Carries out an attempt of another process. `beforeChange` is called whenever a transaction of it begins, and may throw
 * `Stale`. Returns undefined if nothing was done because it was stale. Never throws.
 */
export type Carry = (handed: ForwardedCall, beforeChange: () => void) => Promise<ForwardedResult | undefined>

/** Carries out an attempt of another process: see `Carry`. */
export async function carryHanded(
  deps: GatewayDeps,
  readRow: GatewayCall['readRow'],
  ...[{ request: given, input, misplaced, fault, totalMs }, beforeChange]: Parameters<Carry>
): Promise<ForwardedResult | undefined> {
  const findings: CallFacts = { limits: {}, fault }
  const request = { ...given, beforeChange }
  try {
    const loaded = await deps.load(request.operation)
    if (loaded === undefined) throw new Error(`no operation ${request.operation}`)
    const call: GatewayCall = { loaded, request, input, misplaced, readRow, findings }
    return { findings, result: await transact(deps, call, { writing: true, totalMs }) }
  } catch (error) {
    if (error instanceof Stale) return undefined
    // Paths and causes go to this process's log, under the id that the caller gets.
    return { findings, problem: toProblem(toPublicError(error, request.requestId ?? '', deps.onBug)) }
  }
}
