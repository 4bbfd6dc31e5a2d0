/** Fields that are null where their schema has no null: each is as if it were absent. */

type Schema = {
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
  anyOf?: readonly Schema[]
  'x-body-of'?: string
}

/** Returns the operation whose input each row of the input is; undefined for an input without rows. */
export function rowOperation(input: object): string | undefined {
  const members = Object.values((input as Schema).properties ?? {})
  return members.map(({ items }) => items?.['x-body-of']).find((name) => name !== undefined)
}

/**
 * Returns the value without the fields that are null where the schema has no null of its own; the value itself when
 * there are none. A required field is omitted, too, and is then reported as missing. Unknown fields and entries of
 * lists stay. `rows` is the schema of rows that are checked one by one.
 */
export function withoutNulls<V>(schema: object, value: V, rows?: object): V {
  return (holdsNull(value) ? clean(schema, value, rows) : value) as V
}

/** Returns whether a value is null or holds one. Nearly no input does, and this search is short. */
export function holdsNull(value: unknown): boolean {
  if (typeof value !== 'object') return false
  return value === null || Object.values(value).some(holdsNull)
}

function clean(schema: Schema, value: unknown, rows: Schema | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { items, properties } = formFor(schema, Array.isArray(value) ? 'array' : 'object')
  if (Array.isArray(value)) {
    if (items === undefined) return value
    const entrySchema = items['x-body-of'] === undefined ? items : (rows ?? items)
    return reuseUnchanged(
      value,
      value.map((entry) => clean(entrySchema, entry, rows)),
    )
  }
  if (properties === undefined) return value
  const before = Object.entries(value)
  const kept = before.filter(([name, member]) => member !== null || takesNull(memberOf(properties, name)))
  const after = kept.map(([name, member]) => clean(memberOf(properties, name), member, rows))
  const isSame = kept.length === before.length && kept.every(([, member], index) => member === after[index])
  return isSame ? value : Object.fromEntries(kept.map(([name], index) => [name, after[index]]))
}

function reuseUnchanged(before: unknown[], after: unknown[]): unknown[] {
  return after.every((entry, index) => entry === before[index]) ? before : after
}

/** Returns the schema of a field; one that takes anything for an unknown field, which the validator reports. */
function memberOf(properties: NonNullable<Schema['properties']>, name: string): Schema {
  return (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? {}
}

/** Returns the form of a union that has this type, or the schema itself. */
function formFor(schema: Schema, type: 'array' | 'object'): Schema {
  return schema.anyOf?.find((form) => form.type === type) ?? schema
}

/** Returns whether null fits a schema. */
export function takesNull({ type, const: constant, enum: words, anyOf }: Schema): boolean {
  if (anyOf !== undefined) return anyOf.some(takesNull)
  if (words !== undefined) return words.includes(null)
  return constant === null || type === 'null' || (type === undefined && constant === undefined)
}
