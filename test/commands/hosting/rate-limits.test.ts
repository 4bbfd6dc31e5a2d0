import { expect, test } from 'vitest'
import { readLimits } from '../../../src/commands/hosting/rate-limits.ts'

const MINUTE = 60

test('without flags there are no limits', () => {
  expect(readLimits({})).toBeUndefined()
})

test.each([
  [{ 'rate-limit': '100' }, { rate: { requests: 100, seconds: MINUTE } }],
  [{ 'rate-limit': '5/1' }, { rate: { requests: 5, seconds: 1 } }],
  [{ 'spend-limit': '2/3600' }, { spend: { requests: 2, seconds: 3600 } }],
  [
    { 'rate-limit': 'default' },
    { rate: { requests: 300, seconds: MINUTE }, spend: { requests: 30, seconds: MINUTE } },
  ],
  [
    { 'rate-limit': 'default', 'spend-limit': '7' },
    { rate: { requests: 300, seconds: MINUTE }, spend: { requests: 7, seconds: MINUTE } },
  ],
])('%j is %j', (args, limits) => {
  expect(readLimits(args)).toEqual(limits)
})

test.each(['', '0', '-1', '1.5', '1/0', '5/', '/5', '1000001', '1/86401', '5 / 60', 'off', '1e3', '٣'])(
  'not %j',
  (text) => {
    for (const flag of ['rate-limit', 'spend-limit'])
      expect(() => readLimits({ [flag]: text })).toThrow(`--${flag} must be`)
  },
)
