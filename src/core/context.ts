/**
 * The arguments of an operation's `run`: the transaction, one reading of the clock, the caller, and the service's own
 * functions.
 */
import type { Account, Scope } from './account.ts'
import type { Tx } from './db.ts'
import type { ProblemFieldError } from './errors.ts'
import type { CallSource } from './origin.ts'
import type { WorldSettings } from './world.ts'

/** `name;key=value` of the Sandbox-Scenario header, parsed. */
export type RequestedScenario = { name: string; options: Record<string, string> }

/** Rules that the operator may switch on; all are off by default. */
export type Rules = {
  /** True if a customer may have only one ride at a time. */
  oneActiveRide: boolean
}

export type OperationContext = {
  tx: Tx
  /** Service time in milliseconds since the epoch, read once per request. */
  now: number
  account: Account
  /** The scopes of the caller's credential. */
  scopes: readonly Scope[]
  world: WorldSettings
  scenario: RequestedScenario | undefined
  origin: CallSource
  /** Opaque page positions, bound to the operation and its filters (docs/rules/requests.md#lists-are-walked-by-position). */
  cursor: PageRequest
  /** The rules that the operator of this service switched on. */
  rules: Rules
  /**
   * Validates a row of a batch as the input of an operation. Returns the input and all its errors; pointers start at
   * the row.
   */
  readRow(
    operation: string,
    row: Record<string, unknown>,
  ): Promise<{ input: Record<string, unknown>; errors: ProblemFieldError[] }>
  /** Validates a value by a JSON Schema that is data of the store. Returns its errors; pointers start at the value. */
  explain(schema: object, value: unknown): Promise<ProblemFieldError[]>
}

export type SortKey = string | number

export type PageRequest = {
  /** The sort keys of the last row of the page before; undefined on the first page. */
  after: SortKey[] | undefined
  limit: number
  /**
   * Returns the envelope of a list. Pass one row more than `limit`, so that it knows whether more follow. A scan that
   * ended before the page was full passes `scannedTo`, where the next page continues.
   */
  page<Row, T>(
    rows: Row[],
    keys: (row: Row) => SortKey[],
    toData: (row: Row) => T,
    scannedTo?: SortKey[],
  ): ResultPage<T>
}

export type ResultPage<T> = { data: T[]; has_more: boolean; next_cursor: string | null }
