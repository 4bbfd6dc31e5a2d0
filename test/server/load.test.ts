import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { makeLoad } from '../../src/server/load.ts'

/** Makes a service with a clock that the test moves and requests that the test ends. */
function start(limit: number, share = limit) {
  let now = 0
  const after: (() => void)[] = []
  const begun: string[] = []
  const late = new Map<() => void, number>()
  const load = makeLoad({
    limit,
    share,
    elapsed: () => now,
    afterReading: (next) => void after.push(next),
    after(ms, next) {
      late.set(next, now + ms)
      return () => void late.delete(next)
    },
  })
  const enter = (name: string, { caller = name, url = '/v1/things/a', socket = new Socket() } = {}) => {
    const request = { socket, url } as IncomingMessage
    load.enter(request, caller, (refusal) =>
      begun.push(refusal === undefined ? name : `${name}: ${refusal.code}`),
    )
    return request
  }
  return {
    begun,
    enter,
    leave: load.leave,
    drop: load.drop,
    pass(ms: number) {
      now += ms
      for (const [next, at] of late) if (at <= now) next()
    },
    /** Returns the number of connections that would be refused later. */
    waiting: () => late.size,
    /** Reads everything that is ready; some waiting requests begin. */
    read() {
      for (const next of after.splice(0)) next()
    },
    /** Reads until nothing waits. */
    readAll() {
      while (after.length > 0) for (const next of after.splice(0)) next()
    },
  }
}

test('starts requests at once while there is time', () => {
  const { enter, begun, pass } = start(9)
  for (const name of ['a', 'b', 'c']) enter(name)
  expect(begun).toEqual(['a', 'b', 'c'])
  pass(19)
  enter('d')
  expect(begun).toHaveLength(4)
})

test('lets callers take turns under load, so that none waits for one with many requests', () => {
  const { enter, begun, pass, read, readAll } = start(99)
  enter('one', { caller: 'greedy' })
  pass(20)
  for (const name of ['two', 'three', 'four']) enter(name, { caller: 'greedy' })
  enter('modest')
  expect(begun).toEqual(['one'])
  read()
  expect(begun).toEqual(['one', 'two'])
  read()
  expect(begun).toEqual(['one', 'two', 'modest'])
  readAll()
  expect(begun).toEqual(['one', 'two', 'modest', 'three', 'four'])
  enter('later')
  expect(begun.at(-1)).toBe('later')
})

test('starts no more than the limit until one is done', () => {
  const { enter, leave, begun, readAll } = start(2)
  const first = enter('a')
  for (const name of ['b', 'c', 'd']) enter(name)
  readAll()
  expect(begun).toEqual(['a', 'b'])
  leave(first)
  readAll()
  expect(begun).toEqual(['a', 'b', 'c'])
})

test('limits one caller to its share, and meanwhile starts requests of others', () => {
  const { enter, leave, begun, readAll } = start(9, 2)
  const [first] = ['a1', 'a2', 'a3', 'a4'].map((name) => enter(name, { caller: 'a' }))
  readAll()
  enter('b1', { caller: 'b' })
  readAll()
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  if (first !== undefined) leave(first)
  readAll()
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('releases the place of a connection when it ends', () => {
  const { enter, leave, drop, begun, readAll } = start(1)
  const socket = new Socket()
  const request = enter('a', { socket })
  enter('b')
  drop(socket)
  readAll()
  expect(begun).toEqual(['a', 'b'])
  // A second end of the same request frees nothing twice.
  leave(request)
  enter('c')
  readAll()
  expect(begun).toEqual(['a', 'b'])
})

test('keeps the place of a request when the earlier one on its connection is reported as ended', () => {
  const { enter, leave, begun, readAll } = start(1)
  const socket = new Socket()
  const first = enter('a', { socket })
  leave(first)
  enter('b', { socket })
  leave(first)
  enter('c')
  readAll()
  expect(begun).toEqual(['a', 'b'])
})

test('tells a caller who waited too long to retry', () => {
  const { enter, leave, begun, pass, readAll } = start(1)
  const first = enter('a')
  enter('b')
  pass(5001)
  enter('c')
  leave(first)
  readAll()
  expect(begun).toEqual(['a', 'b: service_unavailable', 'c'])
})

test('tells callers to retry even if no request ever ends, and then starts what they send again', () => {
  const { enter, leave, begun, pass, readAll } = start(1)
  const first = enter('a')
  const socket = new Socket()
  const refused = enter('b', { socket, caller: 'one' })
  pass(4999)
  expect(begun).toEqual(['a'])
  pass(1)
  expect(begun).toEqual(['a', 'b: service_unavailable'])
  enter('c', { socket, caller: 'one' })
  // The rejected request ends without an effect, and the next one still waits.
  leave(refused)
  leave(first)
  readAll()
  expect(begun.at(-1)).toBe('c')
})

test('starts nothing for callers who are gone', () => {
  const { enter, leave, begun, readAll } = start(1)
  const first = enter('a')
  const socket = new Socket()
  enter('gone', { socket })
  enter('c')
  socket.destroy()
  leave(first)
  readAll()
  expect(begun).toEqual(['a', 'c'])
})

test('keeps nothing of callers who go while they wait', () => {
  const { enter, leave, begun, readAll, waiting } = start(1)
  const first = enter('a')
  const socket = new Socket()
  const gone = enter('gone', { socket, caller: 'one' })
  enter('c')
  expect(waiting()).toBe(2)
  socket.destroy()
  leave(gone)
  expect(waiting()).toBe(1)
  leave(first)
  readAll()
  expect(begun).toEqual(['a', 'c'])
  expect(waiting()).toBe(0)
})

test('answers the health check at once, whatever waits', () => {
  const { enter, begun } = start(1)
  for (const name of ['a', 'b']) enter(name)
  enter('alive', { url: '/healthz' })
  expect(begun).toEqual(['a', 'alive'])
})
