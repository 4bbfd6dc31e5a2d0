/** Makes values for schemas: valid ones, edge cases, and values that are invalid in exactly one place. */
import fc from 'fast-check'
import { isObject } from './json-schema.ts'
import type { SchemaReader, JsonSchema } from './json-schema.ts'

/** A change of one place, with its kind. */
type Change = { place: readonly string[]; what: string; to: unknown }

/** Marks a field as omitted. */
const LEFT_OUT = Symbol('left out')

/** Draws valid values; small ones and edges are more likely. */
export function valuesOf(reader: SchemaReader, given: JsonSchema): fc.Arbitrary<unknown> {
  const schema = reader.resolve(given)
  if ('const' in schema) return fc.constant(schema['const'])
  if ('enum' in schema) return fc.constantFrom(...(schema['enum'] as unknown[]))
  if ('anyOf' in schema)
    return fc.oneof(...(schema['anyOf'] as JsonSchema[]).map((form) => valuesOf(reader, form)))
  const make = BY_TYPE[String(schema['type'])]
  if (make === undefined) throw new Error(`no values for the type ${String(schema['type'])}`)
  return make(reader, schema)
}

type ArraySchema = { items?: JsonSchema; minItems?: number; maxItems?: number; uniqueItems?: boolean }
type ObjectSchema = { properties?: Record<string, JsonSchema>; required?: string[] }

const BY_TYPE: Readonly<Record<string, (reader: SchemaReader, schema: JsonSchema) => fc.Arbitrary<unknown>>> =
  {
    string: (reader, schema) => texts(schema).filter((text) => reader.faultsOf(schema, text).length === 0),
    integer: (_, schema) => {
      const { minimum: min = -1_000_000, maximum: max = 1_000_000 } = schema as Bounds
      return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max))
    },
    number: (_, schema) => {
      const { minimum: min = -1_000_000, maximum: max = 1_000_000 } = schema as Bounds
      const any = fc.double({ min, max, noNaN: true, noDefaultInfinity: true })
      // Removes the sign of zero, which JSON does not have.
      return fc.oneof(any, fc.constantFrom(min, max)).map((number) => number + 0)
    },
    boolean: () => fc.boolean(),
    null: () => fc.constant(null),
    array: (reader, schema) => {
      const { items = {}, minItems = 0, maxItems = 4, uniqueItems = false } = schema as ArraySchema
      const size = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 4) }
      const item = valuesOf(reader, items)
      return uniqueItems
        ? fc.uniqueArray(item, { ...size, selector: (one) => JSON.stringify(one) })
        : fc.array(item, size)
    },
    object: (reader, schema) => {
      const { properties, required = [] } = schema as ObjectSchema
      if (properties === undefined) return fc.dictionary(fc.string(), ANY, { maxKeys: 3 })
      const members = Object.entries(properties).map(([name, member]) => [name, valuesOf(reader, member)])
      return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>, {
        requiredKeys: required,
        noNullPrototype: true,
      })
    },
  }

/** Values for places without a schema. Integers beyond 2^53 are never allowed. */
const ANY = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null))

function texts(schema: JsonSchema): fc.Arbitrary<string> {
  const {
    format,
    pattern,
    minLength = 0,
    maxLength = 60,
  } = schema as {
    format?: string
    pattern?: string
    minLength?: number
    maxLength?: number
  }
  if (format !== undefined) {
    const span = { min: new Date('2026-11-01'), max: new Date('2026-12-31'), noInvalidDate: true }
    const instants = fc.date(span).map((at) => at.toISOString())
    if (format === 'date') return instants.map((at) => at.slice(0, 10))
    return fc.oneof(
      instants,
      instants.map((at) => at.replace(/\.\d+Z/, 'Z')),
      instants.map((at) => at.replace('Z', '+05:30')),
      instants.map((at) => at.toLowerCase()),
    )
  }
  if (pattern !== undefined && pattern !== '\\S') return fc.stringMatching(new RegExp(pattern, 'u'))
  const size = { minLength, maxLength: Math.min(maxLength, Math.max(minLength, 40)) }
  return fc.oneof(
    fc.string({ ...size, unit: 'grapheme-ascii' }),
    fc.string({ ...size, unit: 'binary' }).filter((text) => !text.includes('\0')),
  )
}

/** Returns valid edge cases, one place at a time. */
export function listEdgeCases(reader: SchemaReader, given: JsonSchema, value: unknown): Change[] {
  return [...changesOf(reader, given, value, [], edgesHere)]
}

/** Returns invalid values, one place at a time. */
export function listInvalidCases(reader: SchemaReader, given: JsonSchema, value: unknown): Change[] {
  return [...changesOf(reader, given, value, [], breaksHere)]
}

type Here = (schema: JsonSchema, value: unknown) => Iterable<ReplacementValue>

function* changesOf(
  reader: SchemaReader,
  given: JsonSchema,
  value: unknown,
  place: readonly string[],
  here: Here,
): Generator<Change> {
  const schema = reader.resolve(given)
  for (const [what, to] of here(schema, value)) yield { place, what, to }
  for (const form of (schema as Bounds).anyOf ?? []) {
    if (reader.faultsOf(form, value).length === 0) yield* changesOf(reader, form, value, place, here)
  }
  for (const [name, member, inner] of partsOf(schema, value)) {
    if (isObject(value)) {
      const { required = [] } = schema as ObjectSchema
      // Leaving out a required field is invalid; leaving out an optional one is an edge case.
      if (required.includes(name) === (here === breaksHere))
        yield { place: [...place, name], what: 'left out', to: LEFT_OUT }
    }
    yield* changesOf(reader, inner, member, [...place, name], here)
  }
}

/** Returns the fields of an object, or the first item of a list, which represents all. */
function partsOf(schema: JsonSchema, value: unknown): [name: string, part: unknown, schema: JsonSchema][] {
  const { properties = {}, items } = schema as ObjectSchema & ArraySchema
  if (Array.isArray(value)) return items === undefined || value.length === 0 ? [] : [['0', value[0], items]]
  if (!isObject(value)) return []
  return Object.entries(properties).flatMap(([name, member]): [string, unknown, JsonSchema][] =>
    Object.hasOwn(value, name) ? [[name, value[name], member]] : [],
  )
}

const OTHERS = [null, true, 7.5, -1, 'text', '', [], {}, [null], { amount: '1' }]

function* breaksHere(schema: JsonSchema, value: unknown): Iterable<ReplacementValue> {
  for (const other of OTHERS) yield ['type', other]
  yield* breaksOfNumber(schema as Bounds, value)
  yield* breaksOfText(schema as Bounds, value)
  yield* breaksOfList(schema as Bounds, value)
  if (!isObject(value)) return
  for (const name of ['unknown', 'constructor', '__proto__', 'Amount', ''])
    yield ['unknown member', withMember(value, name)]
  const { maxProperties } = schema as Bounds
  if (maxProperties !== undefined) yield ['maxProperties', manyMembers(maxProperties + 1)]
}

type ReplacementValue = [what: string, to: unknown]

type Bounds = {
  type?: string
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  maxProperties?: number
  enum?: unknown[]
  anyOf?: JsonSchema[]
}

function* breaksOfNumber({ type, minimum, maximum }: Bounds, value: unknown): Iterable<ReplacementValue> {
  if (minimum !== undefined) for (const less of [1, 0.001]) yield ['minimum', minimum - less]
  if (maximum !== undefined) for (const more of [1, 0.001]) yield ['maximum', maximum + more]
  if (type === 'integer') yield ['fraction', Number(value) + 0.5]
}

const SPELLINGS = [
  '   ',
  '\u3000',
  '!',
  '2026-02-30',
  '2026-11-20T09:00:00',
  '2026-11-20T25:00:00Z',
  'tomorrow',
]

function* breaksOfText({ minLength = 0, maxLength }: Bounds, value: unknown): Iterable<ReplacementValue> {
  if (typeof value !== 'string') return
  if (minLength > 0) yield ['minLength', 'x'.repeat(minLength - 1)]
  if (maxLength !== undefined) {
    for (const letter of ['x', '7', '\u{1f600}']) yield ['maxLength', letter.repeat(maxLength + 1)]
    yield ['maxLength', value + '7'.repeat(maxLength)]
  }
  const near = [` ${value}`, `${value} `, `${value}\n`, value.toUpperCase(), value.toLowerCase()]
  for (const text of [...near, ...SPELLINGS]) yield ['spelling', text]
}

function* breaksOfList(
  { minItems = 0, maxItems, uniqueItems = false }: Bounds,
  value: unknown,
): Iterable<ReplacementValue> {
  if (minItems > 0) yield ['minItems', []]
  if (!Array.isArray(value) || value.length === 0) return
  if (maxItems !== undefined) yield ['maxItems', Array<unknown>(maxItems + 1).fill(value[0])]
  if (uniqueItems) yield ['uniqueItems', [value[0], value[0]]]
}

function* edgesHere(schema: JsonSchema, value: unknown): Iterable<ReplacementValue> {
  const { type, minimum, maximum, maxItems, maxProperties, enum: choices = [], anyOf = [] } = schema as Bounds
  if (minimum !== undefined) yield ['minimum', minimum]
  if (maximum !== undefined) yield ['maximum', maximum]
  for (const choice of choices) yield ['enum', choice]
  if (type === 'string') yield* edgesOfText(schema as Bounds)
  if (type === 'boolean') for (const either of [false, true]) yield ['boolean', either]
  if (type === 'array') yield ['no items', []]
  if (maxItems !== undefined && Array.isArray(value) && value.length > 0)
    yield ['maxItems', Array<unknown>(maxItems).fill(value[0])]
  if (maxProperties !== undefined) yield ['maxProperties', manyMembers(maxProperties)]
  if (anyOf.some((form) => form['type'] === 'null')) yield ['null', null]
}

function* edgesOfText({ minLength = 0, maxLength }: Bounds): Iterable<ReplacementValue> {
  yield ['minLength', 'a'.repeat(Math.max(1, minLength))]
  if (maxLength === undefined) return
  // Letters of one, two and four bytes, and one of two code points, which count as two.
  for (const letter of ['a', '\u00e9', '\u{1f600}', 'e\u0301'])
    yield ['maxLength', Array.from(letter.repeat(maxLength)).slice(0, maxLength).join('')]
}

function manyMembers(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, at]))
}

/** Adds a field, including names that plain assignment would not add. */
function withMember(value: object, name: string): object {
  return Object.defineProperty({ ...value }, name, {
    value: 1,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

/** Returns the value with one place changed. */
export function applyValueChange(value: unknown, { place, to }: Change): unknown {
  const [name, ...rest] = place
  if (name === undefined) return to
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      String(index) === name ? applyValueChange(item, { place: rest, what: '', to }) : item,
    )
  }
  const { [name]: member, ...others } = value as Record<string, unknown>
  if (rest.length === 0 && to === LEFT_OUT) return others
  return { ...others, [name]: applyValueChange(member, { place: rest, what: '', to }) }
}
