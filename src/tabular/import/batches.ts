/** The rows of a file in as many parts as the service takes. */
import { chunkRows, MAX_REQUEST_ROWS } from '../../core/cut-rows.ts'
import { AppError } from '../../core/errors.ts'

/** Some rows of the file, and the body that sends them. */
export type RowBatch<R, B> = { rows: R[]; body: B }

/** Rejects a file of more rows than one batch takes, before they are checked. Throws AppError('usage'). */
export function assertOneBatch(count: number, things: 'parcels' | 'items', splits = false): void {
  if (count <= MAX_REQUEST_ROWS || splits) return
  throw new AppError(
    'usage',
    `The file has ${count} ${things}; a batch has at most ${MAX_REQUEST_ROWS}. Nothing was sent.`,
    { hint: 'Add --split to send it in several batches.', extra: { limit: MAX_REQUEST_ROWS } },
  )
}

/** The rows in batches that the service takes, in the order of the file. `sizeOf` says the bytes of rows that may be large. */
export function toBatches<R, B>(
  rows: readonly R[],
  toBody: (rows: readonly R[]) => B,
  sizeOf?: (row: R) => number,
): RowBatch<R, B>[] {
  return chunkRows(rows, sizeOf).map((part) => ({ rows: part, body: toBody(part) }))
}
