/**
 * Attempts to write that one process hands to another, and what comes back; both travel as JSON. The processes that share
 * an SQLite store write through one of them: its writes share transactions, and nobody else empties what it keeps in memory.
 */
import { fromProblem, toProblem } from '../core/errors.ts'
import type { Route } from '../core/route.ts'
import { type Call, type Need, transact } from './attempt.ts'
import type { Findings, GatewayDeps } from './deps.ts'
import type { Outcome } from './replay.ts'
import type { Request } from './request.ts'
import { toVisible } from './visible.ts'

/** A call whose input was read, and the milliseconds that are left for it. */
type Handed = Pick<Call, 'input' | 'misplaced'> & {
  request: Omit<Request, 'input' | 'http' | 'beforeChange'>
  routes: readonly [string, Route][]
  totalMs: number
}

/** How the attempt ended, with what it found. A problem is as callers outside may see it. */
type Ended = { findings: Findings } & ({ result: Outcome | Need } | { problem: ReturnType<typeof toProblem> })

/** Has an attempt carried out by the process that writes. Never throws. */
export type Hand = (handed: Handed) => Promise<Ended>

/** Hands an attempt over. Returns as `transact` does, or throws the problem that the other process met. */
export async function handOver(
  hand: Hand,
  {
    request: { input: _input, http: _http, beforeChange, ...request },
    input,
    misplaced,
    routes,
    findings,
  }: Call,
  totalMs: number,
): Promise<Outcome | Need> {
  beforeChange?.()
  const ended = await hand({ request, input, misplaced, routes: [...routes], totalMs })
  const { time = findings.time, unsettled, owner } = ended.findings
  Object.assign(findings, { time, unsettled, owner })
  if ('result' in ended) return ended.result
  throw fromProblem(ended.problem) ?? new Error(ended.problem.detail)
}

/** Carries out an attempt of another process. Never throws. */
export async function carryHanded(
  deps: GatewayDeps,
  readRow: Call['readRow'],
  { request, input, misplaced, routes, totalMs }: Handed,
): Promise<Ended> {
  const findings: Findings = { limits: {} }
  try {
    const loaded = await deps.load(request.operation)
    if (loaded === undefined) throw new Error(`no operation ${request.operation}`)
    const call: Call = { loaded, request, input, misplaced, routes: new Map(routes), readRow, findings }
    return { findings, result: await transact(deps, call, { writing: true, totalMs }) }
  } catch (error) {
    // Paths and causes go to this process's log, under the id that the caller gets.
    return { findings, problem: toProblem(toVisible(error, request.requestId ?? '', deps.onBug)) }
  }
}
