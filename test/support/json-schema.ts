/**
 * A second implementation of JSON Schema, as far as the OpenAPI document needs it. It uses no code of the program or
 * its schema library, so that both cannot be wrong in the same way. An unknown keyword is an error.
 */
export type JsonSchema = { readonly [keyword: string]: unknown }

type Rule = (given: never, value: never, schema: JsonSchema) => string | undefined

/** Makes a validator for the schemas of one document, whose `$ref`s point into it. */
export function makeSchemaReader(document: unknown) {
  function resolve(schema: JsonSchema): JsonSchema {
    const target = schema['$ref']
    if (typeof target !== 'string') return schema
    let found: unknown = document
    for (const part of target.slice(2).split('/')) found = (found as Record<string, unknown>)[part]
    if (found === undefined) throw new Error(`${target} leads nowhere`)
    return resolve(found as JsonSchema)
  }

  /** Returns the errors of a value as `place: error`; empty when it is valid. */
  function faultsOf(given: JsonSchema, value: unknown, place = ''): string[] {
    const schema = resolve(given)
    return Object.entries(schema).flatMap(([keyword, argument]) => {
      if (NOTES.has(keyword) || keyword.startsWith('x-')) return []
      const nested = NESTED[keyword]
      if (nested !== undefined) return nested(argument, value, place, schema)
      const rule = RULES[keyword]
      if (rule === undefined) throw new Error(`${place}: the keyword ${keyword} is not known here`)
      const fault = rule(argument as never, value as never, schema)
      return fault === undefined ? [] : [`${place || '/'}: ${fault}`]
    })
  }

  type Nested = (argument: unknown, value: unknown, place: string, schema: JsonSchema) => string[]
  const NESTED: Readonly<Record<string, Nested>> = {
    properties: (argument, value, place) =>
      isObject(value)
        ? Object.entries(argument as Record<string, JsonSchema>).flatMap(([name, schema]) =>
            Object.hasOwn(value, name) ? faultsOf(schema, value[name], `${place}/${name}`) : [],
          )
        : [],
    additionalProperties: (allowed, value, place, { properties = {} }) => {
      const extra = isObject(value)
        ? Object.entries(value).filter(([name]) => !Object.hasOwn(properties as object, name))
        : []
      if (typeof allowed === 'object')
        return extra.flatMap(([name, member]) => faultsOf(allowed as JsonSchema, member, `${place}/${name}`))
      const names = extra.map(([name]) => name).join(', ')
      return allowed === true || names === '' ? [] : [`${place || '/'}: does not have ${names}`]
    },
    items: (argument, value, place) =>
      Array.isArray(value)
        ? value.flatMap((item, index) => faultsOf(argument as JsonSchema, item, `${place}/${index}`))
        : [],
    anyOf: (argument, value, place) => {
      const each = (argument as JsonSchema[]).map((schema) => faultsOf(schema, value, place))
      return each.some(({ length }) => length === 0) ? [] : each.flat()
    },
    allOf: (argument, value, place) =>
      (argument as JsonSchema[]).flatMap((schema) => faultsOf(schema, value, place)),
  }

  return { resolve, faultsOf }
}

export type SchemaReader = ReturnType<typeof makeSchemaReader>

/** Keywords for people only. */
const NOTES = new Set(['description', 'default', 'title', 'examples'])

const RULES: Readonly<Record<string, Rule>> = {
  type: (type: string, value: unknown) =>
    isOfType(type, value) ? undefined : `must be of type ${type}, is ${JSON.stringify(value)?.slice(0, 80)}`,
  const: (wanted: unknown, value: unknown) =>
    wanted === value ? undefined : `must be ${JSON.stringify(wanted)}`,
  enum: (choices: unknown[], value: unknown) =>
    choices.includes(value) ? undefined : `${JSON.stringify(value)} is none of ${choices.join(', ')}`,
  required: (names: string[], value: unknown) => {
    const missing = isObject(value) ? names.filter((name) => !Object.hasOwn(value, name)) : []
    return missing.length > 0 ? `lacks ${missing.join(', ')}` : undefined
  },
  maxProperties: (most: number, value: unknown) =>
    isObject(value) && Object.keys(value).length > most ? `has more than ${most} members` : undefined,
  minimum: (least: number, value: unknown) =>
    typeof value === 'number' && value < least ? `${value} is less than ${least}` : undefined,
  maximum: (most: number, value: unknown) =>
    typeof value === 'number' && value > most ? `${value} is more than ${most}` : undefined,
  minLength: (least: number, value: unknown) =>
    typeof value === 'string' && lengthOf(value) < least ? `is shorter than ${least}` : undefined,
  maxLength: (most: number, value: unknown) =>
    typeof value === 'string' && lengthOf(value) > most ? `is longer than ${most}` : undefined,
  pattern: (pattern: string, value: unknown) =>
    typeof value === 'string' && !new RegExp(pattern, 'u').test(value)
      ? `${JSON.stringify(value)} does not match ${pattern}`
      : undefined,
  format: (format: string, value: unknown) => {
    const fits = FORMATS[format]
    if (fits === undefined) throw new Error(`the format ${format} is not known here`)
    return typeof value === 'string' && !fits(value) ? `${JSON.stringify(value)} is no ${format}` : undefined
  },
  minItems: (least: number, value: unknown) =>
    Array.isArray(value) && value.length < least ? `has fewer than ${least} items` : undefined,
  maxItems: (most: number, value: unknown) =>
    Array.isArray(value) && value.length > most ? `has more than ${most} items` : undefined,
  uniqueItems: (unique: boolean, value: unknown) =>
    unique && Array.isArray(value) && new Set(value.map((item) => JSON.stringify(item))).size < value.length
      ? 'has the same item twice'
      : undefined,
}

/** The formats. `date-time` is RFC 3339 without leap seconds, which the service's clock does not have. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isDay(text),
  'date-time': (text) => {
    const [, day, hours, minutes, seconds, , away = '00', off = '00'] =
      /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?(?:[Zz]|[+-](\d\d):(\d\d))$/.exec(text) ?? []
    if (day === undefined) return false
    const inTime = [hours, away].every((part) => Number(part) < 24)
    return isDay(day) && inTime && [minutes, seconds, off].every((part) => Number(part) < 60)
  },
}

function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** Returns the length in code points, as JSON Schema counts it. */
function lengthOf(text: string): number {
  return Array.from(text).length
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}
