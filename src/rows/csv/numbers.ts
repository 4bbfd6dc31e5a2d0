import { type NumberProblem, decimalToNumber, parseDecimal } from '../../core/decimal.ts'

export type WeightUnit = 'g' | 'kg' | 'oz' | 'lb'
export type LengthUnit = 'mm' | 'cm' | 'm' | 'in'
export type Unit = WeightUnit | LengthUnit

/** A quantity that cannot be used, in the words of a row error. */
export type Problem = NumberProblem

/** How a unit is written in cells and headers. */
export const WEIGHT_WORDS: Readonly<Record<string, WeightUnit>> = {
  g: 'g',
  gr: 'g',
  gram: 'g',
  grams: 'g',
  gramm: 'g',
  gramme: 'g',
  grammes: 'g',
  gramo: 'g',
  gramos: 'g',
  grammo: 'g',
  grammi: 'g',
  kg: 'kg',
  kgs: 'kg',
  kilo: 'kg',
  kilos: 'kg',
  kilogram: 'kg',
  kilograms: 'kg',
  kilogramm: 'kg',
  kilogramme: 'kg',
  kilogrammes: 'kg',
  kilogramo: 'kg',
  kilogramos: 'kg',
  chilogrammo: 'kg',
  chilogrammi: 'kg',
  chili: 'kg',
  oz: 'oz',
  ounce: 'oz',
  ounces: 'oz',
  lb: 'lb',
  lbs: 'lb',
  pound: 'lb',
  pounds: 'lb',
}

export const LENGTH_WORDS: Readonly<Record<string, LengthUnit>> = {
  mm: 'mm',
  millimetre: 'mm',
  millimetres: 'mm',
  millimeters: 'mm',
  millimeter: 'mm',
  milimetros: 'mm',
  millimetri: 'mm',
  cm: 'cm',
  cms: 'cm',
  centimetre: 'cm',
  centimetres: 'cm',
  centimeters: 'cm',
  zentimeter: 'cm',
  centimetros: 'cm',
  centimetri: 'cm',
  m: 'm',
  metre: 'm',
  metres: 'm',
  meters: 'm',
  meter: 'm',
  metros: 'm',
  metri: 'm',
  in: 'in',
  inch: 'in',
  inches: 'in',
  zoll: 'in',
  pouces: 'in',
  pulgadas: 'in',
  pollici: 'in',
  '"': 'in',
}

const GRAMS: Readonly<Record<WeightUnit, number>> = { g: 1, kg: 1000, oz: 28.349523125, lb: 453.59237 }
const MILLIMETRES: Readonly<Record<LengthUnit, number>> = { mm: 1, cm: 10, m: 1000, in: 25.4 }

/** Whole grams of `1.2kg`, `8oz`, or a bare number in `unit`. */
export function parseWeight(text: string, unit: WeightUnit): number | Problem {
  return parseQuantity(text, unit, WEIGHT_WORDS, GRAMS)
}

/** Whole millimetres of `30cm`, `12in`, or a bare number in `unit`. */
export function parseLength(text: string, unit: LengthUnit): number | Problem {
  return parseQuantity(text, unit, LENGTH_WORDS, MILLIMETRES)
}

/** Length, width and height of `30x20x10cm`: one unit behind the last is that of all. */
export function parseDimensions(text: string, unit: LengthUnit): [number, number, number] | Problem {
  const parts = dimensionParts(text)
  if (parts === undefined) {
    return { problem: 'invalid_format', detail: 'Dimensions are three lengths, like 30x20x10cm.' }
  }
  const shared = takeUnit(parts[2], LENGTH_WORDS).unit
  const sizes: number[] = []
  for (const part of parts) {
    const own = takeUnit(part, LENGTH_WORDS).unit ?? shared
    const size = parseLength(own === undefined ? part : `${takeUnit(part, LENGTH_WORDS).number}${own}`, unit)
    if (typeof size !== 'number') return size
    sizes.push(size)
  }
  return sizes as [number, number, number]
}

function dimensionParts(text: string): [string, string, string] | undefined {
  const parts = text.split(/\s*[x×*]\s*/i)
  return parts.length === 3 ? (parts as [string, string, string]) : undefined
}

type Words<U extends Unit> = Readonly<Record<string, U>>

function parseQuantity<U extends Unit>(
  text: string,
  unit: U,
  words: Words<U>,
  factors: Readonly<Record<U, number>>,
): number | Problem {
  // Nearly every cell is a plain number, which this reads in a tenth of the time.
  if (factors[unit] === 1 && /^[1-9]\d{0,8}$/.test(text)) return Number(text)
  const own = takeUnit(text, words)
  const decimal = parseDecimal(own.number)
  if ('problem' in decimal)
    return (decimal.problem === 'invalid_format' && unitFault(text, own.number, words, factors)) || decimal
  const value = decimalToNumber(decimal)
  if (own.unit === undefined && factors[unit] === 1 && !Number.isInteger(value)) {
    return {
      problem: 'invalid_format',
      detail: `${own.number} ${unit} has a fraction; write whole ${unit}, or the unit behind the number.`,
    }
  }
  const result = Math.round(value * factors[own.unit ?? unit])
  if (result < 1)
    return { problem: 'out_of_range', detail: `${text.trim()} is too small; it must be more than 0.` }
  if (!Number.isSafeInteger(result))
    return { problem: 'out_of_range', detail: `${text.trim()} is too large.` }
  return result
}

/** Says what is wrong with the unit of a cell that is no number. */
function unitFault<U extends Unit>(
  text: string,
  number: string,
  words: Words<U>,
  factors: Readonly<Record<U, number>>,
): Problem | undefined {
  const problem = 'invalid_format'
  const units = Object.keys(factors).join(', ')
  const given = text.trim()
  const first = /^[\d.,]+\s*([a-z]+)[^a-z]*\d/i.exec(given)?.[1]?.toLowerCase()
  if (first !== undefined && Object.hasOwn(words, first) && given.length <= 40)
    return { problem, detail: `${JSON.stringify(given)} is two numbers; write it as one, in ${units}.` }
  // The rest of `12 stone` is no number either, but the fault is its unit.
  const strange = /^[\d.,\s]+([^\d.,\s]+)$/.exec(number)?.[1]
  if (strange === undefined) return undefined
  return { problem, detail: `${JSON.stringify(strange)} is not a unit; use ${units}.` }
}

function takeUnit<U extends Unit>(text: string, words: Words<U>): { number: string; unit: U | undefined } {
  const found = /^(.*?[\d.,])\s*([a-z]+|")\.?$/i.exec(text.trim())
  const word = found?.[2]?.toLowerCase()
  const unit = word !== undefined && Object.hasOwn(words, word) ? words[word] : undefined
  return unit === undefined ? { number: text.trim(), unit } : { number: found?.[1] ?? '', unit }
}

/**
 * The place of the cell that leaves the unit of a column of bare numbers open: the first with a fraction, else the first
 * below 50 where the median is. Undefined where they are grams or millimetres (`contract.md` E). Cells that name a unit,
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
  if (parts === undefined || takeUnit(parts[2], LENGTH_WORDS).unit !== undefined) return []
  return parts.flatMap((part) => bare(part, 'length'))
}

function bare(cell: string, kind: 'weight' | 'length'): number[] {
  if (cell.trim() === '') return []
  const { number, unit } = takeUnit<Unit>(cell, kind === 'weight' ? WEIGHT_WORDS : LENGTH_WORDS)
  if (unit !== undefined) return []
  const decimal = parseDecimal(number)
  return 'problem' in decimal ? [] : [decimalToNumber(decimal)]
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  yes: true,
  true: true,
  '1': true,
  y: true,
  no: false,
  false: false,
  '0': false,
  n: false,
  // In German, French, Spanish and Italian, as people type them and as their spreadsheets write a truth value.
  j: true,
  s: true,
  ja: true,
  nein: false,
  wahr: true,
  falsch: false,
  oui: true,
  non: false,
  vrai: true,
  faux: false,
  si: true,
  sí: true,
  sì: true,
  verdadero: true,
  vero: true,
  falso: false,
}

/** yes/no, true/false, 1/0, y/n in any case, and the same in four other languages; undefined for anything else. */
export function parseBoolean(text: string): boolean | undefined {
  const word = text.trim().toLowerCase()
  return Object.hasOwn(BOOLEANS, word) ? BOOLEANS[word] : undefined
}
