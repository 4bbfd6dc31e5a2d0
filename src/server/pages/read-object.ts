import { AppError } from '../../core/errors.ts'
import { isRecord } from '../../core/record.ts'
import { parseStrictJson } from '../../core/strict-json.ts'

/** Returns the object of a JSON body. Throws `malformed_json`, `invalid_request`. */
export function parseJsonObject(bytes: Uint8Array): Record<string, unknown> {
  const parsed = parseStrictJson(bytes)
  if ('problem' in parsed) throw new AppError('malformed_json', parsed.problem)
  const { value } = parsed
  if (isRecord(value)) return value
  throw new AppError('invalid_request', 'The body must be a JSON object.')
}
