import type { JSONObject } from '@modelcontextprotocol/server'
import type { AnyOperation } from '../core/operation.ts'

/** A JSON Schema of an object, as it travels. */
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

/** Path, query and body in one object, and the key of the call where it takes one. */
export function toInputSchema({ input, idempotency }: AnyOperation): ObjectSchema {
  const schema = plain(input)
  if (idempotency === 'none') return schema
  return { ...schema, properties: { ...schema.properties, idempotency_key: IDEMPOTENCY_KEY } }
}

/** What a success gives. */
export function toOutputSchema({ output }: AnyOperation): ObjectSchema {
  return plain(output)
}

/** As JSON Schema knows it: without the words for people that stand in it, and rows told in a sentence. */
function plain(schema: object): ObjectSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key === 'errorMessage') return undefined
    if (!isObject(value) || typeof value['x-body-of'] !== 'string') return value
    const { 'x-body-of': operation, 'x-optional': _, ...rest } = value
    return { ...rest, description: `The arguments of ${operation}` }
  }) as ObjectSchema
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
