import type { CallResult } from '../../client/client.ts'
import { AppError } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { Interrupted } from '../io.ts'
import type { BatchResult } from '../manifest/outcomes.ts'
import type { ManifestRow, ShipmentDraft } from '../manifest/parse.ts'
import { startProgress } from '../output/progress.ts'
import { openJournal } from './journal.ts'

export const MAX_BATCH = 500

export type Batch = { rows: ManifestRow[]; body: BatchBody }

type BatchBody = {
  shipments: ShipmentDraft[]
  manifest_reference?: string
  default_service_level: string
  default_hub_id?: string
}

export type Sent = {
  /** Results of the batches that were answered, in order. */
  answered: { batch: Batch; batchId: string; results: BatchResult[] }[]
  /** Why the rest was not sent. */
  stopped: Interrupted | AppError | undefined
  /** When the upload that this one continues was begun. */
  continues: number | undefined
}

/** The parcels in batches that the service takes, in the order of the file. */
export function toBatches(
  rows: readonly (ManifestRow & { shipment: ShipmentDraft })[],
  rest: Omit<BatchBody, 'shipments'>,
): Batch[] {
  const batches: Batch[] = []
  for (let start = 0; start < rows.length; start += MAX_BATCH) {
    const chunk = rows.slice(start, start + MAX_BATCH)
    batches.push({ rows: chunk, body: { shipments: chunk.map(({ shipment }) => shipment), ...rest } })
  }
  return batches
}

/** Sends the batches one after the other. Ctrl-C lets the one under way end; the same command continues after it. */
export async function sendBatches(cli: Cli, batches: readonly Batch[]): Promise<Sent> {
  const { target, profile } = cli.settings
  const where =
    target.kind === 'embedded' ? [target.store, target.account] : [target.baseUrl, profile, target.account]
  const journal = openJournal(
    JSON.stringify([where, batches.map(({ body }) => body)]),
    cli.runtime,
    cli.globals.idempotencyKey,
  )
  const signal = cli.runtime.interruption()
  const total = batches.reduce((sum, { rows }) => sum + rows.length, 0)
  const progress = startProgress({
    ...cli,
    label: 'Creating parcels',
    total,
    now: cli.runtime.elapsed,
    quiet: cli.globals.quiet,
    accessible: cli.settings.accessible,
  })
  const sent: Sent = {
    answered: [],
    stopped: undefined,
    continues: journal.resumed ? journal.startedAt : undefined,
  }
  if (journal.resumed)
    await cli.say('This upload was begun before and did not end: continuing it. Nothing is created twice.')
  try {
    const client = await cli.client()
    let done = 0
    for (const [index, batch] of batches.entries()) {
      if (signal.aborted) break
      const options = {
        idempotencyKey: `${journal.key}-${index + 1}`,
        ...(cli.globals.scenario !== undefined && { scenario: cli.globals.scenario }),
      }
      sent.answered.push({
        batch,
        ...toResults(await client.call('create_shipments_batch', batch.body, options)),
      })
      done += batch.rows.length
      progress.update(done)
      // Gives a signal that arrived during a call of this process its turn.
      if (batches.length > 1) await cli.runtime.sleep(0)
    }
    if (sent.answered.length === batches.length) journal.close()
    else sent.stopped = signal.reason instanceof Interrupted ? signal.reason : new Interrupted()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    sent.stopped = withoutKey(error)
    // Refused before anything was done: there is nothing to continue.
    if (sent.answered.length === 0 && !error.entry.retryable && !journal.resumed) journal.close()
  } finally {
    progress.stop()
  }
  return sent
}

/** The key is that of one batch: the upload finds it again by itself, and another `--idempotency-key` would not. */
function withoutKey(error: AppError): AppError {
  const { idempotency_key: key, ...extra } = error.extra
  if (key === undefined) return error
  return new AppError(error.code, error.message, {
    hint: 'Whether the batch was created is not known; the same command finds out, and creates nothing twice.',
    errors: error.errors,
    extra,
    cause: error.cause,
  })
}

function toResults({ value }: CallResult): { batchId: string; results: BatchResult[] } {
  const { batch_id, results } = value as { batch_id: string; results: BatchResult[] }
  return { batchId: batch_id, results }
}
