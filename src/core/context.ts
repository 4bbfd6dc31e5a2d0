/** What an operation's `run` is handed: the transaction, one reading of the clock, the caller, and the service's own tools. */
import type { Account } from './account.ts'
import type { Tx } from './db.ts'
import type { FieldError } from './errors.ts'
import type { Route, Way } from './route.ts'
import type { World } from './world.ts'

/** `name;key=value` of the Sandbox-Scenario header, parsed. */
export type Scenario = { name: string; options: Record<string, string> }

/** Configuration; all of it off by default. */
export type Rules = {
  /** A customer may have one ride at a time only. */
  oneActiveRide: boolean
}

export type Context = {
  tx: Tx
  /** Service time in milliseconds since the epoch, read once per request. */
  now: number
  account: Account
  world: World
  scenario: Scenario | undefined
  /** Opaque page positions, bound to the operation and its filters (`contract.md` A6). */
  cursor: Cursor
  /** What the operator of this service has decided. */
  rules: Rules
  /** Reads a row of a batch as the input of an operation, with everything that is wrong with it; pointers start at the row. */
  readRow(
    operation: string,
    row: Record<string, unknown>,
  ): Promise<{ input: Record<string, unknown>; errors: FieldError[] }>
  /** What is wrong with a value by a JSON Schema that is data of the store; pointers start at the value. */
  explain(schema: object, value: unknown): Promise<FieldError[]>
  /**
   * The route of the engine in force. Where that is a service of its own, the transaction is left to ask it, and the
   * operation runs again with the answer: call this before anything that costs.
   */
  route(way: Way): Route
}

export type SortKey = string | number

export type Cursor = {
  /** The sort keys of the last row of the page before; undefined on the first page. */
  after: SortKey[] | undefined
  limit: number
  /**
   * The envelope of a list. Hand it one row more than `limit`: whether that row exists tells if more follow. A scan that
   * ended before the page was full hands over `scannedTo`, where the next page goes on.
   */
  page<Row, T>(
    rows: Row[],
    keys: (row: Row) => SortKey[],
    toData: (row: Row) => T,
    scannedTo?: SortKey[],
  ): Page<T>
}

export type Page<T> = { data: T[]; has_more: boolean; next_cursor: string | null }
