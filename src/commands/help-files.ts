/** Parts of the help of files of rows: what is not sent, and what is not read. */
import { pairs, wrap } from '../cli/topic-lines.ts'
import { HEADER_NAMES } from '../generated/header-names.ts'
import type { FileKind } from '../rows/columns/columns.ts'
import { LANGUAGES } from '../rows/columns/words.ts'
import { LEFT_OUT_REASONS, REASONS } from '../rows/manifest/order-status.ts'

/** Returns which orders are left out of an upload. */
export function leftOutHelp(): string[] {
  return [
    'ORDERS THAT ARE LEFT OUT',
    'An order whose status says that it should not be sent is left out, and said. The',
    'status stands under Financial Status, Fulfillment Status, Order status, Payment',
    'status, Cancelled at, Date shipped, Shipping Method and the like, in the languages',
    'below. --include WORD,… sends such orders, too; all sends all of them:',
    ...pairs(LEFT_OUT_REASONS.map((reason): [string, string] => [reason, REASONS[reason].text])),
    'An order that is refunded or sent in part is created, with a warning; so is one',
    'with a status that is not known. --json has left_out and warnings.',
    '',
  ]
}

/** Returns which cells are refused, though they look like values. */
export function noValueHelp(codes: string): string[] {
  return [
    'CELLS WITHOUT A VALUE',
    ...wrap(
      `Errors of a spreadsheet (#N/A, #VALUE!, #WERT!), ########, and the words of programs for nothing (NULL, NaN, None, undefined) refuse their row; where a text may be left out, such a word is read as empty, and said. A person may be called Null. A shortened number (5.01235E+12) is refused in ${codes}. A file with rows of more cells than its header is refused: 6,50 without quotes is two.`,
      '',
    ),
    '',
  ]
}

/** Returns the columns of a file with their other names. */
export function columnHelp(kind: FileKind): string[] {
  const [, ...languages] = LANGUAGES
  const columns = kind.columns.filter(({ helps }) => helps === undefined)
  return [
    'COLUMNS, AND OTHER NAMES THAT ARE UNDERSTOOD',
    ...pairs(
      columns.map(({ name, required, part }): [string, string] => [
        required ? `${name} (required)` : name,
        part.replaceAll(/"/g, '').replaceAll(';', ','),
      ]),
    ),
    'Words for whose it is may stand before them, such as Ship to or Consignee; columns',
    'of a payer, a sender or an item are never read as the recipient’s.',
    '',
    `IN ${languages.slice(0, -1).join(', ')} AND ${languages.at(-1)}`.toUpperCase(),
    'These and other usual words, in any case, with and without accents.',
    ...pairs(
      Object.entries(HEADER_NAMES[kind.name] ?? {})
        .filter(([column]) => columns.some(({ name }) => name === column))
        .map(([column, words]): [string, string] => [column, words.join(', ')]),
    ),
  ]
}
