/**
 * The machine, with the keyring and the client of a command line. Only the type is here; `runtime.ts` creates the
 * object.
 */
import type { Client, Target } from '../client/client.ts'
import type { Keyring } from '../client/keyring.ts'
import type { Machine } from '../core/machine.ts'

export type Runtime = Machine & {
  /** Opens the keyring of the user's system. Throws an Error with the reason when there is none. */
  keyring(): Promise<Keyring>
  openClient(
    target: Target,
    notices: { firstRun(store: string): void; debug(line: string): void; warn?(line: string): void },
  ): Promise<Client>
}
