/** Settles which of several headers with amounts is the price that a customer pays today; where two may be, it is a question. */
import type { HeaderCandidate, ColumnSearch } from '../../../tabular/columns/columns.ts'
import { parseHeader } from '../../../tabular/columns/header-parser.ts'
import { bestOf, collectUsedPositions } from '../../../tabular/columns/map.ts'
import { isExcluded } from '../../../tabular/columns/match.ts'
import { readMoney } from '../../../tabular/csv/cells.ts'
import { headerKey } from '../../../tabular/csv/keys.ts'
import { getMenuColumn, type MenuColumn } from './columns.ts'

type File = ColumnSearch<MenuColumn>

/** Words of headers that have the word for a price and hold none: `Price category`, `price_type`. */
const NO_AMOUNT =
  /(?:^|_)(?:category|group|type|level|list|tier|code|currency|date|rule|updated|qty|quantity)(?:_|$)/

/**
 * Returns the headers that may still name a column. One price beside others that differ from it is not the price for certain:
 * `Price` beside `Price [Shop A]`, `New price` or `Price incl. VAT`. The headers that no customer of today pays do not count.
 */
export function disambiguatePrices(file: File): readonly HeaderCandidate<MenuColumn>[] {
  const { sources, candidates, how } = file
  const best = bestOf(candidates, 'price')
  const [first] = best
  if (first === undefined || how === 'preset' || sources.has('price')) return candidates
  const isUnitOnly = best.length === 1 && saysUnit(file, first.at)
  // Beside a price without tax, a unit price is that of a kilogram or a litre.
  if (isUnitOnly && findPrices(file).some((at) => at !== first.at && isNever(file, at)))
    return candidates.filter(({ column }) => column !== 'price')
  const rivals = findPrices(file).filter(
    (at) => !isNever(file, at) && best.every((each) => differ(file, at, each.at)),
  )
  if (rivals.length === 0) return candidates
  const open = [...best.map(({ at }) => at), ...rivals].toSorted((a, b) => a - b)
  return [
    ...candidates.filter(({ column }) => column !== 'price'),
    ...open.map((at): HeaderCandidate<MenuColumn> => ({ column: 'price', how: 'alias', rank: 0, at })),
  ]
}

/** The headers with the word for a price, of those that no other column has. */
function findPrices({ table, sources, candidates, closed }: File): number[] {
  const used = collectUsedPositions(sources)
  const others = new Set(candidates.flatMap(({ column, at }) => (column === 'price' ? [] : [at])))
  return [...table.header.keys()].filter((at) => {
    const header = table.header[at] ?? ''
    if (used.has(at) || others.has(at) || closed.has(at) || NO_AMOUNT.test(headerKey(header))) return false
    return parseHeader(header).readings.some(({ parts }) => parts.some((part) => PRICES.has(part)))
  })
}

const PRICES: ReadonlySet<string> = new Set(['price', 'gross', 'net price'])

function isNever({ table }: File, at: number): boolean {
  const header = table.header[at] ?? ''
  const isNet = parseHeader(header).readings.some(({ parts }) => parts.includes('net price'))
  return isNet || isExcluded(getMenuColumn('price'), header)
}

function saysUnit({ table }: File, at: number): boolean {
  return parseHeader(table.header[at] ?? '').readings.some(({ owners }) => owners.includes('unit'))
}

/** Returns whether a column holds amounts, and for some item another one than the column `own`. */
function differ({ table }: File, at: number, own: number): boolean {
  const amounts = table.rows.map(({ cells }) => [at, own].map((place) => amountOf(cells[place] ?? '')))
  if (amounts.some(([amount]) => amount === 'none')) return false
  return amounts.some(([amount, other]) => amount !== undefined && amount !== other)
}

/** Returns an amount as digits; undefined for an empty cell, `none` for words. */
function amountOf(cell: string): string | undefined {
  if (cell.trim() === '') return undefined
  const reading = readMoney(cell.trim(), 'GBP')
  return 'value' in reading ? String(reading.value.amount) : 'none'
}
