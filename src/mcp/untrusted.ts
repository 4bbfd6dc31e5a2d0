/** Fields of a response that others wrote: data from strangers, which an agent must never take for instructions. */
import type { AnyOperation } from '../core/operation.ts'
import type { Author } from '../core/schema.ts'
import { EACH, findAnnotatedPaths } from './annotations.ts'

/** More pointers than this are replaced by those at the lists around them. */
const MAX_POINTERS = 200

/** Returns the paths of the fields of an operation's output that others than its caller wrote; `*` is each of a list. */
export function pathsByOthers({ area, output }: Pick<AnyOperation, 'area' | 'output'>): string[] {
  const own: Author = area === 'business' ? 'seller' : 'customer'
  return findAnnotatedPaths(output, 'writtenBy').flatMap(({ path, value }) =>
    value === own ? [] : [path.join('/')],
  )
}

/** Returns a pointer (RFC 6901) at each field of a value that others wrote, with all that it holds. */
export function pointersByOthers(paths: readonly string[], value: unknown): string[] {
  const parts = paths.map((path) => path.split('/'))
  const found = parts.flatMap((path) => pointersAt(path, value, ''))
  if (found.length <= MAX_POINTERS) return found
  const lists = parts.map((path) => (path.includes(EACH) ? path.slice(0, path.indexOf(EACH)) : path))
  return [...new Set(lists.flatMap((path) => pointersAt(path, value, '')))]
}

function pointersAt(path: readonly string[], value: unknown, pointer: string): string[] {
  const [name, ...rest] = path
  if (name === undefined) return isText(value) ? [pointer] : []
  if (typeof value !== 'object' || value === null) return []
  if (name !== EACH) return pointersAt(rest, (value as Record<string, unknown>)[name], `${pointer}/${name}`)
  return Object.entries(value).flatMap(([at, entry]) => pointersAt(rest, entry, `${pointer}/${at}`))
}

/** Returns whether a field may hold a text: neither null nor empty. */
function isText(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return typeof value === 'string' && value !== ''
}
