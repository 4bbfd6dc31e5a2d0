import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { makeLoad } from '../../src/server/load.ts'

function from(socket: Socket, url = '/v1/things/a'): IncomingMessage {
  return { socket, url } as IncomingMessage
}

test('asks callers on further connections to come back, until somebody is done', () => {
  const load = makeLoad(2)
  const [one, two, three] = [new Socket(), new Socket(), new Socket()]
  load.enter(from(one))
  load.enter(from(two))
  // A request that was sent after another on the same connection is no further caller.
  load.enter(from(two))
  expect(() => load.enter(from(three))).toThrow(expect.objectContaining({ code: 'service_unavailable' }))
  load.leave(from(three))
  expect(() => load.enter(from(three, '/healthz'))).not.toThrow()
  load.leave(from(three))
  load.leave(from(two))
  expect(() => load.enter(from(three))).toThrow(expect.objectContaining({ code: 'service_unavailable' }))
  load.leave(from(three))
  load.leave(from(two))
  expect(() => load.enter(from(three))).not.toThrow()
})

test('counts nobody who is gone', () => {
  const load = makeLoad(1)
  const gone = new Socket()
  load.enter(from(gone))
  gone.destroy()
  expect(() => load.enter(from(new Socket()))).not.toThrow()
  expect(() => load.enter(from(new Socket()))).toThrow(
    expect.objectContaining({ code: 'service_unavailable' }),
  )
})
