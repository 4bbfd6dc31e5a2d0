import type { Cli } from '../../cli/cli.ts'
import { shownTarget } from '../../cli/explain.ts'
import { serviceIdentity } from '../../cli/identity.ts'
import type { Runtime } from '../../cli/runtime.ts'
import { forgetAnswered } from '../../local-state/answered.ts'
import { forgetApprovals } from '../../local-state/approvals.ts'
import { forgetLedgers } from '../../local-state/ledger.ts'
import { discardIntent, listIntents } from '../../local-state/pending-calls.ts'
import { forgetQuotes } from '../../local-state/quotes.ts'
import { forgetCreated } from '../../local-state/recent.ts'
import { forgetSeen } from '../../local-state/seen.ts'

/**
 * Forgets what was sent to the world that is gone, what was created in it and what agents spent there. The world is
 * replaced by then: a file that cannot be removed is a warning.
 */
export async function deleteSandboxState({
  runtime,
  settings,
  say,
}: Pick<Cli, 'runtime' | 'settings' | 'say'>): Promise<void> {
  try {
    deleteStateFiles(runtime, settings.target)
  } catch (error) {
    const { path = runtime.paths.state, code, message } = error as NodeJS.ErrnoException
    await say(
      `warning: ${path} cannot be changed (${code ?? message}). Commands may still remember data of the previous sandbox.`,
    )
  }
}

function deleteStateFiles(runtime: Runtime, target: Cli['settings']['target']): void {
  const { address } = shownTarget(target)
  for (const found of listIntents(runtime)) {
    if (found.intent.service === address && found.running === undefined) discardIntent(found)
  }
  forgetAnswered(runtime, address)
  forgetCreated(runtime, address)
  forgetSeen(runtime, address)
  forgetQuotes(runtime, address)
  forgetApprovals(runtime, address)
  forgetLedgers(runtime, serviceIdentity(target, runtime.paths.state))
}
