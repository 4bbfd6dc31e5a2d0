/** The calls of the approval page to the service. Only the type is here; `host/device-desk.ts` makes the object. */
import type { Account } from '../../core/account.ts'
import type { PendingDevice } from './pages.ts'

export type DeviceBackend = {
  /** Returns the pending device with this code, in any spelling; undefined for every other code. */
  find(typed: string): Promise<PendingDevice | undefined>
  /**
   * Decides about the device. The outcome is `answered` when a user decided before, and `expired` when the code is
   * too old.
   */
  decide(
    userCode: string,
    answer: { approve: boolean; account: string | undefined },
  ): Promise<
    | { outcome: 'approved'; device: string; client: string; account: Account }
    | { outcome: 'denied' | 'expired' | 'answered' }
    | { outcome: 'incomplete'; asking: PendingDevice }
  >
  /** Returns the key of the form tokens. It is secret, and the same on every node. */
  key(): Promise<string>
  /**
   * Uses a link's ticket. Returns the secret of a browser that may approve from now on; undefined for an invalid
   * ticket.
   */
  openLink(ticket: string, browser: string | undefined): Promise<string | undefined>
  mayApprove(browser: string): Promise<boolean>
}
