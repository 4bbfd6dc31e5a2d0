/** Compares two inputs by short hashes of their fields, so that neither has to be kept. */
import { canonicalJson } from './canonical-json.ts'
import { sha256Hex } from './hash.ts'

/** Short hashes of an input's fields, by their paths, such as `payment.method`. */
export type InputHashes = Readonly<Record<string, string>>

/** Fields below this depth share one hash, and so do those of longer lists: a manifest has 500 rows. */
const MAX_DEPTH = 3
const MAX_ITEMS = 20

/** Returns the hashes of an input's fields. */
export function hashInput(input: unknown): InputHashes {
  return Object.fromEntries(listParts(input, []))
}

function listParts(value: unknown, path: readonly string[]): [string, string][] {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const isWhole =
    members.length === 0 || path.length === MAX_DEPTH || (Array.isArray(value) && members.length > MAX_ITEMS)
  if (isWhole) return [[path.join('.'), sha256Hex(canonicalJson(value)).slice(0, 12)]]
  return members.flatMap(([name, member]) => (member === undefined ? [] : listParts(member, [...path, name])))
}

/** Returns the paths of the fields that differ, or that only one of the inputs has. */
export function differingParts(one: InputHashes, other: InputHashes): string[] {
  const paths = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...paths].filter((path) => partAt(one, path) !== partAt(other, path))
}

function partAt(parts: InputHashes, path: string): string | undefined {
  return Object.hasOwn(parts, path) ? parts[path] : undefined
}

const MANY_PATHS = 6

/** Returns `payment.method, notes and 3 more`. */
export function listPaths(paths: readonly string[]): string {
  const shown = paths.slice(0, MANY_PATHS).map((path) => path.replaceAll(/[^\w.-]+/g, '?').slice(0, 60))
  const more = paths.length - MANY_PATHS
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
