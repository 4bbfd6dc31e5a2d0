/**
 * Replaces `typebox` in the build with functions that return the same JSON Schemas as plain objects. TypeBox adds
 * hidden properties to each; doing so for one resource takes longer than reading a page of it from the store.
 * Validation and its messages still use TypeBox itself.
 */

type Schema = Record<string, unknown>
type Options = Readonly<Schema>

/** The results of `Optional`: properties that an object does not require. */
const optional = new WeakSet<Schema>()

function Optional(schema: Schema): Schema {
  const copy = { ...schema }
  optional.add(copy)
  return copy
}

function ObjectOf(properties: Readonly<Record<string, Schema>>, options?: Options): Schema {
  const required = Object.keys(properties).filter((name) => !optional.has(properties[name] ?? {}))
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
}

function ArrayOf(items: Schema, options?: Options): Schema {
  return { type: 'array', items, ...options }
}

function Union(anyOf: readonly Schema[], options?: Options): Schema {
  return { anyOf, ...options }
}

function Enum(values: readonly string[], options?: Options): Schema {
  return { enum: values, ...options }
}

function Literal(value: string | number | boolean, options?: Options): Schema {
  return { type: typeof value, const: value, ...options }
}

function Unsafe(schema: Schema): Schema {
  return schema
}

function simple(type: string): (options?: Options) => Schema {
  return (options) => ({ type, ...options })
}

const Text = simple('string')
const Integer = simple('integer')
const NumberOf = simple('number')
const BooleanOf = simple('boolean')
const Null = simple('null')

export {
  ArrayOf as Array,
  BooleanOf as Boolean,
  Enum,
  Integer,
  Literal,
  Null,
  NumberOf as Number,
  ObjectOf as Object,
  Optional,
  Text as String,
  Union,
  Unsafe,
}
