import { sha256Hex } from '../../core/hash.ts'

/** The longest key that a service takes. */
const MAX_KEY_LENGTH = 255

/** Returns the key of one call of several, made of the key of them all. */
export function partKey(key: string, part: string): string {
  const whole = `${key}-${part}`
  return whole.length <= MAX_KEY_LENGTH ? whole : `${sha256Hex(key)}-${part}`
}
