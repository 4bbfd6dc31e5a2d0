/** Whether an item of a JSON menu has the form that the service takes, and values that nobody wrote by mistake. */
import type { FieldError } from '../../../core/errors.ts'
import { validate } from '../../../gateway/validation.ts'
import { shortenedNumber } from '../../../rows/csv/cells.ts'
import { describeNoValue } from '../../../rows/csv/no-value.ts'
import { COLUMNS } from './columns.ts'

type Json = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a body of `create_catalog_item` as the service reads it, and the first error of each of its members. */
export async function checkShape(request: Json): Promise<{ input: Json; errors: FieldError[] }> {
  const { input, errors } = await validate(await import('../../../generated/operations/create_catalog_item.ts'), request)
  const first = new Map(errors.toReversed().map((error) => [error.pointer, error]))
  return { input, errors: [...first.values()].toReversed().map(withAmount) }
}

/** A bare number could be pounds or pence. */
function withAmount(error: FieldError): FieldError {
  const name = /(?:price|cost|price_delta)$/.exec(error.pointer ?? '')?.[0]
  return name === undefined || error.code !== 'wrong_type'
    ? error
    : { ...error, detail: `${name} must be an amount such as "11.50" or {"amount": 1150, "currency": "GBP"}` }
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
