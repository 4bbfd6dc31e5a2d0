/** The columns that this program adds at the end of its own files. They identify such a file. */
export const PARCEL_RESULTS = ['row', 'result', 'tracking_number', 'price', 'reason'] as const
/** The column after them where an upload creates returns, too. */
export const RETURN_COLUMN = 'return_number'
export const MENU_RESULTS = ['row', 'result', 'item_id', 'menu_price', 'reason'] as const
export const ERROR_COLUMNS = ['_row', '_column', '_code', '_message', '_suggestion'] as const
export const EXPORT_COLUMNS = ['_item_id'] as const

/** The first texts in this program's JSON files, which identify them. */
export const JSON_ERRORS_NOTE = 'Correct these items and import this file.'
export const JSON_EXPORT_NOTE = 'A menu: `dray business catalog import` reads it.'

export type OwnFileKind = 'results' | 'errors' | 'export'

const ENDINGS: readonly (readonly [OwnFileKind, readonly string[]])[] = [
  ['results', PARCEL_RESULTS],
  ['results', [...PARCEL_RESULTS, RETURN_COLUMN]],
  ['results', MENU_RESULTS],
  ['errors', ERROR_COLUMNS],
  ['export', EXPORT_COLUMNS],
]

/** Returns the kind of this program's own file, by the end of its header; undefined for any other file. */
export function ownFileKind(header: readonly string[]): OwnFileKind | undefined {
  return endingOf(header)?.[0]
}

/** Returns the positions of the added columns, which are ignored when the file is read again. */
export function ownColumns(header: readonly string[]): ReadonlySet<number> {
  const ending = endingOf(header)
  if (ending === undefined) return new Set()
  const first = header.length - ending[1].length
  return new Set(header.map((_, at) => at).filter((at) => at >= first))
}

function endingOf(header: readonly string[]): (typeof ENDINGS)[number] | undefined {
  const names = header.map((cell) => cell.trim().toLowerCase())
  return ENDINGS.find(
    ([, columns]) => names.length > columns.length && columns.join() === names.slice(-columns.length).join(),
  )
}
