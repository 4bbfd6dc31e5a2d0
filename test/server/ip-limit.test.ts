import { expect, test } from 'vitest'
import { makeIpLimit } from '../../src/server/ip-limit.ts'

test('counts the addresses of one IPv6 network together', async () => {
  const limit = makeIpLimit({ name: 'tries', points: 1, seconds: 60 })
  expect(await limit.take('2001:db8:1:2::1')).toBeUndefined()
  expect(await limit.take('2001:db8:1:2:ffff::9')).toBeGreaterThan(0)
  expect(await limit.take('2001:db8:1:3::1')).toBeUndefined()
})

test('remembers a limited number of networks, and forgets the one with the oldest attempt', async () => {
  const limit = makeIpLimit({ name: 'tries', points: 1, seconds: 60 }, 3)
  for (const last of [1, 2, 3, 1, 4]) await limit.take(`192.0.2.${last}`)
  const left = await Promise.all([1, 2, 3, 4].map((last) => limit.left(`192.0.2.${last}`)))
  expect(left).toEqual([0, 1, 0, 0])
})
