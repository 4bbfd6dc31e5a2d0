/** The context in which the cells of a menu are read. */
import type { Money } from '../../../core/money.ts'
import { readAmount } from '../../../rows/columns/amount.ts'
import type { Read } from '../../../rows/columns/take.ts'
import { type Reading, readText, shortenedNumber } from '../../../rows/csv/cells.ts'
import type { MenuColumn } from './columns.ts'
import { columnOf } from './columns.ts'
import { type MenuMapping } from './kind.ts'
import { readSurcharge } from './modifiers.ts'

export type Scope = {
  mapping: MenuMapping
  /** The currency of amounts without one. */
  currency: string
  /** The currency that the row says in a column of its own. */
  stated?: string | undefined
  /** The store's, where it is known: the service refuses amounts in another one. */
  store: string | undefined
}

/** A name: in one line, unless we wrote the file, which has it as the store does. */
export function text(column: MenuColumn, { mapping }: Pick<Scope, 'mapping'>): Read<string> {
  return (value) =>
    mapping.ours === 'export'
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

/** Returns what reads an amount of a column: the surcharge of a modifier may have a plus. */
export function amount(column: MenuColumn, { mapping, currency: usual, stated }: Scope): Read<Money> {
  return readAmount(
    mapping,
    column,
    { usual, stated },
    column === 'modifier_price' ? readSurcharge : undefined,
  )
}
