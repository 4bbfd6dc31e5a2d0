/** The approval page's view of the service behind it. A type: `host/device-desk.ts` makes one. */
import type { Account } from '../../core/account.ts'
import type { Asking } from './pages.ts'

export type DeviceDesk = {
  /** The device that waits with this code, however it was typed; undefined for every other code alike. */
  find(typed: string): Promise<Asking | undefined>
  /** Answers for the device; `answered` when somebody did before, `expired` when it waits no longer. */
  decide(
    userCode: string,
    answer: { approve: boolean; account: string | undefined },
  ): Promise<
    | { outcome: 'approved'; device: string; account: Account }
    | { outcome: 'denied' | 'expired' | 'answered' }
    | { outcome: 'incomplete'; asking: Asking }
  >
  /** Of the forms' tokens: the same on every node, and known to nobody outside. */
  key(): Promise<string>
  /** Uses a link's ticket; returns the secret of a browser that may approve from now on, undefined for a bad ticket. */
  openLink(ticket: string, browser: string | undefined): Promise<string | undefined>
  mayApprove(browser: string): Promise<boolean>
}
