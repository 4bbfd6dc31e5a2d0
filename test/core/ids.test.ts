import { describe, expect, test } from 'vitest'
import { randomId, sandboxId } from '../../src/core/ids.ts'
import { fc } from '../support/properties.ts'

const AT = Date.parse('2026-11-20T04:38:10.000Z')
const SHAPE = /^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** Returns the UUID that the 26 characters encode. */
function uuidOf(id: string): bigint {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
  return Array.from(id.slice(4)).reduce((sum, digit) => sum * 32n + BigInt(alphabet.indexOf(digit)), 0n)
}

describe('ids', () => {
  test('have the shape, the time, the version and the variant of a UUIDv7', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 253_402_300_799_999 }),
        fc.uint8Array({ minLength: 10, maxLength: 10 }),
        (at, random) => {
          const id = randomId('ord', at, random)
          expect(id).toMatch(SHAPE)
          const uuid = uuidOf(id)
          expect(uuid >> 80n).toBe(BigInt(at))
          expect((uuid >> 76n) & 15n).toBe(7n)
          expect((uuid >> 62n) & 3n).toBe(2n)
        },
      ),
    )
  })

  test('use all 74 random bits', () => {
    const none = uuidOf(randomId('ord', 0, new Uint8Array(10)))
    const all = uuidOf(randomId('ord', 0, new Uint8Array(10).fill(255)))
    expect((none ^ all).toString(2).replaceAll('0', '')).toHaveLength(74)
  })

  test('begin with the characters of their instant', () => {
    expect(sandboxId('ord', { seed: '1', ordinal: 1, at: AT })).toMatch(/^ord_01m7vkystg[ef]/)
  })

  test('repeat with the seed, and differ by seed, kind and ordinal', () => {
    expect(sandboxId('ord', { seed: '1', ordinal: 1, at: AT })).toBe(
      sandboxId('ord', { seed: '1', ordinal: 1, at: AT }),
    )
    const ids = [
      sandboxId('ord', { seed: '1', ordinal: 1, at: AT }),
      sandboxId('ord', { seed: '2', ordinal: 1, at: AT }),
      sandboxId('ord', { seed: '1', ordinal: 2, at: AT }),
      sandboxId('ord', { seed: '1', ordinal: 1, at: AT }, 'order'),
    ]
    expect(new Set(ids).size).toBe(4)
  })

  test('sort by the time of their creation', () => {
    const ids = [0, 1, 31, 32, 1000, AT, AT + 1].map((at) => sandboxId('ord', { seed: '1', ordinal: at, at }))
    expect(ids.toSorted()).toEqual(ids)
  })
})
