import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CommandContext } from '../../src/cli/cli.ts'
import { isLive } from '../../src/commands/live.ts'
import { replaceLogin } from '../../src/commands/login-store.ts'
import { type Home, makeHome } from '../support/home.ts'
import { memoryKeyring } from '../support/memory-keyring.ts'

const AWAY = 'https://api.example.com'

let home: Home

beforeEach(() => void (home = makeHome()))
afterEach(() => home[Symbol.dispose]())

function live(baseUrl: string, token: string | undefined, runtime: Home = home): Promise<boolean> {
  const login = token === undefined ? { login: { profile: 'work', account: undefined } } : {}
  const target = { kind: 'remote' as const, baseUrl, token, controlToken: undefined, timeoutMs: undefined }
  return isLive({ runtime } as unknown as CommandContext, { ...target, ...login })
}

test.each([
  ['this machine', 'http://127.0.0.1:8080', 'token', false],
  ['a sandbox elsewhere', AWAY, 'dray_sbx_1', false],
  ['a service elsewhere', AWAY, 'token', true],
])('calls to %s', async (_, address, token, expected) => {
  expect(await live(address, token)).toBe(expected)
})

test.each([
  ['a sandbox', 'dray_sbx_1', false],
  ['a service', 'token', true],
])('calls with a login of %s that lies in the keyring', async (_, token, expected) => {
  const keyring = memoryKeyring()
  const runtime = { ...home, keyring: () => Promise.resolve(keyring) }
  await replaceLogin(runtime, 'work', { login: { token }, place: { keyring }, settings: { base_url: AWAY } })
  expect(await live(AWAY, undefined, runtime)).toBe(expected)
  const locked = { ...home, keyring: () => Promise.reject(new Error('it is locked')) }
  expect(await live(AWAY, undefined, locked)).toBe(true)
})
