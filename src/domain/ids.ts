import { sha256Bytes } from './hash.ts'

/** Crockford's base32 in lower case: no i, l, o, u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * An id that repeats with the sandbox's seed: `<prefix>_` and a UUIDv7 of 26 characters (`contract.md` A2), whose
 * random bits are drawn from seed, kind and creation ordinal. `at` in milliseconds.
 */
export function sandboxId(prefix: string, seed: string, ordinal: number, at: number, kind = prefix): string {
  return randomId(prefix, at, sha256Bytes(`${seed}|${kind}|${ordinal}`))
}

/** An id of the same shape from 10 (or more) random bytes. `at` in milliseconds. */
export function randomId(prefix: string, at: number, random: Uint8Array): string {
  const [b0 = 0, b1 = 0, b2 = 0, b3 = 0, b4 = 0, b5 = 0, b6 = 0, b7 = 0, b8 = 0, b9 = 0] = random
  const version = 0x70 | (b0 & 0x0f)
  const variant = 0x80 | (b2 & 0x3f)
  return `${prefix}_${base32(at, 10)}${base32(join5(version, b1, variant, b3, b4), 8)}${base32(join5(b5, b6, b7, b8, b9), 8)}`
}

/** True iff the text has the shape of an id with this prefix. */
export function isId(prefix: string, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text.slice(prefix.length + 1))
}

/** Five bytes as one number of 40 bits. */
function join5(a: number, b: number, c: number, d: number, e: number): number {
  return a * 2 ** 32 + ((b << 24) | (c << 16) | (d << 8) | e) + (b > 127 ? 2 ** 32 : 0)
}

function base32(value: number, length: number): string {
  let text = ''
  let rest = value
  for (let index = 0; index < length; index++) {
    const digit = rest % 32
    text = ALPHABET.charAt(digit) + text
    rest = (rest - digit) / 32
  }
  return text
}
