import { type NumberProblem, decimalToNumber, parseDecimal } from '../../core/decimal.ts'

export type WeightUnit = 'g' | 'kg' | 'oz' | 'lb'
export type LengthUnit = 'mm' | 'cm' | 'm' | 'in'
export type Unit = WeightUnit | LengthUnit

/** A quantity that cannot be used, in the words of a row error. */
export type Problem = NumberProblem

/** How a unit is written in cells and headers, in five languages. */
export const WEIGHT_WORDS = byWord<WeightUnit>({
  g: 'g gr gram grams gramm gramme grammes gramo gramos grammo grammi',
  kg: 'kg kgs kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes kilogramo kilogramos chilogrammo chilogrammi chili',
  oz: 'oz ounce ounces',
  lb: 'lb lbs pound pounds',
})

export const LENGTH_WORDS = byWord<LengthUnit>({
  mm: 'mm millimetre millimetres millimeters millimeter milimetros millimetri',
  cm: 'cm cms centimetre centimetres centimeters zentimeter centimetros centimetri',
  m: 'm metre metres meters meter metros metri',
  in: 'in inch inches zoll pouces pulgadas pollici "',
})

function byWord<U extends Unit>(words: Readonly<Record<U, string>>): Readonly<Record<string, U>> {
  const units = Object.entries<string>(words) as [U, string][]
  return Object.fromEntries(units.flatMap(([unit, list]) => list.split(' ').map((word) => [word, unit])))
}

const GRAMS: Readonly<Record<WeightUnit, number>> = { g: 1, kg: 1000, oz: 28.349523125, lb: 453.59237 }
const MILLIMETRES: Readonly<Record<LengthUnit, number>> = { mm: 1, cm: 10, m: 1000, in: 25.4 }

/** Kinds of cells that are numbers. */
export const NUMERIC: ReadonlySet<string> = new Set([
  'weight',
  'length',
  'dimensions',
  'money',
  'count',
  'tax',
])

/** `1 lb 4 oz`, and what the columns of a file say together: `1 lb + 4 oz`, `2 × 500 g + 1 × 300 g`. */
const TERMS = /\s\+\s|(?<=(?:lbs?|pounds?)\.?)[\s,]+(?:and\s+)?(?=\d)/i

/**
 * Whole grams of `1.2kg`, `8oz`, `1 lb 4 oz`, or a bare number in `unit`. A fraction of a gram is refused, unless it comes
 * of pounds and ounces.
 */
export function parseWeight(text: string, unit: WeightUnit): number | Problem {
  // Nearly every cell is a plain number, which this reads in a tenth of the time.
  if (unit === 'g' && /^[1-9]\d{0,8}$/.test(text)) return Number(text)
  const terms = text.split(TERMS).map((term) => {
    const [, times = '1', own = term] = /^(\d{1,6})\s*×\s*(.+)$/.exec(term.trim()) ?? []
    return { times: Number(times), size: parseSize(own, unit, WEIGHT_WORDS, GRAMS) }
  })
  const fault = terms.map(({ size }) => size).find((size) => 'problem' in size)
  if (fault !== undefined) return fault as Problem
  const sizes = terms.flatMap(({ size, times }) => ('problem' in size ? [] : [{ ...size, times }]))
  const [pounds, ounces] = sizes
  const isMixed = sizes.length === 2 && pounds?.unit === 'lb' && ounces?.unit === 'oz'
  if (isMixed && ounces.number > 0 && (ounces.number >= 16 || !Number.isInteger(pounds.number)))
    return {
      problem: 'ambiguous_number',
      detail: `${text.trim()} may be one weight told twice; write whole pounds, and ounces below 16, or one of them.`,
    }
  const total = sizes.reduce((sum, { base, times }) => sum + base * times, 0)
  return whole(text, total, sizes.every(({ isRound }) => isRound) ? 'g' : undefined)
}

/** Whole millimetres of `30cm`, `12in`, or a bare number in `unit`. A fraction is refused, unless it comes of inches. */
export function parseLength(text: string, unit: LengthUnit): number | Problem {
  if (unit === 'mm' && /^[1-9]\d{0,8}$/.test(text)) return Number(text)
  const size = parseSize(text, unit, LENGTH_WORDS, MILLIMETRES)
  return 'problem' in size ? size : whole(text, size.base, size.isRound ? 'mm' : undefined)
}

/** Length, width and height of `30x20x10cm`, `20 by 15 by 5 cm`: one unit behind the last is that of all. */
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

/** People write the sign between two sides in many ways: the Cyrillic letter is one of them. */
const BETWEEN = /\s*[x×*хХ]\s*|\s+by\s+/i

function dimensionParts(text: string): [string, string, string] | undefined {
  const parts = text.split(BETWEEN)
  return parts.length === 3 ? (parts as [string, string, string]) : undefined
}

type Words<U extends Unit> = Readonly<Record<string, U>>

/** A number with its unit. `base` is in grams or millimetres, and `isRound` where a whole number of them is meant. */
type Size = { number: number; unit: Unit; base: number; isRound: boolean }

function parseSize<U extends Unit>(
  text: string,
  unit: U,
  words: Words<U>,
  factors: Readonly<Record<U, number>>,
): Size | Problem {
  const own = takeUnit(text, words)
  const decimal = parseDecimal(own.number)
  if ('problem' in decimal)
    return (decimal.problem === 'invalid_format' && unitFault(text, own.number, words, factors)) || decimal
  const number = decimalToNumber(decimal)
  if (own.unit === undefined && factors[unit] === 1 && !Number.isInteger(number)) {
    return {
      problem: 'invalid_format',
      detail: `${own.number} ${unit} has a fraction; write whole ${unit}, or the unit behind the number.`,
    }
  }
  const factor = factors[own.unit ?? unit]
  return { number, unit: own.unit ?? unit, base: number * factor, isRound: Number.isInteger(factor) }
}

const WHOLE = { g: 'gram', mm: 'millimetre' } as const

/** Grams or millimetres as a whole number; `exactly` names the unit of which a fraction is no rounding but a mistake. */
function whole(text: string, base: number, exactly: keyof typeof WHOLE | undefined): number | Problem {
  const result = Math.round(base)
  if (exactly !== undefined && Math.abs(base - result) > 1e-6)
    return {
      problem: base < 1 ? 'out_of_range' : 'invalid_format',
      detail:
        base < 1
          ? `${text.trim()} is too small; it must be more than 0.`
          : `${text.trim()} has a fraction of a ${WHOLE[exactly]}; write whole ${WHOLE[exactly]}s.`,
    }
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
  const found = /^(.*?[\d.,])\s*([a-z]+|["”″])\.?$/i.exec(text.trim())
  const word = found?.[2]?.toLowerCase().replace(/[”″]/, '"')
  const unit = word !== undefined && Object.hasOwn(words, word) ? words[word] : undefined
  return unit === undefined ? { number: text.trim(), unit } : { number: found?.[1] ?? '', unit }
}

/** Whether a cell is the word of a unit, such as `oz`. */
export function isUnit(cell: string, words: Readonly<Record<string, Unit>>): boolean {
  return Object.hasOwn(words, cell.trim().toLowerCase().replace(/\.$/, ''))
}

/** Whether a number has its unit, or none can stand behind it. */
export function isBare(text: string): boolean {
  return /[\d.,]\s*$/.test(text)
}

/**
 * Whether these numbers can only have decimal commas, as in `12,5`, and none a decimal point: then `1.250` is 1250, and
 * `1,250` is 1.25.
 */
export function haveDecimalCommas(cells: readonly string[]): boolean {
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
  const { number, unit } = takeUnit<Unit>(
    cell.replace(/^\d+\s*×\s*/, ''),
    kind === 'weight' ? WEIGHT_WORDS : LENGTH_WORDS,
  )
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
