import { describe, expect, test } from 'vitest'
import { newSecret, newUserCode, readUserCode } from '../../src/oauth/secrets.ts'

/** Returns these bytes in turn, starting again at the end. */
const bytes =
  (...given: number[]) =>
  (count: number): Uint8Array =>
    Uint8Array.from({ length: count }, () => {
      const [byte = 0] = given
      given.push(...given.splice(0, 1))
      return byte
    })

test('a secret begins with its kind, and has all 256 bits', () => {
  expect(newSecret('access', bytes(0))).toBe(`dray_sbx_${'A'.repeat(43)}`)
  expect(newSecret('refresh', bytes(255))).toBe(`dray_ref_${'_'.repeat(42)}8`)
  expect(newSecret('device', bytes(1, 2, 3))).toMatch(/^dray_dev_[\w-]{43}$/)
  expect(newSecret('client', bytes(1, 2, 3))).toMatch(/^dray_sec_[\w-]{43}$/)
})

describe('a user code', () => {
  test('is eight of twenty consonants, each equally likely', () => {
    expect(newUserCode(bytes(0, 1, 2, 3, 4, 5, 6, 7))).toBe('BCDF-GHJK')
    expect(newUserCode(bytes(19, 39, 219, 239))).toBe('ZZZZ-ZZZZ')
    // 240 and above would favour the first sixteen letters, so they are drawn again.
    expect(newUserCode(bytes(240, 255, 1, 248, 21))).toBe('CCCC-CCCC')
  })

  test('of all draws uses no vowel, no Y and no digit', () => {
    const drawn = Array.from({ length: 240 }, (_, byte) => newUserCode(bytes(byte)))
    expect([...new Set(drawn.join(''))].toSorted().join('')).toBe('-BCDFGHJKLMNPQRSTVWXZ')
  })

  test.each(['BCDF-GHJK', 'bcdf-ghjk', 'BCDFGHJK', ' bcdf ghjk\n', 'b-c-d-f–g-h-j-k'])(
    'is understood as typed: %j',
    (typed) => {
      expect(readUserCode(typed)).toBe('BCDF-GHJK')
    },
  )

  test.each([
    '',
    'BCDF',
    'BCDF-GHJKL',
    'BCDF-GHJA',
    'BCDF-GHJ1',
    'ＢCDF-GHJK',
    'BCDF_GHJK',
    '../../etc',
    'K'.repeat(10_000),
  ])('is refused when it cannot be one: %j', (typed) => {
    expect(readUserCode(typed)).toBeUndefined()
  })
})
