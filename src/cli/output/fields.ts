/** `--fields a,b.c`: which parts of each row are shown, in that order. */
import { AppError } from '../../core/errors.ts'
import { clean } from './text.ts'

type Tree = Map<string, Tree | true>

/** The dotted names of `--fields`, in order. Throws AppError('usage') when there is none. */
export function parseFields(text: string): string[] {
  const fields = [...new Set(text.split(',').map((field) => field.trim()))].filter((field) => field !== '')
  if (fields.length === 0) {
    throw new AppError('usage', '--fields needs at least one field, as in --fields status,created_at.', {
      hint: '`--fields help` lists them.',
    })
  }
  return fields
}

/** Every dotted name that the rows hold, each object before its members. */
export function fieldsOf(rows: readonly unknown[]): string[] {
  const fields = new Set<string>()
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, path)
    } else if (isObject(value)) {
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

/**
 * Throws AppError('usage') that names every unknown field and lists the known ones. `declare` tells what the answer's
 * schema declares; it is asked when the rows do not settle it. No rows and no schema, nothing to hold against.
 */
export async function assertFields(
  fields: readonly string[],
  rows: readonly unknown[],
  declare: () => Promise<readonly string[]>,
): Promise<void> {
  const held = new Set(fieldsOf(rows))
  if (fields.every((field) => held.has(field) || mayHold(rows, field))) return
  const known = new Set([...(await declare()), ...held])
  if (known.size === 0) return
  const unknown = fields.filter((field) => !known.has(field) && !mayHold(rows, field))
  if (unknown.length === 0) return
  const top = [...known].filter((field) => !field.includes('.'))
  throw new AppError(
    'usage',
    clean(`--fields knows no ${unknown.join(', ')}; there are: ${top.join(', ')}.`),
    {
      hint: '`--fields help` lists them all, nested ones too.',
    },
  )
}

/** The rows with only those fields, nested as on the wire; what a row lacks is null. */
export function project(value: unknown, fields: readonly string[]): unknown {
  return prune(value, treeOf(fields))
}

/** What stands at a dotted name; of a list, what stands there in each of its items. A name may hold a dot itself. */
export function pick(value: unknown, field: string): unknown {
  if (isObject(value) && Object.hasOwn(value, field)) return value[field]
  let found = value
  for (const key of field.split('.'))
    found = Array.isArray(found) ? found.map((item) => member(item, key)) : member(found, key)
  return found
}

/** A member that is null in every row may hold anything. */
function mayHold(rows: readonly unknown[], field: string): boolean {
  const parent = field.slice(0, field.lastIndexOf('.'))
  if (parent === '' || parent === field) return false
  const found = rows.map((row) => pick(row, parent))
  return (
    found.some((value) => value === null) && found.every((value) => value === null || value === undefined)
  )
}

function treeOf(fields: readonly string[]): Tree {
  const root: Tree = new Map()
  for (const field of fields) {
    let node = root
    const keys = field.split('.')
    for (const [at, key] of keys.entries()) {
      const next = node.get(key)
      if (next === true) break
      if (at === keys.length - 1) node.set(key, true)
      else if (next === undefined) node.set(key, new Map())
      const inner = node.get(key)
      if (inner instanceof Map) node = inner
    }
  }
  return root
}

function prune(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) return value.map((item) => prune(item, tree))
  if (!isObject(value)) return null
  return Object.fromEntries(
    [...tree].map(([key, inner]) => {
      const held = member(value, key) ?? null
      return [key, inner === true || held === null ? held : prune(held, inner)]
    }),
  )
}

function member(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
