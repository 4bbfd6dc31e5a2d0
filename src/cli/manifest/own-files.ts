/** The columns that our own files add behind those of the manifest: how such a file is known again. */
export const RESULT_COLUMNS = ['row', 'result', 'tracking_number', 'price', 'reason'] as const
export const ERROR_COLUMNS = ['_row', '_column', '_code', '_message', '_suggestion'] as const

export type OwnFile = 'results' | 'errors'

/** What one of our files is, by the end of its header; undefined for any other file. */
export function ownFileKind(header: readonly string[]): OwnFile | undefined {
  if (endsWith(header, RESULT_COLUMNS)) return 'results'
  return endsWith(header, ERROR_COLUMNS) ? 'errors' : undefined
}

/** Positions of the added columns, which a manifest read again leaves out. */
export function ownColumns(header: readonly string[]): ReadonlySet<number> {
  if (ownFileKind(header) === undefined) return new Set()
  const first = header.length - RESULT_COLUMNS.length
  return new Set(header.map((_, at) => at).filter((at) => at >= first))
}

function endsWith(header: readonly string[], columns: readonly string[]): boolean {
  const tail = header.slice(-columns.length)
  return (
    header.length > columns.length && columns.every((column, at) => tail[at]?.trim().toLowerCase() === column)
  )
}
