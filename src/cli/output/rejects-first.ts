/**
 * Returns the rows of a batch with the rejected ones first, because a person must act on them. The order is otherwise
 * kept.
 */
export function rejectsFirst<Row>(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => Number(isRejected(other)) - Number(isRejected(one)))
}

function isRejected(row: unknown): boolean {
  return typeof row === 'object' && row !== null && (row as { result?: unknown }).result === 'rejected'
}
