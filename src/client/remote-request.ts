/** A call as a request: its path, its query or body, and its token. */
import { AppError } from '../core/errors.ts'
import type { OperationRoute } from './route.ts'
import type { SenderRequest } from './sender.ts'

type RequestRoute = Pick<OperationRoute, 'method' | 'path' | 'pathParameters'>

/** Puts each field of the input in its place: the path, the query of a GET, or the body. */
export function toRequest(
  { method, path, pathParameters }: RequestRoute,
  input: Readonly<Record<string, unknown>>,
  headers: Record<string, string>,
): SenderRequest {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = toText(input[name])
    // Without it the address is another one, and the service would say that there is no such path.
    if (text === '') throw missing(name)
    return encodeURIComponent(text)
  })
  const rest = Object.entries(input).filter(
    // A query has no null.
    ([name, value]) =>
      !pathParameters.includes(name) && value !== undefined && (value !== null || method !== 'GET'),
  )
  const accept = { ...headers, Accept: 'application/json', 'Accept-Encoding': 'gzip' }
  if (method === 'GET') {
    const query = new URLSearchParams(
      rest.flatMap(([name, value]) => [value].flat().map((one) => [name, toText(one)])),
    )
    return { method, path: query.size === 0 ? filled : `${filled}?${query.toString()}`, headers: accept }
  }
  return {
    method,
    path: filled,
    headers: { ...accept, 'Content-Type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(rest)),
  }
}

function missing(parameter: string): AppError {
  const detail = `${parameter} is required`
  return new AppError('invalid_request', `${detail}.`, { errors: [{ parameter, code: 'required', detail }] })
}

/** Converts a value for a path or a query. The service rejects values that are no text, number or boolean. */
function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

export function makeBearerHeader(token: string): Record<string, string> {
  if (/^[\x21-\x7e]+$/.test(token)) return { Authorization: `Bearer ${token}` }
  throw new AppError('config_error', 'The token has characters that a token cannot have.')
}
