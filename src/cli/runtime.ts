/** The machine, and what a command line opens on it. A type: `runtime.ts` makes one. */
import type { Client, Target } from '../client/client.ts'
import type { Keyring } from '../client/keyring.ts'
import type { Machine } from '../core/machine.ts'

export type Runtime = Machine & {
  /** The keyring of the user's system. Throws an Error that says why there is none. */
  keyring(): Promise<Keyring>
  openClient(
    target: Target,
    notices: { firstRun(store: string): void; debug(line: string): void; warn?(line: string): void },
  ): Promise<Client>
}
