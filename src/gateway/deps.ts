/** The dependencies of the gateway, and the facts that it learns about one call. */
import type { Rules } from '../core/context.ts'
import type { Db, Tx } from '../core/db.ts'
import type { SampledFaults } from '../core/fault.ts'
import type { AnyOperation } from '../core/operation.ts'
import type { ChangeContext } from '../db/lifecycle.ts'
import type { DueFilter } from '../db/timeline.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { InputValidator } from './validation.ts'

/** An operation with its compiled validator. */
export type CompiledOperation = { operation: AnyOperation; check: InputValidator }

export type GatewayDeps = {
  db: Db
  /** The machine's clock, milliseconds since the epoch. */
  now(): number
  /** Random bytes for request ids, which need not be secret. */
  weakRandomBytes(bytes: number): Uint8Array
  /** Returns the operation with this name and its compiled validator, or undefined. */
  load(name: string): Promise<CompiledOperation | undefined>
  /** Applies due events. Its module is loaded only when something is due. */
  drain(scene: ChangeContext, due: DueFilter, limit: number): Promise<number>
  hasDue(tx: Tx, now: number, due: DueFilter): Promise<boolean>
  rules?: Rules | undefined
  /** The rate limiter; without it there is no limit. */
  limiter?: RateLimiter | undefined
  /** Waits for milliseconds of the machine's time: a fault of the sandbox. */
  sleep?: (ms: number) => Promise<void>
  /** Called with each error outside the closed table, and the id of its request. */
  onBug(error: unknown, requestId: string): void
}

/** Facts that are found while a call runs: for the headers of its response, and for the writes after it. */
export type CallFacts = {
  time?: string
  /** The `RateLimit` headers of the response. */
  limits: Record<string, string>
  /** The faults of the sandbox that hit the call, once they are drawn. */
  fault?: SampledFaults | undefined
  /** The SHA-256 of the caller's access token, on its first use after a refresh. */
  unsettled?: string | undefined
  /** The owner of stores; its presence will be recorded. */
  owner?: { accountId: string; now: number } | undefined
}
