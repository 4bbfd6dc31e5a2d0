/** The context in which the cells of a menu are read. */
import type { Money } from '../../../core/money.ts'
import type { Source } from '../../../rows/columns/columns.ts'
import { currencyInHeader } from '../../../rows/columns/phrase.ts'
import type { Read } from '../../../rows/columns/take.ts'
import {
  fault,
  type Reading,
  readMoney,
  readStatedMoney,
  readText,
  shortenedNumber,
  type Stated,
} from '../../../rows/csv/cells.ts'
import type { MenuColumn } from './columns.ts'
import { columnOf } from './columns.ts'
import { type MenuMapping } from './kind.ts'
import { readSurcharge } from './modifiers.ts'

export type Scope = {
  mapping: MenuMapping
  /** The currency of amounts without one. */
  currency: string
  /** The currency that the row says in a column of its own. */
  stated?: Stated | undefined
  /** The store's, where it is known: the service refuses amounts in another one. */
  store: string | undefined
}

/** A name: in one line, unless we wrote the file, which has it as the store does. */
export function text(column: MenuColumn, { mapping }: Pick<Scope, 'mapping'>): Read<string> {
  return (value) =>
    mapping.exact
      ? verbatim(value.trim(), column, true)
      : verbatim(value.replaceAll(/\s+/g, ' ').trim(), column, false)
}

/** A code by which an item is found. Several long numbers may be shortened to the same text. */
export function code(column: MenuColumn, scope: Pick<Scope, 'mapping'>): Read<string> {
  return (value, source) => shortenedNumber(value.trim()) ?? text(column, scope)(value, source)
}

/** Returns a text; files that dray wrote may contain any stored text, even control characters. */
export function verbatim(value: string, column: MenuColumn, own: boolean): Reading<string> {
  const { max = 0 } = columnOf(column)
  return own && Array.from(value).length <= max ? { value } : readText(value, max)
}

/** Headers such as `Price (p)` and `price_in_cents`: 340 would be read as £340.00. */
const IN_MINOR_UNITS = /_(?:p|pence|cents?|centimes|centimos|centesimi|minor(?:_units?)?)$/

/** An amount in the currency that it, its header or its row names, else the store's; all that name one must agree. */
export function amount(column: MenuColumn, { mapping, currency, stated }: Scope): Read<Money> {
  const { table, preset } = mapping
  return (value, source: Source | undefined) => {
    const at = source?.at[0] ?? -1
    const key = table.keys[at] ?? ''
    if (IN_MINOR_UNITS.test(key))
      return fault(
        'invalid_format',
        `${JSON.stringify(table.header[at])} is not in major units; write amounts like 8.50, and name the column ${column}.`,
      )
    const isNamed = preset === undefined && columnOf(column).read === 'money'
    const read = column === 'modifier_price' ? readSurcharge : readMoney
    const header = table.header[at] ?? column
    const inHeader = isNamed ? currencyInHeader(header, currency) : undefined
    if (inHeader === undefined)
      return stated === undefined ? read(value, currency) : readStatedMoney(value, stated, read)
    if (stated !== undefined && stated.currency !== inHeader)
      return fault(
        'mutually_exclusive',
        `${JSON.stringify(header)} says ${inHeader}, and ${JSON.stringify(stated.header)} says ${stated.currency}; correct one of them.`,
      )
    return readStatedMoney(value, { currency: inHeader, header }, read)
  }
}
