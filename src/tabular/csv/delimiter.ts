/** The character between the cells of a file. */
import { parse } from 'csv-parse/sync'

export type Delimiter = ',' | ';' | '\t' | '|'

/** By the words of `--delimiter`. */
export const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const

/** A title above the header seldom has more rows; the header is among these. */
export const SEARCHED_ROWS = 20
const SEARCHED_CHARACTERS = 262_144

export function delimiterName(delimiter: Delimiter): string {
  return Object.entries(DELIMITERS).find(([, each]) => each === delimiter)?.[0] ?? ''
}

/** The worth of cells as a header: the number of columns that they name, and whether those are all that must be there. */
export type Judge = { count(cells: readonly string[]): number; isWhole(cells: readonly string[]): boolean }

/**
 * The delimiter by which one of the first rows names the most columns; else the one that stands most often, outside
 * quotes, in the first row that has any.
 */
export function findDelimiter(text: string, { count, isWhole }: Judge): Delimiter {
  const start = text.slice(0, SEARCHED_CHARACTERS)
  const splits = (most: number) =>
    Object.values(DELIMITERS).map((delimiter) => ({ delimiter, rows: firstRows(start, delimiter, most) }))
  // So begin nearly all files, and the other rows need not be looked at.
  const usual = widest(splits(1), 0)
  if (usual !== undefined && isWhole(usual.rows[0] ?? [])) return usual.delimiter
  const all = splits(SEARCHED_ROWS)
  const scored = all.map(({ delimiter, rows }) => ({
    delimiter,
    // One column is named by a single word, whatever is between the cells.
    columns: Math.max(0, ...rows.map((cells) => (cells.length > 1 ? count(cells) : 0))),
  }))
  const best = scored.reduce((a, b) => (b.columns > a.columns ? b : a))
  if (best.columns > 1) return best.delimiter
  const split = Array.from({ length: SEARCHED_ROWS }, (_, at) => widest(all, at))
  return split.find((each) => each !== undefined)?.delimiter ?? ','
}

type SplitRows = { delimiter: Delimiter; rows: readonly string[][] }

/** The split by which a row has the most cells; undefined where it is one cell by each. */
function widest(splits: readonly SplitRows[], at: number): SplitRows | undefined {
  const width = ({ rows }: SplitRows): number => rows[at]?.length ?? 0
  const best = splits.reduce((a, b) => (width(b) > width(a) ? b : a))
  return width(best) > 1 ? best : undefined
}

/** The cells of the first rows that hold anything, near enough to see whether they name columns. */
function firstRows(text: string, delimiter: Delimiter, most: number): string[][] {
  const rows: string[][] = []
  if (!text.includes('"')) {
    // Nearly all files are such, and need no parser.
    for (const [line] of text.matchAll(/[^\r\n]+/g)) if (rows.push(line.split(delimiter)) === most) break
    return rows
  }
  try {
    parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: most,
      on_record: (cells: string[]) => {
        rows.push(cells)
        return null
      },
    })
  } catch {
    // A quote that is never closed; the rows before it are enough.
  }
  return rows
}
