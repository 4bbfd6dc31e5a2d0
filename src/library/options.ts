/** The options of a sandbox, checked. */
import { MAX_TIMESTAMP } from '../core/clock.ts'
import { sha256Bytes, sha256Hex } from '../core/hash.ts'
import { SUPPLY_LEVELS } from '../core/supply.ts'
import { parseInstantField, invalidMemberError } from '../sandbox/control/clock.ts'
import { DEFAULT_SEED, isSeed } from '../sandbox/seed.ts'
import type { SandboxOptions } from './testing-types.ts'
import type { SandboxKey } from './worlds.ts'

const DEFAULT_NOW = '2026-11-20T09:00:00Z'
const KNOWN = ['seed', 'now', 'supply', 'http']

/** Returns how the world is to be made, and whether it is served. Throws `invalid_request`. */
export function readOptions(options: SandboxOptions): { recipe: SandboxKey; http: boolean } {
  const unknown = Object.keys(options).find((name) => !KNOWN.includes(name))
  if (unknown !== undefined)
    throw invalidMemberError(unknown, `is not known here; a sandbox takes ${KNOWN.join(', ')}`)
  const { seed = BigInt(DEFAULT_SEED), now = DEFAULT_NOW, supply = 'normal', http = false } = options
  if (!SUPPLY_LEVELS.includes(supply))
    throw invalidMemberError('supply', `must be one of ${SUPPLY_LEVELS.join(', ')}`)
  if (typeof http !== 'boolean') throw invalidMemberError('http', 'must be true or false')
  return { recipe: { seed: readSeed(seed), at: readNow(now), supply }, http }
}

function readSeed(seed: number | bigint | string): string {
  if (typeof seed === 'string' && seed !== '') return isSeed(seed) ? seed : hashed(seed)
  if (isSeed(String(seed)) && (typeof seed === 'bigint' || Number.isSafeInteger(seed))) return String(seed)
  throw invalidMemberError(
    'seed',
    'must be a whole number of at most 64 bits (beyond 2^53 as a bigint), or a text',
  )
}

/** A text that is a number is the seed that `DRAY_SEED` takes. */
function hashed(text: string): string {
  return BigInt(`0x${sha256Hex(text).slice(0, 16)}`).toString()
}

function readNow(now: string | Date): number {
  const isDate = now instanceof Date
  if (isDate ? Number.isNaN(now.getTime()) : typeof now !== 'string')
    throw invalidMemberError(
      'now',
      'must be a time with its UTC offset, such as 2026-11-21T09:00:00Z, or a Date',
    )
  const at = parseInstantField(isDate ? now.toISOString() : now, 'now')
  if (at > MAX_TIMESTAMP) throw invalidMemberError('now', 'must be before the year 9900')
  return at
}

/**
 * Returns a source of bytes that the seed determines: the ids of requests and the keys of calls are the same each time. No secret
 * is made of them.
 */
export function seededBytes(seed: string): (count: number) => Uint8Array {
  let drawn = 0
  return (count) => {
    const bytes = new Uint8Array(count)
    for (let at = 0; at < count; at += 32)
      bytes.set(sha256Bytes(`${seed}|random|${drawn++}`).subarray(0, count - at), at)
    return bytes
  }
}
