import type { CommandContext } from '../../cli/cli.ts'
import { shownTarget } from '../../cli/explain.ts'
import { serviceIdentity } from '../../cli/identity.ts'
import type { Runtime } from '../../cli/runtime.ts'
import { deleteAnswered } from '../../local-state/answered.ts'
import { deleteApprovals } from '../../local-state/approvals.ts'
import { deleteLedgers } from '../../local-state/ledger.ts'
import { deletePendingCall, listPendingCalls } from '../../local-state/pending-calls.ts'
import { deletePapers } from '../../local-state/printers.ts'
import { deleteKnownQuotes } from '../../local-state/quotes.ts'
import { deleteCreated } from '../../local-state/recent.ts'
import { deleteSeenIds } from '../../local-state/seen.ts'

/**
 * Forgets what was sent to the world that is gone, what was created in it and what agents spent there. The world is
 * replaced by then: a file that cannot be removed is a warning.
 */
export async function deleteSandboxState({
  runtime,
  settings,
  say,
}: Pick<CommandContext, 'runtime' | 'settings' | 'say'>): Promise<void> {
  try {
    deleteStateFiles(runtime, settings.target)
  } catch (error) {
    const { path = runtime.paths.state, code, message } = error as NodeJS.ErrnoException
    await say(
      `warning: ${path} cannot be changed (${code ?? message}). Commands may still remember data of the previous sandbox.`,
    )
  }
}

function deleteStateFiles(runtime: Runtime, target: CommandContext['settings']['target']): void {
  const { address } = shownTarget(target)
  for (const found of listPendingCalls(runtime)) {
    if (found.intent.service === address && found.running === undefined) deletePendingCall(found)
  }
  deleteAnswered(runtime, address)
  deleteCreated(runtime, address)
  deleteSeenIds(runtime, address)
  deleteKnownQuotes(runtime, address)
  deleteApprovals(runtime, address)
  deletePapers(runtime, address)
  deleteLedgers(runtime, serviceIdentity(target, runtime.paths.state))
}
