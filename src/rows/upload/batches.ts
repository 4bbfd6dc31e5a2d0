/** The rows of a file in as many parts as the service takes. */
import { AppError } from '../../core/errors.ts'

export const MAX_BATCH = 500

/** Some rows of the file, and the body that sends them. */
export type Batch<R, B> = { rows: R[]; body: B }

/** Below what the service takes of one body, with room for what stands around the rows. */
const MAX_BATCH_BYTES = 4 * 1_048_576

/** Refuses a file of more rows than one batch takes, before they are checked. Throws AppError('usage'). */
export function assertOneBatch(count: number, things: 'parcels' | 'items', splits = false): void {
  if (count <= MAX_BATCH || splits) return
  throw new AppError(
    'usage',
    `The file holds ${count} ${things}; one batch takes ${MAX_BATCH}. Nothing was sent.`,
    { hint: 'Add --split to send it in several batches.', extra: { limit: MAX_BATCH } },
  )
}

/** The rows in batches that the service takes, in the order of the file. `sizeOf` says the bytes of rows that may be large. */
export function toBatches<R, B>(
  rows: readonly R[],
  toBody: (rows: readonly R[]) => B,
  sizeOf: (row: R) => number = () => 0,
): Batch<R, B>[] {
  const chunks: R[][] = []
  let bytes = 0
  for (const row of rows) {
    const size = sizeOf(row)
    const last = chunks.at(-1)
    if (last !== undefined && last.length < MAX_BATCH && bytes + size <= MAX_BATCH_BYTES) {
      last.push(row)
      bytes += size
    } else {
      chunks.push([row])
      bytes = size
    }
  }
  return chunks.map((chunk) => ({ rows: chunk, body: toBody(chunk) }))
}
