/** Reads amounts of money, of which the cell, the header and the row may name a currency. */
import type { Money } from '../../core/money.ts'
import { truncate, makeCellIssue, type ParseResult, readMoney } from '../csv/cells.ts'
import { headerKey } from '../csv/keys.ts'
import { headerOf } from './cell-text.ts'
import type { ColumnMapping } from './columns.ts'
import { currencyInHeader } from './header-parser.ts'
import type { CellParser } from './read-cell.ts'

/** The currency that an amount has, and the currency that the row says in a column of its own. */
export type Currency = { usual: string; stated?: string | undefined }

/** Headers such as `Price (p)` and `price_in_cents`: 340 would be read as £340.00. */
const IN_MINOR_UNITS = /_(?:p|pence|cents?|centimes|centimos|centesimi|minor(?:_units?)?)$/

/** Returns what reads an amount in the currency that it, its header or its row names, else the usual one. All that name one must agree. */
export function readAmount<Name extends string>(
  mapping: ColumnMapping<Name>,
  column: Name,
  { usual, stated }: Currency,
  read: (text: string, currency: string) => ParseResult<Money> = readMoney,
): CellParser<Money> {
  return (text, source) => {
    const header = headerOf(mapping, column, source)
    if (source !== undefined && IN_MINOR_UNITS.test(headerKey(header)))
      return makeCellIssue(
        'invalid_format',
        `${JSON.stringify(header)} is not in major units; write amounts like 8.50, and name the column ${column}.`,
      )
    const named = source && currencyInHeader(header, stated ?? usual)
    const [first, second] = [
      ...saying(named, header),
      ...saying(stated, headerOf(mapping, 'currency' as Name)),
    ]
    if (second !== undefined && first?.currency !== second.currency)
      return contradiction(first?.text ?? '', second.text)
    const reading = read(text, first?.currency ?? usual)
    if (first === undefined || 'fault' in reading || reading.value.currency === first.currency) return reading
    return contradiction(`${truncate(text, 20)} is in ${reading.value.currency}`, first.text)
  }
}

function saying(currency: string | undefined, header: string): { currency: string; text: string }[] {
  return currency === undefined ? [] : [{ currency, text: `${JSON.stringify(header)} says ${currency}` }]
}

function contradiction(one: string, other: string): ParseResult<never> {
  return makeCellIssue('mutually_exclusive', `${one}, and ${other}; correct one of them.`)
}
