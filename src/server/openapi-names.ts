/** Names for all schemas of a document: generators of clients make one type of each. */
import { type Json, type JsonNode, toPlainJson } from './openapi-schemas.ts'

type Schemas = Record<string, JsonNode>
type Response = { description?: string; content?: Record<string, { schema: JsonNode }> }
type DescribedCall = {
  operationId: string
  parameters?: { name: string; schema?: JsonNode }[]
  requestBody?: Response
  responses: Record<string, Response>
}

/**
 * Returns the document with a name for every body, answer, page, error and list of words, and a title and a sentence
 * for every name. A name derives from `named`, the operation, or the field.
 */
export function nameSchemas(given: JsonNode): JsonNode {
  const document = toPlainJson(given) as { components: { schemas: Schemas } } & JsonNode
  const { schemas } = document.components
  const declared = Object.keys(schemas)
  nameWhole(document, schemas)
  nameEnums(document, schemas, declared)
  const uses = usesOf(document, schemas)
  for (const [name, { description, ...schema }] of Object.entries(schemas))
    schemas[name] = { title: titleOf(name), description: description ?? uses(name), ...schema }
  return document
}

/** Returns the operations of the paths and of the webhooks. */
function operationsOf({ paths, webhooks = {} }: JsonNode): DescribedCall[] {
  return [paths, webhooks].flatMap((items) =>
    Object.values(items as unknown as Record<string, Record<string, DescribedCall>>).flatMap((path) =>
      Object.values(path),
    ),
  )
}

/** Names bodies, answers and errors. Pages and errors of the same bytes share a name. */
function nameWhole(document: JsonNode, schemas: Schemas): void {
  const shared = new Map<string, string>()
  function name(schema: JsonNode, names: readonly string[], texts: JsonNode = {}): JsonNode {
    const { named, ...bare } = schema
    if ('$ref' in schema || schema['type'] === 'string') return schema
    const bytes = JSON.stringify(bare)
    const free = [named, ...names].filter((one) => typeof one === 'string')
    const own = shared.get(bytes) ?? free.find((one) => schemas[one] === undefined)
    if (own === undefined) throw new Error(`${free.join(' and ')} are names of other schemas`)
    schemas[own] ??= { ...texts, ...bare }
    // Two bodies may have the same fields by chance.
    if (named !== undefined || isPage(schema) || 'description' in texts) shared.set(bytes, own)
    return refer(own)
  }
  function nameAll(response: Response | undefined, give: (schema: JsonNode) => JsonNode): void {
    for (const media of Object.values(response?.content ?? {})) media.schema = give(media.schema)
  }
  function refuse(response: Response, own: string): void {
    const { description = '' } = response
    nameAll(response, (schema) => name(schema, [own], { description }))
  }
  function answer(response: Response, own: string): void {
    nameAll(response, (schema) => {
      if (!isPage(schema)) return name(schema, [`${own}Answer`])
      const { data } = schema['properties'] as { data: { items: JsonNode } }
      const { $ref: row } = data.items
      data.items = name(data.items, [`${own}Row`])
      return name(schema, [...(typeof row === 'string' ? [`${parseRefName(row)}Page`] : []), `${own}Page`])
    })
  }
  const { responses } = document['components'] as unknown as { responses: Record<string, Response> }
  for (const [own, response] of Object.entries(responses)) refuse(response, own)
  for (const { operationId, requestBody, responses: answers } of operationsOf(document)) {
    const own = pascal(operationId)
    nameAll(requestBody, (schema) => name(schema, [`${own}Request`]))
    for (const [status, response] of Object.entries(answers))
      if (status.startsWith('2')) answer(response, own)
      else refuse(response, `${own}Refused${status}`)
  }
}

function isPage({ properties = {} }: JsonNode): boolean {
  const { data, has_more: more } = properties as JsonNode
  return data !== undefined && more !== undefined
}

/** A list of words where it stands: the schema or operation that holds it, and the fields that lead to it. */
type SchemaLocation = { schema: JsonNode; owner: string; fields: string[] }

/** Names lists of words. The same words have one name, wherever they stand. */
function nameEnums(document: JsonNode, schemas: Schemas, declared: readonly string[]): void {
  const inOrder = [...declared, ...Object.keys(schemas).filter((name) => !declared.includes(name))]
  const spots = [
    ...inOrder.flatMap((owner) => spotsIn({ schema: schemas[owner] ?? {}, owner, fields: [] })),
    ...operationsOf(document).flatMap(({ operationId, parameters = [] }) =>
      parameters.flatMap(({ name, schema = {} }) =>
        spotsIn({ schema, owner: pascal(operationId), fields: [name] }),
      ),
    ),
  ]
  const lists = Map.groupBy(spots, ({ schema }) => JSON.stringify(schema['enum']))
  // The shallowest field has the shortest name.
  const groups = [...lists.values()].toSorted((a, b) => depthOf(a) - depthOf(b))
  for (const group of groups) {
    const [field = ''] = group.map(fieldOf).toSorted((a, b) => a.length - b.length)
    const elsewhere = spots.some((spot) => fieldOf(spot) === field && !group.includes(spot))
    const owners = new Set(group.map(({ owner }) => owner)).size
    const isCommon = owners > (field.includes('_') ? 1 : 2) && !/[^su]s$/.test(field)
    const names = [
      ...(isCommon && !elsewhere ? [pascal(field)] : []),
      ...group.map((spot) => `${holderOf(spot)}${pascal(fieldOf(spot))}`),
      ...group.map((spot) => `${holderOf(spot)}${pascal(spot.fields.join('_'))}`),
      ...group.map((spot) => `${spot.owner}${pascal(fieldOf(spot))}`),
    ]
    const own = names.find((name) => schemas[name] === undefined)
    if (own === undefined) throw new Error(`${names.join(' and ')} are names of other schemas`)
    const [first] = group
    schemas[own] = { type: 'string', enum: first?.schema['enum'] ?? [] }
    for (const { schema } of group) {
      delete schema['enum']
      delete schema['type']
      Object.assign(schema, refer(own))
    }
  }
}

/** Returns the lists of several words in a schema. Those of an error only narrow the codes of a problem. */
function spotsIn({ schema, owner, fields }: SchemaLocation): SchemaLocation[] {
  const { enum: words, properties = {}, items, anyOf = [], allOf } = schema
  if (allOf !== undefined) return []
  if (Array.isArray(words)) {
    const isNamed = words.length > 1 && words.every((word) => typeof word === 'string')
    return isNamed ? [{ schema, owner, fields }] : []
  }
  return [
    ...Object.entries(properties as Schemas).flatMap(([name, member]) =>
      spotsIn({ schema: member, owner, fields: [...fields, name] }),
    ),
    ...[...(items === undefined ? [] : [items]), ...(anyOf as Json[])].flatMap((member) =>
      spotsIn({ schema: member as JsonNode, owner, fields }),
    ),
  ]
}

function depthOf(spots: readonly SchemaLocation[]): number {
  return Math.min(...spots.map(({ fields }) => fields.length))
}

function fieldOf({ fields }: SchemaLocation): string {
  return fields.at(-1) ?? ''
}

function holderOf({ owner }: SchemaLocation): string {
  return owner.replace(/(Request|Answer|Page|Row)$/, '')
}

/** Returns a function that says where a schema is used. */
function usesOf(document: JsonNode, schemas: Schemas): (name: string) => string {
  const uses: { name: string; role: string; user: string }[] = []
  const note = (given: unknown, role: string, user: string): void => {
    for (const [, name = ''] of JSON.stringify(given ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      uses.push({ name, role, user: `\`${user}\`` })
  }
  for (const { operationId, parameters, requestBody, responses } of operationsOf(document)) {
    note(parameters, 'Parameter', operationId)
    note(requestBody, 'Body', operationId)
    note(responses, 'Answer', operationId)
  }
  for (const [owner, schema] of Object.entries(schemas)) note(schema, 'Part', owner)
  const byName = Map.groupBy(uses, ({ name }) => name)
  return (name) =>
    [...Map.groupBy(byName.get(name) ?? [], ({ role }) => role)]
      .map(([role, users]) => {
        const [first, second, ...more] = new Set(users.map(({ user }) => user))
        const all = more.length > 0 ? [`${first}, ${second} and ${more.length} more`] : [first, second]
        return `${role} of ${all.filter((one) => one !== undefined).join(' and ')}.`
      })
      .join(' ')
}

function refer(name: string): JsonNode {
  return { $ref: `#/components/schemas/${name}` }
}

/** Returns the name that a reference ends with. */
export function parseRefName(reference: string): string {
  return reference.split('/').at(-1) ?? ''
}

/** Returns `PlaceFoodOrder` for `place_food_order`. */
export function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Returns `Place food order request` for `PlaceFoodOrderRequest`. */
function titleOf(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z\d])/g, ' ')
    .toLowerCase()
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
