/** From the registry's schemas to those of the document: shared ones by name, and a meaning for every field. */
import type { AnyOperation } from '../core/operation.ts'
import { OWN_WORDS } from '../core/schema.ts'

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json }
export type JsonNode = { [member: string]: Json }

/** A plain copy: without the schema library's marks. */
export function toPlainJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}

/** Turns schemas into those of one document, and remembers the shared ones that they name. */
export function makeSchemas(operations: readonly AnyOperation[]) {
  const shared = new Map<string, JsonNode>()
  const schemas: Schemas = { operations, shared }
  return {
    convert: (schema: JsonNode): JsonNode => convert(schemas, schema),
    /** The shared schemas that were named so far, in that order. */
    shared: (): JsonNode => Object.fromEntries(shared),
  }
}

/** `shared` holds the schemas that have a name of their own and were met so far. */
type Schemas = { operations: readonly AnyOperation[]; shared: Map<string, JsonNode> }

/** Turns a schema into one of the document. */
function convert(schemas: Schemas, schema: JsonNode): JsonNode {
  const { named, description, ...rest } = schema
  if (typeof named !== 'string') return expand(schemas, rest, description)
  if (!schemas.shared.has(named)) {
    // Holds its place in the order, before the schemas that are in it.
    schemas.shared.set(named, {})
    schemas.shared.set(named, expand(schemas, rest))
  }
  return { $ref: `#/components/schemas/${named}`, ...(description !== undefined && { description }) }
}

function expand(schemas: Schemas, { errorMessage, ...schema }: JsonNode, given?: Json): JsonNode {
  // A place marked so takes the body of another operation, which that operation's `run` checks row by row.
  const other = schemas.operations.find(({ name }) => name === schema['x-body-of'])
  if (other !== undefined) {
    const { required, ...body } = toPlainJson(other.input) as JsonNode & { required: string[] }
    const optional = (schema['x-optional'] ?? []) as string[]
    return {
      ...convert(schemas, { ...body, required: required.filter((name) => !optional.includes(name)) }),
      description: `A body of ${other.name}; an invalid one is a rejected row`,
      'x-body-of': other.name,
    }
  }
  const description = given ?? (typeof errorMessage === 'string' ? toMeaning(errorMessage) : undefined)
  return {
    ...Object.fromEntries(
      Object.entries(schema)
        .filter(([key]) => !OWN_WORDS.has(key))
        .map(([key, member]) => [key, convertMember(schemas, key, member)]),
    ),
    ...(description !== undefined && { description }),
  }
}

function convertMember(schemas: Schemas, key: string, member: Json): Json {
  if (key === 'properties') {
    const properties = Object.entries(member as Record<string, JsonNode>)
    return Object.fromEntries(properties.map(([name, schema]) => [name, convertField(schemas, schema)]))
  }
  if (key === 'items') return convert(schemas, member as JsonNode)
  if (key === 'anyOf') return (member as JsonNode[]).map((form) => convert(schemas, form))
  return member
}

/** A field, with what it means. */
function convertField(schemas: Schemas, schema: JsonNode): JsonNode {
  const converted = convert(schemas, schema)
  const { description = schema['meaning'] } = converted
  return { ...converted, ...(description !== undefined && { description }) }
}

/** `must be a currency code such as GBP` says what it is, too. */
function toMeaning(errorMessage: string): string | undefined {
  const [, first = '', rest = ''] = /^must be (?:an? )?(\w)(.*)$/.exec(errorMessage) ?? []
  return first === '' ? undefined : first.toUpperCase() + rest
}
