/** The calls of the pages to the service. Only the types are here; `host/page-desk.ts` makes the object. */
import type { Account, Scope } from '../../core/account.ts'

/** A browser that is signed in. */
export type Session = {
  id: string
  account: Account
  scopes: readonly Scope[]
  /** Whether it may use the sandbox's own switches: the holder of the control token made its link. */
  control: boolean
}

/** An event that happened to a resource, and who may be told of it. */
export type Happening = {
  seq: number
  type: string
  resource_id: string
  owner_id: string
  order_id: string | null
  counterparty_id: string | null
}

/** The clock of the service: its time, and its seconds for each second of the machine. */
export type PageTime = { now: number; rate: number }

export type PageDesk = {
  /** Makes the ticket of a link for the holder of an access token. Throws `invalid_token`. */
  createLink(token: string): Promise<{ ticket: string; expiresIn: number }>
  /** Uses a ticket. Returns the secret of a browser that is signed in; undefined for an invalid ticket. */
  openLink(ticket: string, before: string | undefined): Promise<string | undefined>
  /** Starts the sign-in of a browser by a code. Returns the secret that it keeps meanwhile. */
  startSignIn(device: string): Promise<string>
  /** Returns where that sign-in is, and the secret of a browser that is signed in once it was approved. */
  continueSignIn(
    code: string,
    before: string | undefined,
  ): Promise<
    | { status: 'pending'; userCode: string }
    | { status: 'denied' | 'expired' }
    | { status: 'done'; secret: string }
  >
  /** Returns the session of a browser's secret. `prolonged` tells that its cookie must be prolonged, too. */
  findSession(secret: string): Promise<(Session & { prolonged: boolean }) | undefined>
  endSession(secret: string): Promise<void>
  /** Returns those of the ids whose session or shared link is not over. */
  liveSessions(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Returns the events after a number, at most `limit`, and the clock. Without a number only where they end. */
  readEvents(
    after: number | undefined,
    limit: number,
  ): Promise<{ events: readonly Happening[]; last: number; time: PageTime }>
}
