import type { hash } from 'node:crypto'
import { hmacSha256, sha256 } from './sha256.ts'

const TWO_64 = 2 ** 64

/** From this length on `node:crypto` is faster, although loading it takes 5 ms. Only a manifest is so long. */
const LONG = 16_384
/** After this number of short ones it is faster, too: a service hashes a token in each call. */
const MANY = 2000

const encoder = new TextEncoder()
let native: typeof hash | undefined
let hashed = 0

/** SHA-256 in lower-case hex; text is hashed as UTF-8. */
export function sha256Hex(data: string | Uint8Array): string {
  return useNative(data.length)?.('sha256', data, 'hex') ?? sha256(toBytes(data)).toHex()
}

/** HMAC-SHA-256 in lower-case hex; key and data as UTF-8. */
export function hmacHex(key: string, data: string): string {
  return hmacSha256(encoder.encode(key), encoder.encode(data)).toHex()
}

/** SHA-256 as bytes. */
export function sha256Bytes(data: string | Uint8Array): Uint8Array {
  return useNative(data.length)?.('sha256', data, 'buffer') ?? sha256(toBytes(data))
}

/**
 * Loads `node:crypto` for long data, or for many. Once loaded it also hashes short data, because many hashes of a
 * manifest's parts follow.
 */
function useNative(length: number): typeof native {
  if (native === undefined && (length >= LONG || ++hashed > MANY))
    native = process.getBuiltinModule('node:crypto').hash
  return native
}

/** A draw of a resource, by its kind and creation ordinal. */
export type SeedKey = readonly [kind: string, ordinal: number, step: number, purpose: string]

/**
 * Returns a pseudo-random unsigned 64-bit number of the sandbox
 * (docs/rules/simulation.md#the-seed-decides-resource-by-resource). It depends only on the store's
 * seed, the resource (kind and creation ordinal), the step and the purpose.
 */
export function seededUint64(seed: string, [kind, ordinal, step, purpose]: SeedKey): bigint {
  const { buffer, byteOffset } = sha256Bytes(`${seed}|${kind}|${ordinal}|${step}|${purpose}`)
  return new DataView(buffer, byteOffset).getBigUint64(0)
}

/** Returns a pseudo-random integer 0 <= x < limit, by `draw`. */
export function seededInt(limit: number, seed: string, [kind, ordinal, step, purpose]: SeedKey): number {
  return Number((seededUint64(seed, [kind, ordinal, step, purpose]) * BigInt(limit)) >> 64n)
}

/** Returns whole seconds, 0.8 to 1.2 times those given. */
export function jitter(seconds: number, seed: string, [kind, ordinal, step, purpose]: SeedKey): number {
  const share = Number(seededUint64(seed, [kind, ordinal, step, purpose])) / TWO_64
  return Math.round(seconds * (0.8 + 0.4 * share))
}

function toBytes(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? encoder.encode(data) : data
}
