/** The rows of a batch with those that were rejected first, else in their order: they are what a person has to act on. */
export function rejectsFirst<Row>(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => Number(isRejected(other)) - Number(isRejected(one)))
}

function isRejected(row: unknown): boolean {
  return typeof row === 'object' && row !== null && (row as { result?: unknown }).result === 'rejected'
}
