/** The calls of the pages to the service. Only the types are here; `host/page-desk.ts` makes the object. */
import type { Account, Scope } from '../../core/account.ts'
import type { PageName } from '../../core/pages.ts'

/** A browser that is signed in, with its rights on one page; on their list it has none. */
export type BrowserSession = {
  id: string
  account: Account
  scopes: readonly Scope[]
  /** True if it may use the sandbox's own switches. */
  control: boolean
  /** True if the holder of the control token made its link, which then names the account. */
  byControl: boolean
}

/** The secrets that a browser has, by their pages; that of the list under undefined. */
export type BrowserSecrets = ReadonlyMap<PageName | undefined, string>

/** An event that happened to a resource, and who may be told of it. */
export type PageEvent = {
  seq: number
  type: string
  resource_id: string
  owner_id: string
  order_id: string | null
  counterparty_id: string | null
}

/** The last event that was read, and the generation of the store that it belongs to. */
export type ReadMark = { seq: number; generation: string }

/** The clock of the service: its time, and its seconds for each second of the machine. */
export type PageTime = { now: number; rate: number }

export type PageBackend = {
  /** Makes the ticket of a link for the holder of an access token. Throws `invalid_token`. */
  createLink(token: string, page: PageName | undefined): Promise<{ ticket: string; expiresIn: number }>
  /** Uses a ticket. Returns the secret of a browser that is signed in, and its page; undefined for an invalid ticket. */
  openLink(
    ticket: string,
    before: BrowserSecrets,
  ): Promise<{ secret: string; page: PageName | undefined } | undefined>
  /** Starts the sign-in of a browser by a code. Returns the secret that it keeps in the meantime. */
  startSignIn(asked: { device: string; page: PageName | undefined }): Promise<string>
  /** Returns where that sign-in is, and the secret of a browser that is signed in once it was approved. */
  continueSignIn(
    code: string,
    page: PageName | undefined,
    before: BrowserSecrets,
  ): Promise<
    | { status: 'pending'; userCode: string }
    | { status: 'denied' | 'expired' }
    | { status: 'done'; secret: string }
  >
  /** Returns the session of a browser's secret on a page, and prolongs it; undefined when it has ended or for another page. */
  findSession(secret: string, page: PageName | undefined): Promise<BrowserSession | undefined>
  endSession(secret: string): Promise<void>
  /** Returns those of the ids with a session or shared link that has not ended. */
  liveSessions(ids: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Returns the events after a mark, at most `limit`, and the clock. Without a mark, or with one of an earlier generation of the
   * store, only where they end.
   */
  readEvents(
    after: ReadMark | undefined,
    limit: number,
  ): Promise<{ events: readonly PageEvent[]; last: ReadMark; time: PageTime }>
}
