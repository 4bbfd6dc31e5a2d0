import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readBody } from '../../src/server/body.ts'

/** A body that arrives as it is written. */
function makeBody(): PassThrough & IncomingMessage {
  return Object.assign(new PassThrough(), { headers: {} }) as unknown as PassThrough & IncomingMessage
}

test('bodies that arrive together hold only so much, and what has arrived makes room', async () => {
  const arriving = { left: 10 }
  const [first, second, third] = [makeBody(), makeBody(), makeBody()]
  const whole = readBody(first, 100, arriving)
  first.write('123456')
  const refused = readBody(second, 100, arriving)
  second.write('12345')
  await expect(refused).rejects.toMatchObject({ code: 'service_unavailable', exitCode: 11 })
  first.end('7')
  expect(Buffer.from(await whole).toString()).toBe('1234567')
  const next = readBody(third, 100, arriving)
  third.end('1234567890')
  expect((await next).length).toBe(10)
  expect(arriving.left).toBe(10)
})

test('a body that is too long, or that its sender gave up, holds nothing', async () => {
  const arriving = { left: 10 }
  const [long, left] = [makeBody(), makeBody()]
  const refused = readBody(long, 3, arriving)
  long.write('1234')
  await expect(refused).rejects.toMatchObject({ code: 'payload_too_large', extra: { limit: 3 } })
  const given = readBody(left, 3, arriving)
  left.write('1')
  left.destroy()
  await expect(given).rejects.toMatchObject({ code: 'invalid_request' })
  expect(arriving.left).toBe(10)
})
