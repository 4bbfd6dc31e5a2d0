import type { JSONObject } from '@modelcontextprotocol/server'
import type { AnyOperation } from '../core/operation.ts'

/** The JSON Schema of an object, as clients receive it. */
export type ObjectSchema = {
  type: 'object'
  properties: Record<string, JSONObject>
  required?: string[]
  additionalProperties?: boolean
}

const IDEMPOTENCY_KEY = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description: 'Leave it out: the same call is never done twice. A new one does it again on purpose',
}

/** Members of our schemas that JSON Schema does not know. */
const NOT_FOR_TOOLS = new Set(['errorMessage', 'form', 'label', 'meaning', 'named'])

/** Returns path, query and body members in one object, with the idempotency key where it is supported. */
export function toInputSchema({ input, idempotency }: AnyOperation): ObjectSchema {
  const schema = plain(input)
  if (idempotency === 'none') return schema
  return { ...schema, properties: { ...schema.properties, idempotency_key: IDEMPOTENCY_KEY } }
}

/** Returns the schema of a success. */
export function toOutputSchema({ output }: AnyOperation): ObjectSchema {
  return plain(output)
}

/** Returns plain JSON Schema: without our messages for people, and with a sentence instead of a batch row's schema. */
function plain(schema: object): ObjectSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (NOT_FOR_TOOLS.has(key) && typeof value === 'string') return undefined
    if (!isObject(value) || typeof value['x-body-of'] !== 'string') return value
    const { 'x-body-of': operation, 'x-optional': _, ...rest } = value
    return { ...rest, description: `The arguments of ${operation}` }
  }) as ObjectSchema
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
