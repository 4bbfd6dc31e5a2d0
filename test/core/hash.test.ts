import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { seededUint64, seededInt, hmacHex, jitter, sha256Bytes, sha256Hex } from '../../src/core/hash.ts'
import { fc } from '../support/properties.ts'

describe('hashes', () => {
  test('are those of every other implementation', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (key, data) => {
        expect(sha256Hex(data)).toBe(createHash('sha256').update(data).digest('hex'))
        expect(hmacHex(key, data)).toBe(createHmac('sha256', key).update(data).digest('hex'))
      }),
    )
  })

  test('are the same for much data, and for little after it', () => {
    for (const length of [0, 55, 56, 63, 64, 16_383, 16_384, 100_000, 3]) {
      const data = 'aß\ud800'.repeat(length)
      const bytes = new Uint8Array(length).fill(7)
      expect(sha256Hex(data)).toBe(createHash('sha256').update(data).digest('hex'))
      expect(sha256Bytes(bytes).toHex()).toBe(createHash('sha256').update(bytes).digest('hex'))
    }
  })

  test('take bytes as they are', () => {
    const bytes = Uint8Array.of(0, 255, 10)
    expect(sha256Hex(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'))
  })
})

describe('draws', () => {
  test('are the first eight bytes of the hash of seed, kind, ordinal, step and purpose', () => {
    const hex = sha256Hex('7|shipment|3|2|attempt').slice(0, 16)
    expect(seededUint64('7', ['shipment', 3, 2, 'attempt'])).toBe(BigInt(`0x${hex}`))
  })

  test('differ when any of their arguments differs', () => {
    const draws = [
      seededUint64('1', ['shipment', 1, 1, 'a']),
      seededUint64('2', ['shipment', 1, 1, 'a']),
      seededUint64('1', ['ride', 1, 1, 'a']),
      seededUint64('1', ['shipment', 2, 1, 'a']),
      seededUint64('1', ['shipment', 1, 2, 'a']),
      seededUint64('1', ['shipment', 1, 1, 'b']),
    ]
    expect(new Set(draws).size).toBe(draws.length)
  })

  test('below a limit reach every number under it and nothing else', () => {
    const seen = new Set(
      Array.from({ length: 400 }, (_, ordinal) => seededInt(6, '1', ['die', ordinal, 0, 'roll'])),
    )
    expect(seen).toEqual(new Set([0, 1, 2, 3, 4, 5]))
  })

  test('a jitter is whole seconds from 0.8 to 1.2 times what it was given, over the whole range', () => {
    const jitters = Array.from({ length: 400 }, (_, ordinal) =>
      jitter(1000, '1', ['ride', ordinal, 1, 'step']),
    )
    expect(jitters.every((seconds) => Number.isInteger(seconds))).toBe(true)
    expect(Math.min(...jitters)).toBeGreaterThanOrEqual(800)
    expect(Math.min(...jitters)).toBeLessThan(820)
    expect(Math.max(...jitters)).toBeLessThanOrEqual(1200)
    expect(Math.max(...jitters)).toBeGreaterThan(1180)
    expect(jitter(0, '1', ['ride', 1, 1, 'step'])).toBe(0)
  })
})
