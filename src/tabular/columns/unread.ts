/** The question about columns that rows fill and nothing reads: whether the file is sent without them. */
import { AppError } from '../../core/errors.ts'
import { truncate } from '../csv/cells.ts'
import { isNoPersonValue } from '../csv/no-value.ts'
import { parseBoolean } from '../csv/numbers.ts'
import type { FilePrompts, ImportPrompts } from '../import/prompts.ts'
import { pluralize, joinFirst } from '../wording.ts'
import { mapFlag, quoteJson } from './mapping.ts'

/** A column, and each of its values with the rows that have it. */
export type UnreadColumn = {
  header: string
  values: readonly { value: string; rows: readonly number[] }[]
  /** The column that it may be. */
  asks?: string | undefined
}

const SHOWN_VALUES = 3

/** Returns what an unread column holds, for the question. */
export function describeUnread(
  header: string,
  rows: readonly { row: number; cell: string }[],
  asks?: string,
): UnreadColumn {
  const filled = rows.filter(({ cell }) => !isNone(cell))
  const groups = Map.groupBy(filled, ({ cell }) => cell.trim())
  return {
    header,
    values: [...groups].map(([value, group]) => ({ value, rows: group.map(({ row }) => row) })),
    asks,
  }
}

/** A cell that asks for nothing: empty, `no`, `0`, `n/a`. */
export function isNone(cell: string): boolean {
  const text = cell.trim()
  // A cross is a tick.
  if (/^x+$/i.test(text)) return false
  return isNoPersonValue(text) || parseBoolean(text) === false || /^0+[.,]0+$/.test(text)
}

/** `Signed for: "Y" in 3 rows, "N. 9" in row 7`. */
function shownOf({ header, values }: UnreadColumn): string {
  const told = values.map(
    ({ value, rows }) =>
      `${quoteJson(truncate(value, 30))} in ${rows.length === 1 ? `row ${rows[0]}` : `${rows.length} rows`}`,
  )
  return `${truncate(header, 40)}: ${joinFirst(told, SHOWN_VALUES)}`
}

/** Returns the `--ignore` flag of a header, quoted for a shell. */
function ignoreFlag(header: string): string {
  return `--ignore ${/^[\w.-]+$/.test(header) ? header : quoteJson(header)}`
}

/** Returns the error where no prompt is possible. */
export function unreadError(columns: readonly UnreadColumn[]): AppError {
  const flags = columns.map(({ header }) => ignoreFlag(header)).join(' ')
  const [example] = columns.flatMap(({ header, asks }) => (asks === undefined ? [] : mapFlag(asks, header)))
  return new AppError(
    'usage',
    pluralize(
      columns.length,
      'Nothing reads {a column|# columns} that rows fill: {}.',
      columns.map(shownOf).join('; '),
    ),
    {
      hint: `To send without ${columns.length === 1 ? 'it' : 'them'}: ${flags}. To read one: ${example ?? '--map COLUMN=HEADER'}.`,
      extra: {
        reason: { code: 'column_unread', columns: columns.map(({ header, values }) => ({ header, values })) },
      },
    },
  )
}

/** The columns that the user ignores, and those that are to be read, by their headers. */
export type AnsweredUnread = { ignore: string[]; map: [column: string, header: string][] }

/** Asks about each column. Throws `usage` where the user neither reads a column nor sends without it. */
export async function askUnread(
  columns: readonly UnreadColumn[],
  { ask, answered }: { ask: FilePrompts; answered: ImportPrompts['answered'] },
): Promise<AnsweredUnread> {
  const found: AnsweredUnread = { ignore: [], map: [] }
  for (const column of columns) {
    const { header, asks } = column
    const isOpen = asks !== undefined && found.map.length === 0
    const answer = await ask.select({
      message: `${shownOf(column)}. Nothing reads this column. Send without it?`,
      choices: [
        ...(isOpen ? [{ value: 'read' as const, name: `No: it says ${asks}` }] : []),
        { value: 'ignore' as const, name: 'Send without it' },
        { value: 'stop' as const, name: 'Stop: nothing is sent' },
      ],
    })
    if (answer === 'stop') throw unreadError([column])
    const isRead = answer === 'read' && asks !== undefined
    if (isRead) found.map.push([asks, header])
    else found.ignore.push(header)
    answered.push(
      isRead ? { flag: '--map', value: `${asks}=${header}` } : { flag: '--ignore', value: header },
    )
  }
  return found
}
