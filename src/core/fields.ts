/** The fields of a response: their names by its schema, and answers that hold only some of them. */
import { AppError, type ProblemFieldError } from './errors.ts'
import { findClosestWord } from './nearest.ts'

type Schema = {
  type?: string
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  items?: Schema
  anyOf?: Schema[]
}

type Tree = Map<string, Tree | true>

/** Stands for every field, where programs shorten a response by themselves. */
const ALL = 'all'

/** Returns the dotted names of a comma list, each once. */
export function splitFields(text: string): string[] {
  return [...new Set(text.split(',').map((field) => field.trim()))].filter((field) => field !== '')
}

/** Returns whether a comma list stands for every field. */
export function namesAll(text: string): boolean {
  return text.trim() === ALL
}

/**
 * Throws AppError('unknown_field'), with the likely names, unless a response, or each row of a list, has every field of a
 * comma list or the list is `all`. `place` is where the caller wrote the list.
 */
export function assertKnownFields(
  output: object,
  text: string,
  place: Pick<ProblemFieldError, 'pointer' | 'parameter'> = { pointer: '/fields' },
): void {
  if (namesAll(text)) return
  const fields = splitFields(text)
  const names = fieldNames(output)
  const unknown = fields.length === 0 ? [text.trim()] : unknownAmong(fields, names)
  if (unknown.length === 0) return
  const meant = unknown.flatMap((field) => {
    // `fee` most likely means `delivery.fee`.
    const inner = names.find((name) => name.endsWith(`.${field}`))
    return inner ?? findClosestWord(field, names) ?? []
  })
  const top = names.filter((name) => !name.includes('.'))
  const detail = `Unknown fields: ${unknown.join(', ')}. Available: ${top.join(', ')}, and their members after a dot`
  throw new AppError('unknown_field', `${detail}.`, {
    errors: [{ ...place, code: 'invalid_enum', detail }],
    extra: { alternatives: [...new Set(meant)] },
    ...(meant.length > 0 && { hint: `Did you mean ${meant.join(', ')}?` }),
  })
}

/**
 * Returns the dotted names of all fields that a response, or each row of a list, may have; an object comes before its
 * fields, and `name.*` may hold anything.
 */
export function fieldNames(output: object, path = ''): string[] {
  const { data, has_more } = (output as Schema).properties ?? {}
  const row = has_more === undefined ? (output as Schema) : (data?.items ?? (output as Schema))
  return [...new Set([...(path === '' ? [] : [path]), ...namesOf(row, path)])]
}

function namesOf(
  { type, properties, additionalProperties, items, anyOf = [] }: Schema,
  path: string,
): string[] {
  const own = Object.entries(properties ?? {}).flatMap(([key, member]) => {
    const name = path === '' ? key : `${path}.${key}`
    return [name, ...namesOf(member, name)]
  })
  const isOpen = type === 'object' && (properties === undefined || additionalProperties !== false)
  const inner = [...(items === undefined ? [] : [items]), ...anyOf]
  return [...own, ...(isOpen ? [`${path}.*`] : []), ...inner.flatMap((schema) => namesOf(schema, path))]
}

/** Returns the fields that are none of these names, nor a part of one that may hold anything: `name.*`. */
export function unknownAmong(fields: readonly string[], names: readonly string[]): string[] {
  const known = new Set(names)
  return fields.filter((field) => {
    const parts = field.split('.')
    return (
      !known.has(field) && !parts.some((_, end) => end > 0 && known.has(`${parts.slice(0, end).join('.')}.*`))
    )
  })
}

/**
 * Returns the value, or each value of a list, with only those fields, nested as in the interface. A field that is
 * missing is null in a table, and stays missing in a response.
 */
export function project(value: unknown, fields: readonly string[], missing: 'null' | 'missing'): unknown {
  return prune(value, treeOf(fields), missing)
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

function prune(value: unknown, tree: Tree, missing: 'null' | 'missing'): unknown {
  if (Array.isArray(value)) return value.map((item) => prune(item, tree, missing))
  if (typeof value !== 'object' || value === null) return null
  return Object.fromEntries(
    [...tree].flatMap(([key, inner]) => {
      if (!Object.hasOwn(value, key) && missing === 'missing') return []
      const held = Object.hasOwn(value, key) ? ((value as Record<string, unknown>)[key] ?? null) : null
      return [[key, inner === true || held === null ? held : prune(held, inner, missing)]]
    }),
  )
}
