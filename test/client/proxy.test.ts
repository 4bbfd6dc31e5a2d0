/** The proxy on the way to a service elsewhere: which variable names it, and which services are reached without it. */
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AppError } from '../../src/core/errors.ts'
import { startFaults } from '../support/faults.ts'
import { openTestRemote } from '../support/remote-client.ts'

/** Starts a proxy that rejects every request. */
async function startProxy(): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = []
  const proxy = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      seen.push(chunk.toString())
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n')
    })
  })
  onTestFinished(() => void proxy.close())
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, seen }
}

/** Returns whether a call to an address was sent to the proxy. */
async function asksProxy(
  baseUrl: string,
  envOf: (proxy: string) => Record<string, string>,
  timeoutMs = 5000,
): Promise<boolean> {
  const { url, seen } = await startProxy()
  const { client } = await openTestRemote(baseUrl, { env: envOf(url), target: { timeoutMs } })
  await expect(client.call('get_membership_status', {})).rejects.toMatchObject({ code: 'network_error' })
  return seen.length > 0
}

describe('a service', () => {
  test('elsewhere is reached through the proxy, which sees no token', async () => {
    const { url, seen } = await startProxy()
    const { client } = await openTestRemote('https://dray.invalid', { env: { https_proxy: url } })
    await expect(client.call('get_membership_status', {})).rejects.toMatchObject({ code: 'network_error' })
    expect(seen[0]).toMatch(/^CONNECT dray\.invalid:443 /)
    expect(seen.join('')).not.toContain('dray_sbx_test')
  })

  test.each([
    ['https://dray.invalid', 'other.example,dray.invalid'],
    ['https://api.dray.invalid', '.dray.invalid'],
    ['https://api.dray.invalid', 'other.example *.DRAY.invalid'],
    ['https://dray.invalid.', 'dray.invalid'],
    ['https://xn--dry-rla.invalid', 'dräy.invalid'],
    ['https://dray.invalid', '*'],
    ['https://dray.invalid:8443', 'dray.invalid:8443'],
    ['https://127.0.0.1.invalid', 'dray.invalid:1,.invalid:443'],
    ['https://192.0.2.7', '192.0.2.0/24'],
    ['https://192.0.2.7', '10.0.0.0/8, 192.0.2.99/24'],
    ['https://192.0.2.7', '192.0.2.7'],
    ['https://192.0.2.7:8443', '192.0.2.7:8443'],
    ['https://192.0.2.7', '::ffff:192.0.2.7'],
    ['https://192.0.2.7', '::ffff:192.0.2.0/120'],
    ['https://[::ffff:192.0.2.7]', '192.0.2.0/24'],
    ['https://[2001:db8::7]', '2001:db8::/32'],
    ['https://[2001:db8::7]', '[2001:db8::]/32'],
    ['https://[2001:db8::7]', '2001:DB8:0::7'],
    ['https://[2001:db8::7]', '2001:db8::7'],
    ['https://[2001:db8::7]', '[2001:db8:0:0::7]:443'],
  ])('%s that NO_PROXY names is reached without the proxy: %s', async (baseUrl, list) => {
    const envOf = (url: string) => ({ ALL_PROXY: url, no_proxy: list, NO_PROXY: 'other.example' })
    expect(await asksProxy(baseUrl, envOf, 50)).toBe(false)
  })

  test.each([
    ['https://dray.invalid', 'ray.invalid'],
    ['https://dray.invalid', '*.dray.invalid'],
    ['https://dray.invalid', 'dray.invalid:8443'],
    ['https://192.0.2.7', '192.0.3.0/24'],
    ['https://192.0.2.7', '192.0.2.0/33'],
    ['https://192.0.2.7', '2.7'],
    ['https://[2001:db8::7]', '2001:db9::/32'],
    ['https://[2001:db8::7]', '2001:db8::/x'],
    ['https://dray.invalid', '192.0.2.0/24,0.0.0.0/0'],
    ['https://dray.invalid', ''],
  ])('%s that NO_PROXY does not name is reached through the proxy: %s', async (baseUrl, list) => {
    expect(await asksProxy(baseUrl, (url) => ({ HTTPS_PROXY: url, NO_PROXY: list }))).toBe(true)
  })

  test.each(['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY', 'http_proxy', 'HTTP_PROXY'])(
    'is reached through the proxy of %s, with a scheme or without',
    async (variable) => {
      const asks = (shorten: (url: string) => string) =>
        asksProxy('https://dray.invalid', (url) => ({
          HTTP_PROXY: 'http://proxy.invalid:1',
          https_proxy: '',
          [variable]: shorten(url),
        }))
      expect(await asks((url) => url)).toBe(true)
      expect(await asks((url) => url.replace('http://', ''))).toBe(true)
      expect(await asks((url) => url.replace('http://', 'me:secret@'))).toBe(true)
    },
  )

  test('behind a proxy that fails has an error which names the proxy, and no password', async () => {
    const { url } = await startProxy()
    const gone = await startFaults(() => {})
    await gone.close()
    const said = async (proxy: string): Promise<AppError> => {
      const { client } = await openTestRemote('https://dray.invalid', {
        env: { ALL_PROXY: proxy.replace('http://', 'http://me:secret@') },
        target: { timeoutMs: 200 },
      })
      const error: unknown = await client.call('get_membership_status', {}).catch((thrown: unknown) => thrown)
      return error as AppError
    }
    const through = (proxy: string): string =>
      `https://dray.invalid cannot be reached through the proxy ${new URL(proxy).host} (ALL_PROXY)`
    expect(await said(url)).toMatchObject({
      code: 'network_error',
      message: `${through(url)}: the proxy responded with 403 to CONNECT.`,
      hint: 'If no proxy leads there, name dray.invalid in NO_PROXY.',
    })
    expect(await said(gone.url)).toMatchObject({ message: `${through(gone.url)}: connection refused.` })
  })

  test.each([
    ':::',
    'ftp://proxy.example',
    'http://',
    'proxy.example:99999',
    'http://proxy.example:0',
    'a b',
  ])('behind a proxy with an invalid address is refused: %s', async (proxy) => {
    await expect(
      openTestRemote('https://api.example.com', { env: { ALL_PROXY: proxy } }),
    ).rejects.toMatchObject({
      code: 'config_error',
      message: 'ALL_PROXY is not the address of a proxy, such as http://proxy.example:3128.',
    })
  })
})
