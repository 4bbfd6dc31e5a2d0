/** `--fields a,b.c`: selects fields of each row, in this order. */
import { AppError } from '../../core/errors.ts'
import { clean } from './text.ts'

type Tree = Map<string, Tree | true>

/** Parses the dotted names of `--fields`, in order. Throws AppError('usage') when there is none. */
export function parseFields(text: string): string[] {
  const fields = [...new Set(text.split(',').map((field) => field.trim()))].filter((field) => field !== '')
  if (fields.length === 0) {
    throw new AppError('usage', '--fields needs at least one field, as in --fields status,created_at.', {
      hint: '`--fields help` lists them.',
    })
  }
  return fields
}

/** Returns every dotted name in the rows, each object before its members. */
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

/** Returns whether a field is one of these names, or a part of one that may hold anything: `name.*`. */
function isAmong(field: string, names: ReadonlySet<string>): boolean {
  if (names.has(field)) return true
  const parts = field.split('.')
  return parts.some((_, end) => end > 0 && names.has(`${parts.slice(0, end).join('.')}.*`))
}

/** Throws AppError('usage') with every field that is not among the names, and the names. */
export function assertAmong(fields: readonly string[], names: readonly string[]): void {
  const known = new Set(names)
  const unknown = fields.filter((field) => !isAmong(field, known))
  if (unknown.length === 0) return
  const top = names.filter((field) => !field.includes('.'))
  throw new AppError(
    'usage',
    clean(`--fields knows no ${unknown.join(', ')}; there are: ${top.join(', ')}.`),
    {
      hint: '`--fields help` lists them all, nested ones too.',
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

/** Returns the rows with only those fields, nested as in the interface. A missing field is null. */
export function project(value: unknown, fields: readonly string[]): unknown {
  return prune(value, treeOf(fields))
}

/** Returns the value at a dotted name; for a list, the value in each item. A name may itself contain a dot. */
export function pick(value: unknown, field: string): unknown {
  if (isObject(value) && Object.hasOwn(value, field)) return value[field]
  let found = value
  for (const key of field.split('.'))
    found = Array.isArray(found) ? found.map((item) => member(item, key)) : member(found, key)
  return found
}

/** Returns whether a field may exist: a member that is null in every row may hold anything. */
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
