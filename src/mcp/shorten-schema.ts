/** The inputs of tools in fewer tokens: each named object once, and no description that only says the name again. */

/** A JSON Schema, as far as inputs use it. */
export type InputSchema = {
  type?: string
  description?: string
  format?: string
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  items?: InputSchema
  properties?: Readonly<Record<string, InputSchema>>
  required?: readonly string[] | undefined
  additionalProperties?: boolean
  anyOf?: readonly InputSchema[]
  $ref?: string
  $defs?: Readonly<Record<string, InputSchema>>
  /** The name of an object that several schemas have. */
  named?: string
  /** True if a request only sends it back: see `echoed` of `core/schema.ts`. */
  echoed?: boolean
  /** True if short responses leave it out: see `aside` of `core/schema.ts`. */
  aside?: true | readonly string[]
  /** True if its fields are listed with null, although the operation takes none. */
  listsNull?: boolean
  'x-body-of'?: string
  'x-optional'?: readonly string[]
}

/** The most words of a description that a name such as `postal_code` or `limit` says by itself. */
const MAX_OBVIOUS_WORDS = 5

/** Moves each named object that stands several times to `$defs`, and refers to it, where that is shorter. */
export function namedOnce(schema: InputSchema): InputSchema {
  const repeated = mostRepeated(schema)
  if (repeated === undefined) return schema
  const { named = '' } = repeated
  const name = named.toLowerCase()
  const key = JSON.stringify(repeated)
  const { $defs, ...rest } = mapSchema(schema, (node) =>
    node.named === named && JSON.stringify(node) === key ? { $ref: `#/$defs/${name}` } : node,
  )
  return namedOnce({ ...rest, $defs: { ...$defs, [name]: repeated } })
}

/** Returns the object with the longest text in its repetitions; undefined when none is longer than a reference. */
function mostRepeated(schema: InputSchema): InputSchema | undefined {
  const found = new Map<string, { node: InputSchema; times: number }>()
  mapSchema(schema, (node) => {
    const key = JSON.stringify(node)
    if (node.named !== undefined) found.set(key, { node, times: (found.get(key)?.times ?? 0) + 1 })
    return node
  })
  const saved = [...found].map(([key, { node, times }]) => ({
    node,
    length: (times - 1) * key.length - (times + 1) * `{"$ref":"#/$defs/${node.named}"}`.length,
  }))
  return saved.filter(({ length }) => length > 0).toSorted((a, b) => b.length - a.length)[0]?.node
}

/**
 * Returns the schema with a field described where it stands first, and there only if it says more than its name. Fields
 * that a request only sends back are omitted.
 */
export function shortened(schema: InputSchema): InputSchema {
  const seen = new Set<string>()
  return mapSchema(schema, (whole) => {
    const { named: _, listsNull = false, ...node } = whole
    if (node.properties === undefined) return node
    const listed = Object.entries(node.properties).filter(([, { echoed = false }]) => !echoed)
    return {
      ...node,
      properties: mapValues(Object.fromEntries(listed), ({ description, ...member }, name) => {
        if (listsNull) return makeNullable(member)
        const key = `${name} ${description}`
        if (description === undefined || isShort(description) || seen.has(key)) return member
        seen.add(key)
        return { ...member, description }
      }),
    }
  })
}

/** Returns the schema with null, as a form of its own. */
export function makeNullable(node: InputSchema): InputSchema {
  return { anyOf: [node, { type: 'null' }] }
}

/** Returns the schema without descriptions. */
export function bare(schema: InputSchema): InputSchema {
  return mapSchema(schema, (node) => {
    const { description: _, ...rest } = node
    return rest
  })
}

/**
 * Returns whether a name says what the description does. An example stands behind a comma, a reader behind `For`, and a
 * range has figures: no name says any of them.
 */
export function isShort(description = ''): boolean {
  return description.split(' ').length <= MAX_OBVIOUS_WORDS && !/^For |,|\d/.test(description)
}

/** Returns the schema with each node changed, from the outside to the inside. */
export function mapSchema(schema: InputSchema, change: (node: InputSchema) => InputSchema): InputSchema {
  const { properties, items, anyOf, $defs, ...node } = change(schema)
  const walked = (child: InputSchema): InputSchema => mapSchema(child, change)
  return {
    ...node,
    ...(properties !== undefined && { properties: mapValues(properties, walked) }),
    ...(items !== undefined && { items: walked(items) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(walked) }),
    ...($defs !== undefined && { $defs: mapValues($defs, walked) }),
  }
}

export function mapValues<V, R>(
  members: Readonly<Record<string, V>>,
  change: (member: V, name: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member, name)]))
}
