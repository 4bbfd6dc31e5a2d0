import { pairs } from '../cli/topic-lines.ts'
/** Parts of the help of files of rows: what is not sent, and what is not read. */
import { LEFT_OUT_REASONS, LEFT_OUT_TEXTS } from '../rows/manifest/order-status.ts'

/** Returns which orders are left out of an upload. */
export function leftOutHelp(): string[] {
  return [
    'ORDERS THAT ARE LEFT OUT',
    'An order whose status says that it should not be sent is left out, and said. The',
    'status stands under Financial Status, Fulfillment Status, Order status, Payment',
    'status, Cancelled at, Date shipped, Shipping Method and the like, in the languages',
    'below. --include WORD,… sends such orders, too; all sends all of them:',
    ...pairs(LEFT_OUT_REASONS.map((reason): [string, string] => [reason, LEFT_OUT_TEXTS[reason]])),
    'An order that is refunded or sent in part is created, with a warning; so is one',
    'with a status that is not known. --json has left_out and warnings.',
    '',
  ]
}

/** Returns which cells are refused, though they look like values. */
export function noValueHelp(codes: string): string[] {
  return [
    'CELLS WITHOUT A VALUE',
    'Errors of a spreadsheet (#N/A, #VALUE!, #WERT!), ########, and the words of programs',
    'for nothing (NULL, NaN, None, undefined) refuse their row; where a text may be left',
    'out, such a word is read as empty, and said. A person may be called Null. A shortened',
    `number (5.01235E+12) is refused in ${codes}. A file`,
    'with rows of more cells than its header is refused: 6,50 without quotes is two.',
    '',
  ]
}
