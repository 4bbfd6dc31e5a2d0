import { type NumberProblem, decimalToNumber, parseDecimal } from '../../core/decimal.ts'
import units from './units.json' with { type: 'json' }

export type WeightUnit = 'g' | 'kg' | 'oz' | 'lb'
export type LengthUnit = 'mm' | 'cm' | 'm' | 'in'
export type Unit = WeightUnit | LengthUnit

/** A quantity that cannot be used, in the words of a row error. */
export type QuantityProblem = NumberProblem

type Kind = 'weight' | 'length'

/** Each unit with its size in grams or millimetres, and its words in cells and headers of five languages. */
const UNITS = units as Readonly<Record<Unit, { kind: Kind; size: number; words: string }>>

const NAMES = Object.keys(UNITS) as Unit[]

const BY_WORD = new Map(NAMES.flatMap((unit) => UNITS[unit].words.split(' ').map((word) => [word, unit])))

/** Returns the units that a column which is read so can have; none for one that is no quantity. */
export function unitsOf(read: string): Unit[] {
  return NAMES.filter((unit) => UNITS[unit].kind === (read === 'dimensions' ? 'length' : read))
}

/** Returns the unit of a word in lower case, such as `oz` or `zentimeter`; only one of a kind, where that is given. */
export function unitOf(word: string, kind?: Kind): Unit | undefined {
  const unit = BY_WORD.get(word)
  return unit === undefined || (kind ?? UNITS[unit].kind) !== UNITS[unit].kind ? undefined : unit
}

/** Kinds of cells that are numbers. */
export const NUMERIC: ReadonlySet<string> = new Set('weight length dimensions money count tax'.split(' '))

/** `1 lb 4 oz`, and what the columns of a file say together: `1 lb + 4 oz`, `2 × 500 g + 1 × 300 g`. */
const TERMS = /\s\+\s|(?<=(?:lbs?|pounds?)\.?)[\s,]+(?:and\s+)?(?=\d)/i

/**
 * Whole grams of `1.2kg`, `8oz`, `1 lb 4 oz`, or a bare number in `unit`. A fraction of a gram is rejected, unless it comes
 * of pounds and ounces.
 */
export function parseWeight(text: string, unit: WeightUnit): number | QuantityProblem {
  // Nearly every cell is a plain number, which this reads in a tenth of the time.
  if (unit === 'g' && /^[1-9]\d{0,8}$/.test(text)) return Number(text)
  const terms = text.split(TERMS).map((term) => {
    const [, times = '1', own = term] = /^(\d{1,6})\s*×\s*(.+)$/.exec(term.trim()) ?? []
    return { times: Number(times), size: parseSize(own, unit) }
  })
  const fault = terms.map(({ size }) => size).find((size) => 'problem' in size)
  if (fault !== undefined) return fault as QuantityProblem
  const sizes = terms.flatMap(({ size, times }) => ('problem' in size ? [] : [{ ...size, times }]))
  const [pounds, ounces] = sizes
  const isMixed = sizes.length === 2 && pounds?.unit === 'lb' && ounces?.unit === 'oz'
  if (isMixed && ounces.number > 0 && (ounces.number >= 16 || !Number.isInteger(pounds.number)))
    return {
      problem: 'ambiguous_number',
      detail: `${text.trim()} may be the same weight twice; write whole pounds with ounces below 16, or only one of them.`,
    }
  const total = sizes.reduce((sum, { base, times }) => sum + base * times, 0)
  return whole(text, total, sizes.every(({ isRound }) => isRound) ? 'g' : undefined)
}

/** Whole millimetres of `30cm`, `12in`, or a bare number in `unit`. A fraction is rejected, unless it comes of inches. */
export function parseLength(text: string, unit: LengthUnit): number | QuantityProblem {
  if (unit === 'mm' && /^[1-9]\d{0,8}$/.test(text)) return Number(text)
  const size = parseSize(text, unit)
  return 'problem' in size ? size : whole(text, size.base, size.isRound ? 'mm' : undefined)
}

/** Length, width and height of `30x20x10cm`, `20 by 15 by 5 cm`: one unit behind the last is that of all. */
export function parseDimensions(text: string, unit: LengthUnit): [number, number, number] | QuantityProblem {
  const parts = dimensionParts(text)
  if (parts === undefined) {
    return { problem: 'invalid_format', detail: 'Dimensions are three lengths, like 30x20x10cm.' }
  }
  const shared = splitUnit(parts[2], 'length').unit
  const sizes: number[] = []
  for (const part of parts) {
    const own = splitUnit(part, 'length').unit ?? shared
    const size = parseLength(own === undefined ? part : `${splitUnit(part, 'length').number}${own}`, unit)
    if (typeof size !== 'number') return size
    sizes.push(size)
  }
  return sizes as [number, number, number]
}

/** People write the sign between two sides in many ways: the Cyrillic letter is one of them. */
const BETWEEN = /\s*[x×*хХ]\s*|\s+by\s+/i

function dimensionParts(text: string): [string, string, string] | undefined {
  const parts = text.split(BETWEEN)
  return parts.length === 3 ? (parts as [string, string, string]) : undefined
}

/** A number with its unit. `base` is in grams or millimetres, and `isRound` where a whole number of them is meant. */
type Size = { number: number; unit: Unit; base: number; isRound: boolean }

function parseSize(text: string, unit: Unit): Size | QuantityProblem {
  const { kind, size } = UNITS[unit]
  const own = splitUnit(text, kind)
  const decimal = parseDecimal(own.number)
  if ('problem' in decimal)
    return (decimal.problem === 'invalid_format' && unitFault(text, own.number, kind)) || decimal
  const number = decimalToNumber(decimal)
  if (own.unit === undefined && size === 1 && !Number.isInteger(number)) {
    return {
      problem: 'invalid_format',
      detail: `${own.number} ${unit} has a fraction; write whole ${unit}, or the unit behind the number.`,
    }
  }
  const factor = own.unit === undefined ? size : UNITS[own.unit].size
  return { number, unit: own.unit ?? unit, base: number * factor, isRound: Number.isInteger(factor) }
}

const WHOLE = { g: 'gram', mm: 'millimetre' } as const

/** Grams or millimetres as a whole number; `exactly` names the unit of which a fraction is no rounding but a mistake. */
function whole(
  text: string,
  base: number,
  exactly: keyof typeof WHOLE | undefined,
): number | QuantityProblem {
  const result = Math.round(base)
  const isFraction = exactly !== undefined && Math.abs(base - result) > 1e-6
  if (result < 1 || (isFraction && base < 1))
    return { problem: 'out_of_range', detail: `${text.trim()} is too small; it must be more than 0.` }
  if (isFraction)
    return {
      problem: 'invalid_format',
      detail: `${text.trim()} has a fraction of a ${WHOLE[exactly]}; write whole ${WHOLE[exactly]}s.`,
    }
  if (!Number.isSafeInteger(result))
    return { problem: 'out_of_range', detail: `${text.trim()} is too large.` }
  return result
}

/** Says what is wrong with the unit of a cell that is no number. */
function unitFault(text: string, number: string, kind: Kind): QuantityProblem | undefined {
  const problem = 'invalid_format'
  const units = unitsOf(kind).join(', ')
  const given = text.trim()
  const first = /^[\d.,]+\s*([a-z]+)[^a-z]*\d/i.exec(given)?.[1]?.toLowerCase()
  if (first !== undefined && unitOf(first, kind) !== undefined && given.length <= 40)
    return { problem, detail: `${JSON.stringify(given)} is two numbers; write it as one, in ${units}.` }
  // The rest of `12 stone` is no number either, but the fault is its unit.
  const strange = /^[\d.,\s]+([^\d.,\s]+)$/.exec(number)?.[1]
  if (strange === undefined) return undefined
  return { problem, detail: `${JSON.stringify(strange)} is not a unit; use ${units}.` }
}

function splitUnit(text: string, kind: Kind): { number: string; unit: Unit | undefined } {
  const found = /^(.*?[\d.,])\s*([a-z]+|["”″])\.?$/i.exec(text.trim())
  const unit = unitOf(found?.[2]?.toLowerCase().replace(/[”″]/, '"') ?? '', kind)
  return unit === undefined ? { number: text.trim(), unit } : { number: found?.[1] ?? '', unit }
}

/** Returns whether a cell is the word of a unit, such as `oz`. */
export function isUnit(cell: string, kind?: Kind): boolean {
  return unitOf(cell.trim().toLowerCase().replace(/\.$/, ''), kind) !== undefined
}

/** Returns whether a number has its unit, or none can stand behind it. */
export function isBare(text: string): boolean {
  return /[\d.,]\s*$/.test(text)
}

/**
 * Returns whether these numbers can only have decimal commas, as in `12,5`, and none a decimal point: then `1.250` is 1250, and
 * `1,250` is 1.25.
 */
export function haveDecimalCommas(cells: readonly string[]): boolean {
  if (!cells.some((cell) => cell.includes(','))) return false
  const numbers = cells.flatMap((cell) => cell.split(BETWEEN))
  return (
    numbers.some((text) => /^\D*(?:0|[\d.]*\d),(?:\d{1,2}|\d{4,})\D*$|^\D*0,\d+\D*$/.test(text)) &&
    !numbers.some((text) => /\d\.\d{1,2}\D*$|,\d{3},|,\d{3}\./.test(text))
  )
}

/** Numbers with points between thousands or a decimal comma. */
const GROUPED = /\d{1,3}(?:\.\d{3})+(?!\d)(?:,\d+)?|\d+,\d+/g

/** Returns numbers of decimal commas with points, and without what groups their thousands. */
export function withPoints(text: string): string {
  return text.replaceAll(GROUPED, (number) => number.replaceAll('.', '').replace(',', '.'))
}

/**
 * Returns numbers of decimal commas as they are read without the others of their file: ungrouped, and not with three
 * decimals, which may group thousands.
 */
export function withSureCommas(text: string): string {
  return text.replaceAll(GROUPED, (number) => number.replaceAll('.', '').replace(/(?<=[1-9]\d*,\d{3})$/, '0'))
}

/**
 * The place of the cell that leaves the unit of a column of bare numbers open: the first with a fraction, else the first
 * below 50 where the median is. Undefined where they are grams or millimetres. Cells that name a unit,
 * are empty or are no numbers do not count.
 */
export function findOpenUnit(
  cells: readonly string[],
  kind: 'weight' | 'length' | 'dimensions',
): number | undefined {
  const values = cells.flatMap((cell, at) =>
    (kind === 'dimensions' ? bareDimensions(cell) : bare(cell, kind)).map((value) => ({ at, value })),
  )
  const fraction = values.find(({ value }) => !Number.isInteger(value))
  if (fraction !== undefined || values.length === 0) return fraction?.at
  const sorted = values.map(({ value }) => value).sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  const median = sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2
  return median < 50 ? values.find(({ value }) => value < 50)?.at : undefined
}

function bareDimensions(cell: string): number[] {
  const parts = dimensionParts(cell)
  if (parts === undefined || splitUnit(parts[2], 'length').unit !== undefined) return []
  return parts.flatMap((part) => bare(part, 'length'))
}

function bare(cell: string, kind: Kind): number[] {
  if (cell.trim() === '') return []
  const { number, unit } = splitUnit(cell.replace(/^\d+\s*×\s*/, ''), kind)
  if (unit !== undefined) return []
  const decimal = parseDecimal(number)
  return 'problem' in decimal ? [] : [decimalToNumber(decimal)]
}

/** In English, then in German, French, Spanish, Italian and Polish, as people and spreadsheets write a truth value. */
const YES = new Set('yes true 1 y j s ja wahr oui vrai si sí sì verdadero vero tak prawda'.split(' '))
const NO = new Set('no false 0 n nein falsch non faux falso nie fałsz'.split(' '))

/** yes/no, true/false, 1/0, y/n in any case, and the same in five other languages; undefined for anything else. */
export function parseBoolean(text: string): boolean | undefined {
  const word = text.trim().toLowerCase()
  return YES.has(word) ? true : NO.has(word) ? false : undefined
}
