import { sha256Bytes } from './hash.ts'

/** Crockford's base32 in lower case: no i, l, o, u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * Returns an id that the sandbox's seed determines: `<prefix>_` and a UUIDv7 of 26 characters
 * (docs/rules/requests.md#ids-show-their-type-and-repeat-with-the-seed). Its
 * random bits derive from seed, kind and creation ordinal. `at` is in milliseconds.
 */
export function sandboxId(
  prefix: string,
  { seed, ordinal, at }: { seed: string; ordinal: number; at: number },
  kind = prefix,
): string {
  return randomId(prefix, at, sha256Bytes(`${seed}|${kind}|${ordinal}`))
}

/** Returns an id of the same shape from 10 or more random bytes. `at` is in milliseconds. */
export function randomId(prefix: string, at: number, random: Uint8Array): string {
  const view = new DataView(random.buffer, random.byteOffset)
  const first = ((view.getUint32(0) & 0x0fff_3fff) | 0x7000_8000) >>> 0
  return `${prefix}_${base32(at, 10)}${base32(first * 256 + view.getUint8(4), 8)}${base32(view.getUint32(5) * 256 + view.getUint8(9), 8)}`
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
