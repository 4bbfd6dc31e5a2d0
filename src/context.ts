/** What an operation's `run` is handed: the transaction, one reading of the clock, the caller, and the service's own tools. */
import type { Account } from './domain/account.ts'
import type { World } from './domain/world.ts'
import type { Tx } from './store/db.ts'

/** `name;key=value` of the Sandbox-Scenario header, parsed. */
export type Scenario = { name: string; options: Record<string, string> }

export type Context = {
  tx: Tx
  /** Service time in milliseconds since the epoch, read once per request. */
  now: number
  account: Account
  world: World
  scenario: Scenario | undefined
  /** Opaque page positions, bound to the operation and its filters (`contract.md` A6). */
  cursor: Cursor
}

export type Cursor = {
  /** The position after which the page starts: the sort keys of the last row seen. Undefined on the first page. */
  after: (string | number)[] | undefined
  limit: number
  /** The page's envelope: one row more than `limit` was asked for, to know whether more follow. */
  page<Row, T>(rows: Row[], keys: (row: Row) => (string | number)[], toData: (row: Row) => T): {
    data: T[]
    has_more: boolean
    next_cursor: string | null
  }
}
