/** Makes inputs that differ from a given one in a single argument: another value, one more, one less. */

type Schema = {
  readonly type?: 'object' | 'array' | 'integer' | 'number' | 'boolean' | 'string'
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}
type Input = Readonly<Record<string, unknown>>

export type ChangedInput = {
  /** The argument and its change: `payment.method removed`. */
  what: string
  path: string
  input: Record<string, unknown>
}

/** Returns one input for each argument of a schema and each way to change it. */
export function changedInputs(schema: Schema, input: Input): ChangedInput[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    changes(member, input[name], name).map(({ what, path, value }) => ({
      what,
      path,
      input: withMember(input, name, value),
    })),
  )
}

type Change = { what: string; path: string; value: unknown }

/** Marks a field as omitted. */
const LEFT_OUT = Symbol('left out')

function changes(schema: Schema, value: unknown, path: string): Change[] {
  if (value === undefined) return [{ what: `${path} added`, path, value: someValue(schema) }]
  return [
    { what: `${path} removed`, path, value: LEFT_OUT },
    { what: `${path} is null`, path, value: null },
    ...inner(schema, value, path),
  ]
}

function inner(schema: Schema, value: unknown, path: string): Change[] {
  if (Array.isArray(value)) {
    const [first] = value as unknown[]
    const items = changes(schema.items ?? {}, first, `${path}.0`).filter(({ value: to }) => to !== LEFT_OUT)
    return [
      {
        what: `${path} has one more`,
        path,
        value: [...(value as unknown[]), first ?? someValue(schema.items ?? {})],
      },
      ...items.map((item) => ({ ...item, value: [item.value, ...(value as unknown[]).slice(1)] })),
    ]
  }
  if (typeof value === 'object' && value !== null) {
    const members = value as Input
    const names = new Set([...Object.keys(schema.properties ?? {}), ...Object.keys(members)])
    return [...names].flatMap((name) =>
      changes(schema.properties?.[name] ?? {}, members[name], `${path}.${name}`).map((change) => ({
        ...change,
        value: withMember(members, name, change.value),
      })),
    )
  }
  return [{ what: `${path} is another`, path, value: otherValue(schema, value) }]
}

function withMember(members: Input, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _, ...rest } = members
  return value === LEFT_OUT ? rest : { ...rest, [name]: value }
}

function otherValue(schema: Schema, value: unknown): unknown {
  const other = schema.enum?.find((each) => each !== value)
  if (other !== undefined) return other
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  return `${String(value)}x`
}

function someValue(schema: Schema): unknown {
  if (schema.enum !== undefined) return schema.enum[0]
  const [form] = schema.anyOf ?? []
  if (form !== undefined) return someValue(form)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, member]) => [name, someValue(member)]),
      )
    case 'array':
      return [someValue(schema.items ?? {})]
    case 'integer':
    case 'number':
      return 2
    case 'boolean':
      return false
    case 'string':
    case undefined:
      break
  }
  return 'Added'
}
