import type { AnyOperation } from '../../src/core/operation.ts'

/** Returns the address and the JSON body of a call, as a caller writes them who reads the OpenAPI document. */
export function plainRequest(
  { method, path, pathParameters }: Pick<AnyOperation, 'method' | 'path' | 'pathParameters'>,
  input: Readonly<Record<string, unknown>>,
): { target: string; body?: string } {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const rest = Object.entries(input).filter(([name]) => !pathParameters.includes(name))
  if (method !== 'GET') return { target: filled, body: JSON.stringify(Object.fromEntries(rest)) }
  const query = new URLSearchParams(
    rest.flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, String(one)])),
  )
  return { target: query.size === 0 ? filled : `${filled}?${query}` }
}
