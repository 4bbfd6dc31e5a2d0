/** Finds cells with letters that an earlier program changed, so that a person looks at them before anything is sent. */
import { hasTags, withoutTags } from '../../core/markup.ts'
import { truncate } from '../csv/cells.ts'
import { decodePlain } from '../csv/entities.ts'
import { WORD_KINDS } from './cell-text.ts'
import type { FileColumn, ColumnMapping } from './columns.ts'
import type { ImportNote } from './outcomes.ts'

/** UTF-8 that was read as Windows-1252: `ZoÃ«`, `Â£`, `â€™`. */
const TWICE_ENCODED = /[ÃÂÅ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€|ï¿½/u

/** Letters that were lost: `Zo\ufffd`, `M?ller`, `???? ??????`. */
const LOST = /\ufffd|\p{L}\?\p{L}|^\?{2,}(?:\s+\?+)*$/u

/** Text from a quote of a word processor on, and text up to one: a comma between them has parted one cell. */
const [OPENED, CLOSED] = [/^[“„«][^”“»]*$/u, /^[^“„«]*[”“»]$/u]

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)'

/** A day and a month as a spreadsheet makes it of `2-1` or `12/10`: `2-Jan`, `Oct-12`. */
const MADE_DATE = new RegExp(`^(?:\\d{1,2}[- ]${MONTH}[a-z]*|${MONTH}[a-z]*[- ]\\d{1,2})$`, 'i')

/** A full date or a time in place of a text, and a number as a spreadsheet counts the days of these years. */
const WHOLE_DATE = /(?<![\d/])\d{1,2}([/.-])\d{1,2}\1(?:19|20)\d\d(?!\d)|^\d{1,2}:\d{2}(?::\d{2})?$/
const SERIAL_DAY = /^4[3-9]\d{3}$/

/** The kinds of columns that hold dates. */
const DATES: ReadonlySet<string> = new Set(['date', 'instant'])

/** Entities, broken letters and made dates contain one of these. Nearly no row does. */
const SUSPECT = new RegExp(
  `[<&?\\u0080-\\uffff]|${MONTH}|\\d[/.-]\\d{1,2}[/.-]\\d|^(?:\\d{1,2}:\\d\\d|4\\d{4}$)`,
  'im',
)

/** Returns whether a cell is what a spreadsheet makes of a street, a reference or a name. A code may be any number. */
function isMadeDate(cell: string, { read, pointer }: FileColumn): boolean {
  if (MADE_DATE.test(cell)) return true
  const isStreet = read === 'line'
  const isName = pointer.endsWith('/contact/name')
  if (!isStreet && !isName && read !== 'reference') return false
  return WHOLE_DATE.test(cell) || (read !== 'reference' && SERIAL_DAY.test(cell))
}

type OddCell = { row: number; cell: string; isDate: boolean; isWords: boolean }

/** Returns what is said of the cells that are read and hold entities, broken letters, or dates in place of text. */
export function describeOddText({ table: { rows }, kind: file, sources, ours }: ColumnMapping): ImportNote[] {
  if (ours === 'export') return []
  const texts = [...sources].filter(([column]) => !DATES.has(file.columnOf(column).read))
  const read = new Map(
    texts.flatMap(([column, { from }]) =>
      from.flatMap(({ at }) => at.map((place) => [place, file.columnOf(column)] as const)),
    ),
  )
  const suspects = rows.filter(({ cells, dates }) => dates !== undefined || SUSPECT.test(cells.join('\n')))
  const cells = suspects.flatMap(({ row, cells: all, dates: held }) =>
    Array.from(read, ([at, column]): OddCell => {
      const cell = (all[at] ?? '').trim()
      return {
        row,
        cell,
        isDate: held?.has(at) === true || isMadeDate(cell, column),
        isWords: WORD_KINDS.has(column.read),
      }
    }),
  )
  const tagged = cells.filter(({ cell, isWords }) => isWords && hasTags(cell))
  const entities = cells.filter(({ cell }) => decodePlain(cell) !== cell)
  const broken = cells.filter(({ cell }) => TWICE_ENCODED.test(cell) || LOST.test(cell))
  const dates = cells.filter(({ isDate }) => isDate)
  const rowsWith = (pattern: RegExp): Set<number> =>
    new Set(cells.flatMap(({ row, cell }) => (pattern.test(cell) ? [row] : [])))
  const closed = rowsWith(CLOSED)
  const parted = cells.filter(({ row, cell }) => OPENED.test(cell) && closed.has(row))
  const decoded = listed(entities, (cell) => ` is “${truncate(decodePlain(cell), 40)}”`)
  const notes: readonly (readonly [OddCell[], ImportNote['kind'], string])[] = [
    [
      tagged,
      'info',
      `HTML tags are removed: ${listed(tagged, (cell) => ` is “${truncate(decodePlain(withoutTags(cell, ', ')), 40)}”`)}.`,
    ],
    [entities, 'info', `HTML entities are decoded: ${decoded}.`],
    [
      broken,
      'warning',
      `another program has broken some letters: ${listed(broken)}. Correct them, or export the file again as UTF-8.`,
    ],
    [
      parted,
      'warning',
      `curly quotes are no quotes of a CSV file, and a comma between them parts a cell: ${listed(parted)}. Write straight quotes around the cell.`,
    ],
    [
      dates,
      'warning',
      `a spreadsheet may have turned texts into dates: ${listed(dates)}. Format these cells as text and enter them again.`,
    ],
  ]
  return notes.flatMap(([found, kind, text]) => (found.length === 0 ? [] : [{ kind, text }]))
}

function listed(found: readonly OddCell[], more: (cell: string) => string = () => ''): string {
  const shown = found.slice(0, 3).map(({ row, cell }) => `row ${row} “${truncate(cell, 40)}”${more(cell)}`)
  return `${shown.join(', ')}${found.length > shown.length ? ` and ${found.length - shown.length} more cells` : ''}`
}
