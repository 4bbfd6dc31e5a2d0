/** Whether an item of a JSON menu has the shape that the service takes: what its schema says, in the words of its errors. */
import { UNAVAILABLE_REASONS } from '../../../areas/catalog/rules/catalog.ts'
import type { FieldError } from '../../../core/errors.ts'
import { MAX_AMOUNT } from '../../../core/money.ts'
import { parseTimestamp } from '../../../core/time.ts'
import { shortenedNumber } from '../../../rows/csv/cells.ts'
import { describeNoValue } from '../../../rows/csv/no-value.ts'
import type { MenuColumn } from './column-names.ts'
import { columnOf } from './columns.ts'
import { MOST_GROUPS, MOST_MODIFIERS } from './modifiers.ts'

type Json = Readonly<Record<string, unknown>>

/** Says what is wrong with the value at a pointer. */
type Check = (value: unknown, pointer: string) => FieldError[]

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function wrong(pointer: string, code: FieldError['code'], detail: string): FieldError[] {
  return [{ pointer, code, detail }]
}

function nameOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}

function text(max: number, { blank = false }: { blank?: boolean } = {}): Check {
  return (value, pointer) => {
    if (typeof value !== 'string') return wrong(pointer, 'wrong_type', `${nameOf(pointer)} must be a text`)
    if (!blank && value.trim() === '')
      return wrong(pointer, 'invalid_format', `${nameOf(pointer)} must not be blank`)
    return Array.from(value).length > max
      ? wrong(pointer, 'too_long', `${nameOf(pointer)} must have at most ${max} characters`)
      : []
  }
}

/** The text of a column: not an error of a spreadsheet or a word for nothing, and a code with all of its digits. */
function value(column: MenuColumn, most: { max?: number; blank?: boolean } = {}): Check {
  const spec = columnOf(column)
  const isText = text(most.max ?? spec.max ?? 0, most)
  return (given, pointer) => {
    const faults = isText(given, pointer)
    if (faults.length > 0 || typeof given !== 'string') return faults
    const shortened = spec.code === true ? shortenedNumber(given.trim())?.fault.detail : undefined
    const detail = shortened ?? describeNoValue(given.trim(), spec)
    return detail === undefined ? [] : wrong(pointer, 'invalid_format', detail)
  }
}

function integer(min: number, max: number, { none = false }: { none?: boolean } = {}): Check {
  return (value, pointer) => {
    if (none && value === null) return []
    if (typeof value !== 'number' || !Number.isInteger(value))
      return wrong(pointer, 'wrong_type', `${nameOf(pointer)} must be a whole number`)
    return value < min || value > max
      ? wrong(pointer, 'out_of_range', `${nameOf(pointer)} must be from ${min} to ${max}`)
      : []
  }
}

const boolean: Check = (value, pointer) =>
  typeof value === 'boolean' ? [] : wrong(pointer, 'wrong_type', `${nameOf(pointer)} must be true or false`)

const amount = shape({ amount: integer(0, MAX_AMOUNT), currency: text(3) }, ['amount', 'currency'])

/** A bare number could be pounds or pence. */
const money: Check = (value, pointer) =>
  isRecord(value)
    ? amount(value, pointer)
    : wrong(
        pointer,
        'wrong_type',
        `${nameOf(pointer)} must be an amount such as "11.50" or {"amount": 1150, "currency": "GBP"}`,
      )

const url: Check = (value, pointer) =>
  typeof value === 'string' && value.length <= 500 && /^https?:\/\//.test(value)
    ? []
    : wrong(pointer, 'invalid_format', `${nameOf(pointer)} must start with http:// or https://`)

const instant: Check = (value, pointer) =>
  typeof value === 'string' && parseTimestamp(value) !== undefined
    ? []
    : wrong(pointer, 'invalid_format', `${nameOf(pointer)} must be an instant such as 2026-11-21T17:00:00Z`)

const reason: Check = (value, pointer) =>
  UNAVAILABLE_REASONS.some((each) => each === value)
    ? []
    : wrong(pointer, 'invalid_enum', `${nameOf(pointer)} must be one of ${UNAVAILABLE_REASONS.join(', ')}`)

function list(check: Check, most: number, least = 0): Check {
  return (value, pointer) => {
    if (!Array.isArray(value)) return wrong(pointer, 'wrong_type', `${nameOf(pointer)} must be a list`)
    if (value.length > most)
      return wrong(pointer, 'too_many', `${nameOf(pointer)} must have at most ${most} entries`)
    if (value.length < least)
      return wrong(pointer, 'required', `${nameOf(pointer)} must have at least ${least} entries`)
    return value.flatMap((each, index) => check(each, `${pointer}/${index}`))
  }
}

function shape(members: Readonly<Record<string, Check>>, required: readonly string[]): Check {
  return (value, pointer) => {
    if (!isRecord(value)) return wrong(pointer, 'wrong_type', `${nameOf(pointer)} must be an object`)
    const missing = required.filter((name) => value[name] === undefined || value[name] === '')
    return [
      ...missing.flatMap((name) => wrong(`${pointer}/${name}`, 'required', `${name} is required`)),
      ...Object.entries(value).flatMap(([name, each]) => {
        if (missing.includes(name)) return []
        const check = Object.hasOwn(members, name) ? members[name] : undefined
        return check === undefined
          ? wrong(`${pointer}/${name}`, 'unknown_member', `${name} is not known here`)
          : check(each, `${pointer}/${name}`)
      }),
    ]
  }
}

const modifier = shape({ name: text(120), price_delta: money, available: boolean, is_default: boolean }, [
  'name',
])

const group = shape(
  {
    name: text(120),
    min_selections: integer(0, 50),
    max_selections: integer(1, 50, { none: true }),
    allow_repeats: boolean,
    modifiers: list(modifier, MOST_MODIFIERS, 1),
  },
  ['name', 'modifiers'],
)

const tags = list(text(40), 30)

const item = shape(
  {
    name: value('name'),
    category: value('category'),
    price: money,
    description: value('description', { blank: true }),
    modifier_groups: list(group, MOST_GROUPS),
    available: boolean,
    unavailable_until: instant,
    unavailable_reason: reason,
    dietary_tags: tags,
    allergens: tags,
    image_url: url,
    sku: value('sku'),
    external_ref: value('external_ref'),
    barcode: value('barcode', { max: 20 }),
    cost: money,
    stock: integer(0, 1_000_000_000),
    supplier_id: value('supplier_id'),
    tax_rate_bps: integer(0, 10_000),
    sort_order: integer(0, 1_000_000),
    category_sort: integer(0, 1_000_000),
  },
  ['name', 'category', 'price'],
)

/** Everything wrong with the shape of a body of `create_catalog_item`. */
export function checkShape(request: Json): FieldError[] {
  return item(request, '')
}
