/** Explains the issues that a schema's validator finds, in plain words. */
import { decodePointerToken } from './pointer.ts'

export type SchemaIssue = {
  keyword: string
  /** A pointer into the schema: `#/properties/…`. */
  schemaPath: string
  /** A pointer (RFC 6901) into the value. */
  instancePath: string
  params: Record<string, unknown>
  message: string
}

const COMPARED: Readonly<Record<string, string>> = {
  '>=': 'at least',
  '<=': 'at most',
  '>': 'more than',
  '<': 'less than',
}

/**
 * Returns `must …`: the schema's own `errorMessage`, or else words for the keyword, or else the validator's message.
 */
export function formatSchemaIssue(
  schema: object,
  { keyword, schemaPath, params, message }: SchemaIssue,
): string {
  const { allowedValues, comparison, limit } = params
  if (keyword === 'enum' && Array.isArray(allowedValues)) return `must be one of ${allowedValues.join(', ')}`
  if (typeof comparison === 'string') return `must be ${COMPARED[comparison] ?? comparison} ${String(limit)}`
  const own = schemaAt(schema, schemaPath)?.['errorMessage']
  return typeof own === 'string' ? own : message
}

/** Returns the field that a pointer refers to; for an entry of a list, the list. */
export function toFieldName(instancePath: string): string {
  const names = instancePath.split('/').filter((part) => !/^\d+$/.test(part))
  return decodePointerToken(names.at(-1) ?? '').slice(0, 60)
}

/** Returns the part of a schema at a path of the validator. */
export function schemaAt(schema: object, schemaPath: string): Record<string, unknown> | undefined {
  let node: unknown = schema
  for (const part of schemaPath.split('/').slice(1)) {
    if (typeof node !== 'object' || node === null) return undefined
    node = (node as Record<string, unknown>)[decodePointerToken(part)]
  }
  return typeof node === 'object' && node !== null ? (node as Record<string, unknown>) : undefined
}
