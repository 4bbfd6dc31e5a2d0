/** Whether an item of a JSON menu has the shape that the service takes: what its schema says, in the words of its errors. */
import type { FieldError } from '../../../core/errors.ts'
import { parseTimestamp } from '../../../core/time.ts'
import { FIELDS } from '../../../generated/fields/create_catalog_item.ts'
import type { Field } from '../../../rows/columns/field.ts'
import { shortenedNumber } from '../../../rows/csv/cells.ts'
import { describeNoValue } from '../../../rows/csv/no-value.ts'
import { COLUMNS } from './columns.ts'

type Json = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Everything wrong with the shape of a body of `create_catalog_item`. */
export function checkShape(request: Json): FieldError[] {
  return check(request, '', '')
}

/** `path` is the pointer with `*` for each entry of a list, as `FIELDS` has it. */
function check(value: unknown, pointer: string, path: string): FieldError[] {
  const field = FIELDS[path]
  if (field === undefined) return wrong(pointer, 'unknown_member', 'is not known here')
  if (value === null && field.nullable === true) return []
  if (field.type === 'object') return checkObject(value, pointer, path)
  if (field.type === 'array') return checkList(value, pointer, path, field)
  return checkValue(value, pointer, field)
}

function checkValue(value: unknown, pointer: string, field: Field): FieldError[] {
  const { type, choices = [], min = 0, max = Infinity } = field
  if (type === 'string') return checkText(value, pointer, field)
  if (type === 'boolean')
    return typeof value === 'boolean' ? [] : wrong(pointer, 'wrong_type', 'must be true or false')
  if (type === 'enum') {
    const fits = choices.some((choice) => choice === value)
    return fits ? [] : wrong(pointer, 'invalid_enum', `must be one of ${choices.join(', ')}`)
  }
  if (typeof value !== 'number' || !Number.isInteger(value))
    return wrong(pointer, 'wrong_type', 'must be a whole number')
  return value < min || value > max ? wrong(pointer, 'out_of_range', `must be from ${min} to ${max}`) : []
}

function checkObject(value: unknown, pointer: string, path: string): FieldError[] {
  if (!isRecord(value)) {
    // A bare number could be pounds or pence.
    const amount = 'must be an amount such as "11.50" or {"amount": 1150, "currency": "GBP"}'
    const isMoney = FIELDS[`${path}/amount`] !== undefined
    return wrong(pointer, 'wrong_type', isMoney ? amount : 'must be an object')
  }
  const required = Object.entries(FIELDS).flatMap(([each, field]) =>
    field.required === true && each.startsWith(`${path}/`) ? each.slice(path.length + 1) : [],
  )
  const missing = required.filter(
    (name) => /^[^/*]+$/.test(name) && [undefined, ''].includes(value[name] as ''),
  )
  return [
    ...missing.flatMap((name) => wrong(`${pointer}/${name}`, 'required', 'is required')),
    ...Object.entries(value).flatMap(([name, each]) =>
      missing.includes(name) ? [] : check(each, `${pointer}/${name}`, `${path}/${name}`),
    ),
  ]
}

function checkList(
  value: unknown,
  pointer: string,
  path: string,
  { min = 0, max = Infinity }: Field,
): FieldError[] {
  if (!Array.isArray(value)) return wrong(pointer, 'wrong_type', 'must be a list')
  if (value.length > max) return wrong(pointer, 'too_many', `must have at most ${max} entries`)
  if (value.length < min) return wrong(pointer, 'required', `must have at least ${min} entries`)
  return value.flatMap((each, index) => check(each, `${pointer}/${index}`, `${path}/*`))
}

function checkText(
  value: unknown,
  pointer: string,
  { max = Infinity, pattern, format, fault }: Field,
): FieldError[] {
  if (typeof value !== 'string') return wrong(pointer, 'wrong_type', 'must be a text')
  if (Array.from(value).length > max) return wrong(pointer, 'too_long', `must have at most ${max} characters`)
  if (format === 'date-time' && parseTimestamp(value) === undefined)
    return wrong(pointer, 'invalid_format', 'must be an instant such as 2026-11-21T17:00:00Z')
  const fits = pattern === undefined || new RegExp(pattern, 'u').test(value)
  return fits ? [] : wrong(pointer, 'invalid_format', fault ?? `must look like ${pattern}`)
}

/** Returns the texts that are an error of a spreadsheet, a word for nothing, or a code without all of its digits. */
export function findNoValues(request: Json): FieldError[] {
  return COLUMNS.flatMap((column): FieldError[] => {
    const { pointer, code } = column
    const value = request[pointer.slice(1)]
    if (typeof value !== 'string') return []
    const text = value.trim()
    const shortened = code === true ? shortenedNumber(text)?.fault.detail : undefined
    const detail = shortened ?? describeNoValue(text, column)
    return detail === undefined ? [] : [{ pointer, code: 'invalid_format', detail }]
  })
}

function wrong(pointer: string, code: FieldError['code'], detail: string): FieldError[] {
  return [{ pointer, code, detail: `${pointer.slice(pointer.lastIndexOf('/') + 1)} ${detail}` }]
}
