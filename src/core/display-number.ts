/** Crockford's base32, which avoids letters that people confuse. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BITS = 20
const COUNT = 2 ** BITS

/**
 * Returns the short name of an order for people, four characters
 * (docs/rules/requests.md#orders-have-a-short-name-for-people). Any 1,048,576 consecutive
 * ordinals have different names. The names do not reveal the number of orders.
 */
export function displayNumber(ordinal: number): string {
  // Each step is reversible (both factors are odd), so different ordinals stay different.
  let mixed = multiply(ordinal % COUNT, 0x9e3_b5) ^ 0x5_d1a7
  mixed ^= mixed >>> (BITS / 2)
  mixed = multiply(mixed, 0xc_b9e5)
  mixed ^= mixed >>> (BITS / 2)
  return [15, 10, 5, 0].map((shift) => ALPHABET.charAt((mixed >>> shift) & 31)).join('')
}

function multiply(value: number, factor: number): number {
  return (value * factor) % COUNT
}
