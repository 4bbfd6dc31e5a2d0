/** The most rows of one request: the service rejects more, and callers cut theirs. */
export const MAX_REQUEST_ROWS = 500
/** Below what the service takes of one body, with room for what stands around the rows. */
const MAX_REQUEST_BYTES = 4 * 1_048_576

/** Cuts rows into as many parts as the service takes, in their order. `sizeOf` says the bytes of rows that may be large. */
export function chunkRows<R>(rows: readonly R[], sizeOf: (row: R) => number = () => 0): R[][] {
  const parts: R[][] = []
  let bytes = 0
  for (const row of rows) {
    const size = sizeOf(row)
    const last = parts.at(-1)
    if (last !== undefined && last.length < MAX_REQUEST_ROWS && bytes + size <= MAX_REQUEST_BYTES) {
      last.push(row)
      bytes += size
    } else {
      parts.push([row])
      bytes = size
    }
  }
  return parts
}
