/** The records of created resources, for this command's service. */
import type { CallResult } from '../../client/client.ts'
import type { Money } from '../../core/money.ts'
import { toTimestamp } from '../../core/time.ts'
import { saveCreatedResource, saveEntry, listCreatedResources } from '../../local-state/recent.ts'
import type { CreatedResource } from '../../local-state/recent.ts'
import type { ResultCounts } from '../../tabular/import/report.ts'
import type { CommandContext } from '../cli.ts'
import { shownTarget } from '../explain.ts'
import type { Settings } from '../settings.ts'

/** Records the resource that a call created; ignores other calls. */
export function rememberCreated(cli: CommandContext, operation: string, answer: CallResult): void {
  saveCreatedResource(
    cli.runtime,
    { profile: cli.settings.profile, ...targetKey(cli.settings) },
    operation,
    answer,
  )
}

/** Records an upload as one entry, if it created something. `at` is the service's time of its last response. */
export function rememberUpload(
  cli: CommandContext,
  file: string,
  { batch_ids, counts, total }: { batch_ids: string[]; counts: ResultCounts; total: Money | null },
  at: number,
): void {
  const [id] = batch_ids
  if (id === undefined || counts.created === 0) return
  const { created, duplicate, rejected, not_sent } = counts
  saveEntry(cli.runtime, {
    id,
    operation: 'create_shipments_batch',
    quote_id: null,
    total,
    status: not_sent > 0 ? 'interrupted' : rejected > 0 ? 'partly_created' : 'created',
    created_at: toTimestamp(at),
    profile: cli.settings.profile,
    ...targetKey(cli.settings),
    upload: { file, batch_ids, created, duplicate, rejected, not_sent },
  })
}

/** Returns the last resource that the operation created at this command's service for the same account. */
export function lastCreated(cli: CommandContext, operation: string): CreatedResource | undefined {
  const { service, account } = targetKey(cli.settings)
  return listCreatedResources(cli.runtime).find(
    (entry) => entry.operation === operation && entry.service === service && entry.account === account,
  )
}

/** Returns this command's service and account. */
export function targetKey({ target }: Settings): Pick<CreatedResource, 'service' | 'account'> {
  return { service: shownTarget(target).address, account: target.account ?? null }
}
