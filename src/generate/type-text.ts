/** Schemas as short texts for reviewers: `string|null 1..200 chars`, `date-time`, `Money[] 1..20`. */
import type { Json, JsonNode } from '../server/openapi-schemas.ts'

export type TypeReader = ReturnType<typeof makeTypeReader>

/** A field of a schema: `lines[].item_id`. */
type SchemaMember = { path: string; optional: boolean; schema: JsonNode }

/**
 * Returns a reader of the types of an OpenAPI document, or of a schema with `$defs`. A schema that several places use is said by its name; one that a single
 * place uses is there.
 */
export function makeTypeReader(document: JsonNode) {
  const { components, $defs = {} } = document as {
    components?: { schemas?: Record<string, JsonNode> }
    $defs?: Record<string, JsonNode>
  }
  const schemas = components?.schemas ?? $defs
  const uses = new Map<string, number>()
  for (const [, name = ''] of JSON.stringify(document).matchAll(
    /"#\/(?:components\/schemas|\$defs)\/(\w+)"/g,
  ))
    uses.set(name, (uses.get(name) ?? 0) + 1)

  /** Follows a reference within the document. */
  function resolve(node: object): JsonNode {
    const { $ref } = node as { $ref?: string }
    if ($ref === undefined) return node as JsonNode
    const path = $ref.split('/').slice(1)
    return path.reduce((at, key) => at[key] as JsonNode, document)
  }

  /** Returns the name of a shared schema, or undefined. */
  function nameOf({ $ref }: JsonNode): string | undefined {
    const name = typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined
    return name !== undefined && (uses.get(name) ?? 0) > 1 ? name : undefined
  }

  function textOf(given: JsonNode): string {
    const name = nameOf(given)
    if (name !== undefined) return [name, ...limitsOf(given)].join(' ')
    const schema = resolve(given)
    return [baseOf(schema), ...limitsOf(schema), ...limitsOf('$ref' in given ? given : {})].join(' ')
  }

  /** Returns the type without its limits. */
  function baseOf(schema: JsonNode): string {
    const { type, format, enum: words, const: only, anyOf, items, additionalProperties: open } = schema
    if (only !== undefined) return JSON.stringify(only)
    if (words !== undefined) return (words as string[]).join('|')
    if (anyOf !== undefined) return [...new Set((anyOf as JsonNode[]).map(textOf))].join(' | ')
    if (type === 'array') return `(${textOf((items ?? {}) as JsonNode)})[]`.replace(/^\(([^ ]*)\)/, '$1')
    if (type === 'object' && typeof open === 'object') return `map of ${textOf(open as JsonNode)}`
    if (type === 'object') return open === false ? 'object' : 'open object'
    if (type === undefined) return 'anything'
    return typeof format === 'string' ? format : toWord(type)
  }

  return {
    resolve,
    textOf,
    nameOf,
    schemaOf: (name: string): JsonNode => schemas[name] ?? {},
    /** The names of the schemas that several places use, in the order of the document. */
    sharedNames: (): string[] => Object.keys(schemas).filter((name) => (uses.get(name) ?? 0) > 1),
  }
}

/** Returns the fields of a schema at every depth, but not those of a shared schema in it. */
export function listMembers(schema: JsonNode, types: TypeReader, path = ''): SchemaMember[] {
  if (types.nameOf(schema) !== undefined) return []
  const { properties = {}, required = [], items, anyOf = [], additionalProperties } = types.resolve(schema)
  const needed = new Set(required as string[])
  const under = path === '' ? '' : `${path}.`
  return [
    ...Object.entries(properties as Record<string, JsonNode>).flatMap(([name, member]) => [
      { path: `${under}${name}`, optional: !needed.has(name), schema: member },
      ...listMembers(member, types, `${under}${name}`),
    ]),
    ...(items === undefined ? [] : listMembers(items as JsonNode, types, `${path}[]`)),
    ...(anyOf as JsonNode[]).flatMap((form) => listMembers(form, types, path)),
    ...(isSchema(additionalProperties) ? listMembers(additionalProperties, types, `${path}{}`) : []),
  ]
}

function isSchema(given: Json | undefined): given is JsonNode {
  return typeof given === 'object' && given !== null
}

function toWord(type: Json): string {
  return Array.isArray(type) ? (type as string[]).join('|') : (type as string)
}

/** Returns the limits of a schema and its default, each as a word or two. */
function limitsOf(schema: JsonNode): string[] {
  const { pattern, uniqueItems, default: given } = schema
  const body = schema['x-body-of']
  return [
    ...toRange(schema['minimum'], schema['maximum'], ''),
    ...toRange(schema['minLength'], schema['maxLength'], ' chars'),
    ...toRange(schema['minItems'], schema['maxItems'], ' items'),
    ...toRange(schema['minProperties'], schema['maxProperties'], ' members'),
    ...(typeof pattern === 'string' ? [`/${pattern}/`] : []),
    ...(uniqueItems === true ? ['unique'] : []),
    ...(given === undefined ? [] : [`= ${JSON.stringify(given)}`]),
    ...(typeof body === 'string' ? [`as ${body}`] : []),
  ]
}

function toRange(least: Json | undefined, most: Json | undefined, unit: string): string[] {
  if (least === undefined && most === undefined) return []
  const [from, to] = [least, most].map((limit) => (limit === undefined ? '' : JSON.stringify(limit)))
  return [from === to ? `${from}${unit}` : `${from}..${to}${unit}`]
}
