/**
 * The columns that rows fill and nothing reads. One that is no bookkeeping may ask for something of the parcel (`Signed for`,
 * `To pay`, `Hold at depot`): whether it goes without is a question.
 */
import { parseHeader } from '../columns/header-parser.ts'
import { isNone } from '../columns/unread.ts'
import { headerKey } from '../csv/keys.ts'
import data from './bookkeeping.json' with { type: 'json' }

const listOf = (text: string): ReadonlySet<string> => new Set(text.split(', '))

/** Persons and places that are not the recipient, and what is known of a person; goods; sums, dates and codes of an order. */
const OF_OTHERS = listOf(data.of_others)
const IDENTITY = listOf(data.identity)
const FIRMS = listOf(data.firms)
const GOODS = listOf(data.goods)
const ACCOUNTS = listOf(data.accounts)
const MEASURES = listOf(data.measures)
const WORDS = listOf(Object.values(data.words).join(', '))

/** Cells that no parcel can be asked for by: addresses of the web, and instants to the second, which programs write. */
const MADE_BY_PROGRAM = /^https?:\/\/|^\S+@\S+\.\S+$|\d{1,2}:\d{2}:\d{2}/

/** A code of letters and digits: where each row has another one, it names the row. */
const CODE = /^(?=.*\d)[\p{L}\d#/_-]+$/u

/** From so many rows on, codes that all differ are no accident. */
const MIN_CODES = 3

/** Returns whether an unread column may ask for something of the parcel; `cells` are all cells below it. */
export function mayAsk(header: string, cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => !isNone(cell))
  if (filled.every((cell) => MADE_BY_PROGRAM.test(cell.trim()))) return false
  return !isBookkeeping(header, filled) && !areNames(cells)
}

function areNames(cells: readonly string[]): boolean {
  const texts = cells.map((cell) => cell.trim())
  return (
    texts.length >= MIN_CODES &&
    new Set(texts).size === texts.length &&
    texts.every((text) => CODE.test(text))
  )
}

const OPTIONS = listOf('modifier, modifiers, delivery')

/** `Delivery option`, `Extras`: of a parcel, unless its cells name what they are, as options of goods do, `Size: L`. */
function asksForOption(owners: readonly string[], cells: readonly string[]): boolean {
  const isOption =
    owners.some((owner) => owner.startsWith('modifier')) && owners.every((owner) => OPTIONS.has(owner))
  return isOption && cells.every((cell) => !/[:=]/.test(cell))
}

function isBookkeeping(header: string, cells: readonly string[]): boolean {
  const { readings, unknown } = parseHeader(header)
  if (
    headerKey(header)
      .split('_')
      .some((word) => WORDS.has(word))
  )
    return true
  if (unknown.length > 0) return false
  return readings.some(({ owners, parts }) => {
    const isOnly = (known: ReadonlySet<string>): boolean => parts.every((part) => known.has(part))
    if (parts.includes('parcel count') || asksForOption(owners, cells)) return false
    if (owners.some((owner) => GOODS.has(owner))) return true
    if (parts.length === 0) return owners.length > 0 && owners.every((owner) => FIRMS.has(owner))
    if (owners.some((owner) => OF_OTHERS.has(owner))) return isOnly(IDENTITY)
    if (owners.includes('customer')) return isOnly(new Set(['number', 'code', 'reference', 'type', 'title']))
    // The time of an order; a time alone may be that of the delivery.
    if (parts.includes('time')) return parts.includes('date') || parts.includes('order')
    return owners.every((owner) => owner === 'parcel') && (isOnly(ACCOUNTS) || isOnly(MEASURES))
  })
}
