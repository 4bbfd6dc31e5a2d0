/** The memory of what was created, for where this command goes. */
import type { CallResult } from '../client/client.ts'
import { keepCreated, listCreated } from '../client/recent.ts'
import type { Created } from '../client/recent.ts'
import type { Cli } from './cli.ts'
import { shownTarget } from './explain.ts'

/** Keeps what a call created; nothing for other calls. */
export function rememberCreated(cli: Cli, operation: string, answer: CallResult): void {
  keepCreated(cli.runtime, { profile: cli.settings.profile, ...placeOf(cli) }, operation, answer)
}

/** The last thing that an operation created where this command goes, by the same account. */
export function lastCreated(cli: Cli, operation: string): Created | undefined {
  const { service, account } = placeOf(cli)
  return listCreated(cli.runtime).find(
    (entry) => entry.operation === operation && entry.service === service && entry.account === account,
  )
}

/** The service that this command goes to, and the account it goes as. */
export function placeOf({ settings: { target } }: Cli): Pick<Created, 'service' | 'account'> {
  return { service: shownTarget(target).address, account: target.account ?? null }
}
