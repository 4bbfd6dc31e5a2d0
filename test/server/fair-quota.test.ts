import { expect, test } from 'vitest'
import { makeFairQuota } from '../../src/server/fair-quota.ts'

/** Makes shares with named parts; `ended` lists those that were ended. */
function start(limit: number, first: 'oldest' | 'newest' = 'oldest') {
  const shares = makeFairQuota(limit, first)
  const ended: string[] = []
  const take = (caller: string, name: string, { amount = 1, ends = true } = {}) => {
    const share = shares.take(caller, () => {
      if (ends) ended.push(name)
      return ends
    })
    share.grow(amount)
    return share
  }
  return { take, ended }
}

test('a caller that takes everything makes room for another, its oldest part first', () => {
  const { take, ended } = start(4)
  for (const name of ['a1', 'a2', 'a3', 'a4']) take('a', name)
  take('b', 'b1')
  take('c', 'c1')
  expect(ended).toEqual(['a1', 'a2'])
})

test('a caller that takes too much gives up its own parts, and no part of another', () => {
  const { take, ended } = start(3)
  take('b', 'b1')
  for (const name of ['a1', 'a2', 'a3', 'a4']) take('a', name)
  expect(ended).toEqual(['a1', 'a2'])
})

test('the newest part goes first where the oldest has cost the most', () => {
  const { take, ended } = start(10, 'newest')
  take('a', 'a1', { amount: 6 })
  take('b', 'b1', { amount: 3 })
  take('a', 'a2', { amount: 2 })
  expect(ended).toEqual(['a2'])
})

test('a part that was renewed is the newest', () => {
  const { take, ended } = start(2)
  const first = take('a', 'a1')
  take('a', 'a2')
  first.renew()
  take('b', 'b1')
  expect(ended).toEqual(['a2'])
})

test('a part that cannot end stays, and if none can end the one that grew is lost', () => {
  const { take, ended } = start(2)
  take('a', 'a1', { ends: false })
  take('a', 'a2')
  take('b', 'b1')
  expect(ended).toEqual(['a2'])
  take('a', 'a3', { ends: false })
  take('c', 'c1')
  expect(ended).toEqual(['a2', 'c1'])
})

test('a released part is free again, once', () => {
  const { take, ended } = start(2)
  const first = take('a', 'a1')
  take('a', 'a2')
  first.end()
  first.end()
  first.grow(5)
  take('b', 'b1')
  expect(ended).toEqual([])
  take('b', 'b2')
  expect(ended).toHaveLength(1)
})
