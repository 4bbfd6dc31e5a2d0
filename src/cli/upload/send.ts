import type { ClientCallOptions } from '../../client/client.ts'
import type { AnswerOf, InputOf } from '../../client/operations.ts'
import { AppError } from '../../core/errors.ts'
import type { RowBatch } from '../../tabular/import/batches.ts'
import { partKey } from '../calls/part-key.ts'
import { deletePendingRecord } from '../calls/state-errors.ts'
import type { CommandContext } from '../cli.ts'
import { InterruptedError } from '../io.ts'
import { startProgressOf } from '../output/progress.ts'
import { openJournal } from './journal.ts'

export type SentBatches<R, N extends string> = {
  /** The batches that were answered, in order. */
  answered: { batch: RowBatch<R, InputOf<N>>; answer: AnswerOf<N> }[]
  /** The reason why the rest was not sent. */
  stopped: InterruptedError | AppError | undefined
  /** The service's time of the last answer. */
  at: number | undefined
  /** The time at which the upload that this one continues was begun. */
  continues: number | undefined
}

/** The operation that is sent, with its words for people. */
export type BatchOperation<N extends string> = {
  operation: N
  label: string
  name: 'upload' | 'import'
  /** Returns the id of the import that the first batch began: the others are parts of it. */
  importOf?(answer: AnswerOf<N>): { importId: string }
}

/** Sends the batches one after the other. Ctrl-C lets the one under way end; the same command continues after it. */
export async function sendBatches<R, N extends string>(
  cli: CommandContext,
  { operation, label, name, importOf }: BatchOperation<N>,
  batches: readonly RowBatch<R, InputOf<N>>[],
): Promise<SentBatches<R, N>> {
  const journal = openJournalOf(cli, batches)
  const signal = cli.runtime.interruption()
  const total = batches.reduce((sum, { rows }) => sum + rows.length, 0)
  const progress = startProgressOf(cli, label, total)
  const sent: SentBatches<R, N> = {
    answered: [],
    stopped: undefined,
    at: undefined,
    continues: journal.resumed ? journal.startedAt : undefined,
  }
  if (journal.resumed) await cli.say(`Continuing an earlier, unfinished ${name}. Nothing is created twice.`)
  try {
    const client = await cli.client()
    let done = 0
    for (const [index, batch] of batches.entries()) {
      if (signal.aborted) break
      const [first] = sent.answered
      const options = {
        ...callOptions(cli, partKey(journal.key, String(index + 1))),
        ...(first && importOf?.(first.answer)),
      }
      const { value, serviceTime } = await client.call(operation, batch.body, options)
      sent.at = serviceTime.now
      sent.answered.push({ batch, answer: value })
      done += batch.rows.length
      progress.update(done)
      // Gives a signal that arrived during a call of this process its turn.
      if (batches.length > 1) await cli.runtime.sleep(0)
    }
    if (sent.answered.length === batches.length) await deletePendingRecord(cli, journal.close)
    else sent.stopped = signal.reason instanceof InterruptedError ? signal.reason : new InterruptedError()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    sent.stopped = withoutKey(error)
    // Rejected before anything was done: there is nothing to continue.
    if (sent.answered.length === 0 && !error.entry.retryable && !journal.resumed)
      await deletePendingRecord(cli, journal.close)
  } finally {
    progress.stop()
  }
  return sent
}

function callOptions({ globals: { scenario } }: CommandContext, idempotencyKey: string): ClientCallOptions {
  return { idempotencyKey, ...(scenario !== undefined && { scenario }) }
}

/** The journal of this upload: the same rows to the same service continue what was begun. */
function openJournalOf(
  cli: CommandContext,
  batches: readonly RowBatch<unknown, unknown>[],
): ReturnType<typeof openJournal> {
  const { target, profile } = cli.settings
  const where =
    target.kind === 'embedded' ? [target.store, target.account] : [target.baseUrl, profile, target.account]
  return openJournal(
    JSON.stringify([where, batches.map(({ body }) => body)]),
    cli.runtime,
    cli.globals.idempotencyKey,
  )
}

/** The key is that of one batch: the upload finds it again by itself, and another `--idempotency-key` would not. */
function withoutKey(error: AppError): AppError {
  const { idempotency_key: key, ...extra } = error.extra
  if (key === undefined) return error
  return new AppError(error.code, error.message, {
    hint: 'dray could not confirm that the batch was created. Run the same command again; nothing is created twice.',
    errors: error.errors,
    extra,
    cause: error.cause,
  })
}
