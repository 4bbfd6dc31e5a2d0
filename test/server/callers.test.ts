import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { makeCallers } from '../../src/server/callers.ts'

function request(remoteAddress: string, token?: string): IncomingMessage {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return { headers, headersDistinct: {}, socket: { remoteAddress } } as unknown as IncomingMessage
}

test('invented tokens from one address are one caller', () => {
  const { of } = makeCallers()
  expect(of(request('192.0.2.1', 'a'))).toBe(of(request('192.0.2.1', 'b')))
  expect(of(request('192.0.2.1', 'a'))).toBe(of(request('192.0.2.1')))
  expect(of(request('192.0.2.1', 'a'))).not.toBe(of(request('192.0.2.2', 'a')))
})

test('addresses of one IPv6 network are one caller', () => {
  const { of } = makeCallers()
  expect(of(request('2001:db8::1'))).toBe(of(request('2001:db8::2')))
})

test('many tokens of one account are one caller, from any address', () => {
  const { of, learn } = makeCallers()
  learn(request('192.0.2.1', 'a'), 'acc_1')
  learn(request('192.0.2.1', 'b'), 'acc_1')
  expect([of(request('192.0.2.1', 'a')), of(request('192.0.2.2', 'b'))]).toEqual(['acc_1', 'acc_1'])
})

test('a token that was rejected counts for its address again', () => {
  const { of, learn, forget } = makeCallers()
  learn(request('192.0.2.1', 'a'), 'acc_1')
  forget(request('192.0.2.1', 'a'))
  expect(of(request('192.0.2.1', 'a'))).toBe('192.0.2.1')
})

test('tokens that were used long ago make room for others', () => {
  const { of, learn } = makeCallers()
  for (let token = 0; token <= 10_000; token++) learn(request('192.0.2.1', `t${token}`), 'acc_1')
  expect(of(request('192.0.2.1', 't0'))).toBe('192.0.2.1')
  expect(of(request('192.0.2.1', 't10000'))).toBe('acc_1')
})
