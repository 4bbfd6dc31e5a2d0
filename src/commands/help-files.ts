/** Parts of the help of files of rows: what is not sent, and what is not read. */
import { pairs, wrapWords } from '../cli/topic-lines.ts'
import { HEADER_NAMES } from '../generated/header-names.ts'
import type { FileKind } from '../tabular/columns/columns.ts'
import { LANGUAGES } from '../tabular/columns/words.ts'
import { SKIP_REASONS, SKIP_REASON_WORDS } from '../tabular/manifest/order-status.ts'

/** Returns which orders an upload skips. */
export function skippedOrdersHelp(): string[] {
  return [
    'SKIPPED ORDERS',
    'An order with a status that means "do not send" is skipped and listed. dray reads',
    'the status from Financial Status, Fulfillment Status, Order status, Payment status,',
    'Cancelled at, Date shipped, Shipping Method and the like, in the languages below.',
    '--include WORD,… also sends such orders; all sends all of them:',
    ...pairs(SKIP_REASONS.map((reason): [string, string] => [reason, SKIP_REASON_WORDS[reason].text])),
    'A partly refunded or partly sent order is created, with a warning, and so is an',
    'order with an unknown status. --json has skipped and warnings.',
    '',
  ]
}

/** Returns which cells are rejected, though they look like values. */
export function noValueHelp(codes: string): string[] {
  return [
    'CELLS WITHOUT A VALUE',
    ...wrapWords(
      `Errors of a spreadsheet (#N/A, #VALUE!, #WERT!), ########, and empty-value words (NULL, NaN, None, undefined) reject their row; in an optional text, such a word is read as empty and listed. Null is accepted as a person’s name. A shortened number (5.01235E+12) is rejected in ${codes}. A file with rows longer than its header is rejected: 6,50 without quotes is two cells.`,
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
    'COLUMNS AND ACCEPTED HEADERS',
    ...pairs(
      columns.map(({ name, required, part }): [string, string] => [
        required ? `${name} (required)` : name,
        part.replaceAll(/"/g, '').replaceAll(';', ','),
      ]),
    ),
    'Words for the recipient can precede them, such as Ship to or Consignee; columns',
    'of a payer, a sender or an item are never read as the recipient’s.',
    '',
    `IN ${languages.slice(0, -1).join(', ')} AND ${languages.at(-1)}`.toUpperCase(),
    'These and other common words, in any case, with or without accents.',
    ...pairs(
      Object.entries(HEADER_NAMES[kind.name] ?? {})
        .filter(([column]) => columns.some(({ name }) => name === column))
        .map(([column, words]): [string, string] => [column, words.join(', ')]),
    ),
  ]
}
