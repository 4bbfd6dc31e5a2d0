import { forgetApprovals } from '../client/approvals.ts'
import { discardIntent, listIntents } from '../client/intents.ts'
import { forgetQuotes } from '../client/quotes.ts'
import { forgetCreated } from '../client/recent.ts'
import { forgetLedgers } from '../mcp/ledger.ts'
import type { Cli } from './cli.ts'
import { shownTarget } from './explain.ts'

/** Forgets what was sent to the world that is gone, what was created in it and what agents spent there. */
export function forgetWorld({ runtime, settings }: Pick<Cli, 'runtime' | 'settings'>): void {
  const { address } = shownTarget(settings.target)
  for (const found of listIntents(runtime)) {
    if (found.intent.service === address && found.running === undefined) discardIntent(found)
  }
  forgetCreated(runtime, address)
  forgetQuotes(runtime, address)
  forgetApprovals(runtime, address)
  forgetLedgers(runtime, address)
}
