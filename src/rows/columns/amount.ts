/** Reads amounts of money, of which the cell, the header and the row may name a currency. */
import type { Money } from '../../core/money.ts'
import { fault, type Reading, readMoney } from '../csv/cells.ts'
import type { Mapping } from './columns.ts'
import { currencyInHeader } from './phrase.ts'
import type { Read } from './take.ts'
import { headerOf } from './texts.ts'

/** The currency that an amount has, and the currency that the row says in a column of its own. */
export type Currency = { usual: string; stated?: string | undefined }

/** Headers such as `Price (p)` and `price_in_cents`: 340 would be read as £340.00. */
const IN_MINOR_UNITS = /_(?:p|pence|cents?|centimes|centimos|centesimi|minor(?:_units?)?)$/

/** Returns what reads an amount in the currency that it, its header or its row names, else the usual one. All that name one must agree. */
export function readAmount<Name extends string>(
  mapping: Mapping<Name>,
  column: Name,
  { usual, stated }: Currency,
  read: (text: string, currency: string) => Reading<Money> = readMoney,
): Read<Money> {
  return (text, source) => {
    const header = JSON.stringify(headerOf(mapping, column, source))
    if (source !== undefined && IN_MINOR_UNITS.test(mapping.table.keys[source.at[0] ?? -1] ?? ''))
      return fault(
        'invalid_format',
        `${header} is not in major units; write amounts like 8.50, and name the column ${column}.`,
      )
    const named = source && currencyInHeader(headerOf(mapping, column, source), stated ?? usual)
    const rowHeader = JSON.stringify(headerOf(mapping, 'currency' as Name))
    if (named !== undefined && stated !== undefined && named !== stated)
      return contradiction(`${header} says ${named}`, `${rowHeader} says ${stated}`)
    const meant = named ?? stated
    const reading = read(text, meant ?? usual)
    if (meant === undefined || 'fault' in reading || reading.value.currency === meant) return reading
    const said = `${text.slice(0, 20)} is in ${reading.value.currency}`
    return contradiction(said, `${named === undefined ? rowHeader : header} says ${meant}`)
  }
}

function contradiction(one: string, other: string): Reading<never> {
  return fault('mutually_exclusive', `${one}, and ${other}; correct one of them.`)
}
