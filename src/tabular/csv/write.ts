/** A number is written bare, so that a spreadsheet sees a number; text is guarded against becoming a formula. */
export type Cell = string | number | boolean | undefined

/** An amount of this program's own, with all its decimals: a number, which no guard may make a text. */
export type AmountCell = { figure: string }

export type FileForm = {
  delimiter: string
  /** Starts the text with a byte order mark: without one Excel reads UTF-8 as its own code page. */
  bom: boolean
  /** True if it answers a workbook: the rows to be corrected are one, too. */
  workbook?: true
}

/** The form of a CSV that people open in a spreadsheet. */
export const SHEET_FORM: FileForm = { delimiter: ',', bom: true }

/*
 * A spreadsheet runs a cell that starts with one of these, quoted or not. When it splits the line at another delimiter
 * than ours, what follows a delimiter, quote or newline inside a cell starts a cell as well.
 * Apostrophes that stand there already get one more, which is what makes `unguard` exact.
 */
const UNGUARDED = /(?<=^|[,;\t|"\r\n])(?='*[=+\-@\t\r＝＋－＠])/g
const GUARDED = /(?<=^|[,;\t|"\r\n])'(?='*[=+\-@\t\r＝＋－＠])/g

/** A cell without any of these needs no guard and no quotes. Nearly every cell is such, and one search tells. */
const SUSPECT = /[=+\-@\t\r＝＋－＠,;|"\n]|^\s|\s$/

export const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/

/** Text that no spreadsheet takes for a formula (docs/rules/files.md#a-cell-never-becomes-a-formula): `'` before what would start one. */
export function escapeFormula(text: string): string {
  return text.replace(UNGUARDED, "'")
}

/** Returns the text that `guard` was given. */
export function unescapeFormula(text: string): string {
  return text.replace(GUARDED, '')
}

/**
 * CSV by RFC 4180 with CRLF. Strings are guarded, save plain numbers in `numberColumns` (`-5` stays a number). `protect`
 * guards more than formulas, or nothing.
 */
export function writeCsv(
  rows: Iterable<readonly (Cell | AmountCell)[]>,
  form: FileForm = { delimiter: ',', bom: false },
  numberColumns: ReadonlySet<number> = new Set(),
  protect?: (text: string) => string,
): string {
  const lines: string[] = []
  for (const row of rows) {
    lines.push(
      row
        .map((cell, column) =>
          typeof cell === 'object'
            ? figureText(cell, form.delimiter)
            : field(cell, numberColumns.has(column), protect),
        )
        .join(form.delimiter),
    )
  }
  return `${form.bom ? '\uFEFF' : ''}${lines.join('\r\n')}\r\n`
}

function figureText({ figure }: AmountCell, delimiter: string): string {
  return figure.includes(delimiter) ? `"${figure}"` : figure
}

function field(cell: Cell, numeric: boolean, protect?: (text: string) => string): string {
  if (cell === undefined) return ''
  if (typeof cell !== 'string' || (numeric && PLAIN_NUMBER.test(cell))) return String(cell)
  if (protect === undefined && !SUSPECT.test(cell)) return cell
  const text = (protect ?? escapeFormula)(cell)
  return /[,;\t|"\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
