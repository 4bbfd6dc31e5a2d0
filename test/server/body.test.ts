import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readBody } from '../../src/server/body.ts'
import { makeFairQuota } from '../../src/server/fair-quota.ts'

/** Makes a body that arrives as it is written. */
function makeBody(): PassThrough & IncomingMessage {
  return Object.assign(new PassThrough(), { headers: {} }) as unknown as PassThrough & IncomingMessage
}

/** Makes room for ten bytes and five bodies of slow callers. */
function makeRoom() {
  const shared = { bytes: makeFairQuota(10, 'newest'), bodies: makeFairQuota(5), grace: 60_000 }
  return (caller: string) => ({ ...shared, caller })
}

test('bodies that arrive together use limited memory, and a complete one releases its part', async () => {
  const room = makeRoom()
  const [first, second, third] = [makeBody(), makeBody(), makeBody()]
  const whole = readBody(first, 100, room('a'))
  first.write('123456')
  const refused = readBody(second, 100, room('a'))
  second.write('12345')
  await expect(refused).rejects.toMatchObject({ code: 'service_unavailable', exitCode: 11 })
  first.end('7')
  expect(Buffer.from(await whole).toString()).toBe('1234567')
  const next = readBody(third, 100, room('a'))
  third.end('1234567890')
  expect((await next).length).toBe(10)
})

test('a caller with bodies that use everything makes room for the body of another', async () => {
  const room = makeRoom()
  const [greedy, modest] = [makeBody(), makeBody()]
  const refused = readBody(greedy, 100, room('greedy'))
  greedy.write('1234567890')
  const whole = readBody(modest, 100, room('modest'))
  modest.end('1234')
  await expect(refused).rejects.toMatchObject({ code: 'service_unavailable' })
  expect((await whole).length).toBe(4)
})

test('a caller with many unfinished bodies loses the oldest, and another keeps its one', async () => {
  const room = makeRoom()
  const modest = makeBody()
  const whole = readBody(modest, 100, room('modest'))
  const greedy = Array.from({ length: 6 }, () => readBody(makeBody(), 100, room('greedy')))
  for (const body of greedy) body.catch(() => {})
  await expect(greedy[0]).rejects.toMatchObject({ code: 'service_unavailable' })
  await expect(greedy[1]).rejects.toMatchObject({ code: 'service_unavailable' })
  modest.end('1234')
  expect((await whole).length).toBe(4)
})

test('a body that is too long, or was aborted, uses nothing', async () => {
  const room = makeRoom()
  const [long, left, next] = [makeBody(), makeBody(), makeBody()]
  const refused = readBody(long, 3, room('a'))
  long.write('1234')
  await expect(refused).rejects.toMatchObject({ code: 'payload_too_large', extra: { limit: 3 } })
  const given = readBody(left, 3, room('a'))
  left.write('1')
  left.destroy()
  await expect(given).rejects.toMatchObject({ code: 'invalid_request' })
  const whole = readBody(next, 10, room('a'))
  next.end('1234567890')
  expect((await whole).length).toBe(10)
})

test.each([true, false])(
  'a body may be as long as the limit and no longer; its length announced: %s',
  async (announced) => {
    const send = (text: string): Promise<Uint8Array> => {
      const body = makeBody()
      if (announced) body.headers['content-length'] = String(text.length)
      const whole = readBody(body, 4, makeRoom()('a'))
      body.end(text)
      return whole
    }
    expect((await send('1234')).length).toBe(4)
    await expect(send('12345')).rejects.toMatchObject({ code: 'payload_too_large' })
  },
)

test('a body that comes too slowly is rejected', async () => {
  const slow = makeBody()
  const refused = readBody(slow, 100, { ...makeRoom()('a'), grace: 10 })
  slow.write('1')
  await expect(refused).rejects.toMatchObject({ code: 'request_timeout' })
})
