/** The dependencies of the gateway, and what it learns of one call. */
import type { Rules } from '../core/context.ts'
import type { Db, Tx } from '../core/db.ts'
import type { AnyOperation } from '../core/operation.ts'
import type { Route, Way } from '../core/route.ts'
import type { Due } from '../store/timeline.ts'
import type { StoredWorld } from '../store/world.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { Check } from './validation.ts'

/** An operation with its compiled validator. */
export type Loaded = { operation: AnyOperation; check: Check }

export type GatewayDeps = {
  db: Db
  /** The machine's clock, milliseconds since the epoch. */
  now(): number
  /** Names requests; need not be secret. */
  weakRandomBytes(bytes: number): Uint8Array
  /** The registry: the operation of that name and its compiled validator, or undefined. */
  load(name: string): Promise<Loaded | undefined>
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

/** Findings of a call on its way: for the headers of its response, and for what is recorded after it. */
export type Findings = {
  time?: string
  /** What is left of the caller's share. */
  limits: Record<string, string>
  /** The SHA-256 of the caller's token, when it is its first use since a refresh. */
  unsettled?: string | undefined
  /** The owner of stores whose presence is to be recorded. */
  owner?: { accountId: string; now: number } | undefined
}
