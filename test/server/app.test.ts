import { expect, test } from 'vitest'
import { makeApp } from '../../src/server/app.ts'
import { CAPACITY } from '../../src/server/capacity.ts'
import type { Route } from '../../src/server/route.ts'

/** Returns the headers of the only page of a server. */
async function ask(route: Pick<Route, 'answer'>): Promise<Record<string, string>> {
  const { app } = await makeApp(
    {
      serviceTime: async () => '2026-11-20T12:00:00.000Z;mode=frozen',
      onBug: (error) => {
        throw error
      },
      now: () => Date.UTC(2026, 10, 20, 12),
      elapsed: () => 0,
      weakRandomBytes: (count) => new Uint8Array(count),
      log: () => {},
    },
    [{ name: 'page', method: 'GET', path: '/page', ...route }],
    {
      addressing: { host: '0.0.0.0', allowedHosts: [] },
      timeouts: {
        headers: 1000,
        request: 1000,
        grace: 1000,
        keepAlive: 1000,
        pooledKeepAlive: 1000,
        idle: 1000,
        read: 1000,
        close: 1000,
      },
      capacity: CAPACITY,
      closing: { now: false },
      isPooled: () => false,
    },
  )
  const { headers } = await fetch(`${await app.listen({ host: '127.0.0.1', port: 0 })}/page`)
  await app.close()
  return Object.fromEntries(headers)
}

const answered = (headers: Record<string, string>): Pick<Route, 'answer'> => ({
  answer: async () => ({ status: 200, headers, body: '' }),
})

test('responses may not be framed and run no scripts, unless they allow it', async () => {
  expect(await ask(answered({}))).toMatchObject({
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  })
})

test('a page sets its own content and referrer policy', async () => {
  const own = {
    'Content-Security-Policy': "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
    'Referrer-Policy': 'same-origin',
  }
  expect(await ask(answered(own))).toMatchObject({
    'content-security-policy': own['Content-Security-Policy'],
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
})
