/** `--fields a,b.c`: selects fields of each row, in this order. */
import { AppError } from '../../core/errors.ts'
import { splitFields, unknownAmong } from '../../core/fields.ts'
import { isRecord } from '../../core/record.ts'
import { sanitizeForTerminal } from './text.ts'

/** Parses the dotted names of `--fields`, in order. Throws AppError('usage') when there is none. */
export function parseFields(text: string): string[] {
  const fields = splitFields(text)
  if (fields.length === 0) {
    throw new AppError('usage', '--fields needs at least one field, such as --fields status,created_at.', {
      hint: '`--fields help` lists them.',
    })
  }
  return fields
}

/** Returns every dotted name in the rows, each object before its fields. */
export function fieldsOf(rows: readonly unknown[]): string[] {
  const fields = new Set<string>()
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, path)
    } else if (isRecord(value)) {
      for (const [key, member] of Object.entries(value)) {
        const inner = path === '' ? key : `${path}.${key}`
        fields.add(inner)
        visit(member, inner)
      }
    }
  }
  for (const row of rows) visit(row, '')
  return [...fields]
}

/** Throws AppError('usage') with every field that is not among the names, and the names. */
export function assertAmong(fields: readonly string[], names: readonly string[]): void {
  const unknown = unknownAmong(fields, names)
  if (unknown.length === 0) return
  const top = names.filter((field) => !field.includes('.'))
  throw new AppError(
    'usage',
    sanitizeForTerminal(`Unknown fields in --fields: ${unknown.join(', ')}. Available: ${top.join(', ')}.`),
    {
      hint: '`--fields help` lists all, including nested fields.',
    },
  )
}

/**
 * Throws AppError('usage') with every unknown field and the known ones. `declare` returns the fields that the answer
 * may have; it is called only when the rows do not suffice. Without rows and declaration it checks nothing.
 */
export async function assertFields(
  fields: readonly string[],
  rows: readonly unknown[],
  declare: () => Promise<readonly string[]>,
): Promise<void> {
  const held = new Set(fieldsOf(rows))
  const missing = fields.filter((field) => !held.has(field) && !mayHold(rows, field))
  if (missing.length === 0) return
  const known = [...new Set([...(await declare()), ...held])]
  if (known.length > 0) assertAmong(missing, known)
}

/** Returns the value at a dotted name; for a list, the value in each item. A name may itself contain a dot. */
export function pickField(value: unknown, field: string): unknown {
  if (isRecord(value) && Object.hasOwn(value, field)) return value[field]
  let found = value
  for (const key of field.split('.'))
    found = Array.isArray(found) ? found.map((item) => member(item, key)) : member(found, key)
  return found
}

/** Returns whether a field may exist: a member that is null in every row may hold anything. */
function mayHold(rows: readonly unknown[], field: string): boolean {
  const parent = field.slice(0, field.lastIndexOf('.'))
  if (parent === '' || parent === field) return false
  const found = rows.map((row) => pickField(row, parent))
  return (
    found.some((value) => value === null) && found.every((value) => value === null || value === undefined)
  )
}

function member(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
