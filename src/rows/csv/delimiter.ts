/** Which character stands between the cells of a file. */
export type Delimiter = ',' | ';' | '\t' | '|'

const DELIMITERS: readonly Delimiter[] = [',', ';', '\t', '|']
const DELIMITER_NAMES: Readonly<Record<Delimiter, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'pipe',
}

/** A title above the header seldom has more rows; the header is among these. */
export const SEARCHED_ROWS = 20
const SEARCHED_CHARACTERS = 262_144

export function delimiterName(delimiter: Delimiter): string {
  return DELIMITER_NAMES[delimiter]
}

/** How cells read as a header: how many columns they name, and whether those are all that must be there. */
export type Judge = { count(cells: readonly string[]): number; isWhole(cells: readonly string[]): boolean }

/**
 * The delimiter by which one of the first rows names the most columns; else the one that stands most often, outside
 * quotes, in the first row that has any.
 */
export function findDelimiter(text: string, { count, isWhole }: Judge): Delimiter {
  const [first] = firstRows(text, 1)
  // So begin nearly all files, and the other rows need not be looked at.
  const usual = first === undefined ? undefined : mostFrequent(first.counts)
  if (first !== undefined && usual !== undefined && isWhole(cellsOf(first.text, usual))) return usual
  const rows = firstRows(text, SEARCHED_ROWS)
  const scored = DELIMITERS.map((delimiter) => ({
    delimiter,
    // One column is named by a single word, whatever stands between the cells.
    columns: Math.max(
      0,
      ...rows.map((row) => (row.counts[delimiter] > 0 ? count(cellsOf(row.text, delimiter)) : 0)),
    ),
  }))
  const best = scored.reduce((a, b) => (b.columns > a.columns ? b : a))
  if (best.columns > 1) return best.delimiter
  return rows.map(({ counts }) => mostFrequent(counts)).find((each) => each !== undefined) ?? ','
}

function mostFrequent(counts: Counts): Delimiter | undefined {
  const most = DELIMITERS.reduce((a, b) => (counts[b] > counts[a] ? b : a))
  return counts[most] > 0 ? most : undefined
}

type Counts = Record<Delimiter, number>

/** The first rows that hold anything, as text, each with its delimiters outside quotes. */
function firstRows(text: string, most: number): { text: string; counts: Counts }[] {
  const rows: { text: string; counts: Counts }[] = []
  let counts = noneOf()
  let quoted = false
  let start = 0
  const end = Math.min(text.length, SEARCHED_CHARACTERS)
  for (let at = 0; at <= end && rows.length < most; at++) {
    const char = text.charAt(at)
    if (char === '"') quoted = !quoted
    else if (quoted && at < end) continue
    else if (at === end || char === '\n' || char === '\r') {
      const row = text.slice(start, at)
      if (row.trim() !== '') rows.push({ text: row, counts })
      counts = noneOf()
      start = at + 1
    } else if (isDelimiter(char)) counts[char]++
  }
  return rows
}

function noneOf(): Counts {
  return { ',': 0, ';': 0, '\t': 0, '|': 0 }
}

function isDelimiter(char: string): char is Delimiter {
  return Object.hasOwn(DELIMITER_NAMES, char)
}

/** The cells of a row, near enough to see whether they name columns. */
function cellsOf(row: string, delimiter: Delimiter): string[] {
  const cells: string[] = []
  let quoted = false
  let cell = ''
  for (const char of row) {
    if (char === '"') quoted = !quoted
    else if (char === delimiter && !quoted) {
      cells.push(cell)
      cell = ''
    } else cell += char
  }
  return [...cells, cell]
}
