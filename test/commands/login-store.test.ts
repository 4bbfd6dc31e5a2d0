import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Keyring } from '../../src/client/keyring.ts'
import type { Login } from '../../src/client/session.ts'
import { openLoginStore, removeLogin, replaceLogin } from '../../src/commands/login-store.ts'
import { makeHome } from '../support/home.ts'
import { memoryKeyring } from '../support/memory-keyring.ts'

const ADDRESS = 'https://api.example.com'
const LOGIN: Login = { token: 'dray_sbx_a', refreshToken: 'dray_ref_a', account: 'shipper' }
const PROGRAM: Login = {
  token: 'dray_sbx_p',
  client: { id: 'cli_1', secret: 'dray_sec_p', scope: 'food.read' },
}
const settings = { base_url: ADDRESS }

function setUp(keyring: Keyring = memoryKeyring(), env: Record<string, string> = {}) {
  const home = makeHome(env)
  return {
    home,
    parts: { ...home, keyring: () => Promise.resolve(keyring) },
    [Symbol.dispose]: home[Symbol.dispose],
  }
}

describe.each([
  ['of a person', LOGIN],
  ['of a program', PROGRAM],
])('a login %s', (_name, login) => {
  test('comes back from the file as it was put there', async () => {
    using world = setUp()
    const { home, parts } = world
    await replaceLogin(parts, 'work', { login, place: { file: home.configFile }, settings })
    expect(await openLoginStore(parts, 'work').read()).toEqual(login)
    expect(fs.statSync(home.configFile).mode & 0o777).toBe(0o600)
    const next = { ...login, token: 'dray_sbx_b' }
    await openLoginStore(parts, 'work').write(next)
    expect(await openLoginStore(parts, 'work').read()).toEqual(next)
  })

  test('comes back from the keyring, and the file has nothing secret', async () => {
    const keyring = memoryKeyring()
    using world = setUp(keyring)
    const { home, parts } = world
    await replaceLogin(parts, 'work', { login, place: { keyring }, settings })
    const next = { ...login, token: 'dray_sbx_b' }
    await openLoginStore(parts, 'work').write(next)
    expect(await openLoginStore(parts, 'work').read()).toEqual(next)
    expect(fs.readFileSync(home.configFile, 'utf8')).not.toMatch(/dray_(?:sbx|ref|sec)_/)
    expect(home.readConfig()).toMatchObject({ profiles: { work: { base_url: ADDRESS, keyring: true } } })
    expect([...keyring.secrets.keys()]).toEqual([`work in ${home.configFile}`])
  })
})

describe('one login in the place of another', () => {
  test('leaves nothing of the other where it lay', async () => {
    const keyring = memoryKeyring()
    using world = setUp(keyring)
    const { home, parts } = world
    home.writeConfig({ profiles: { work: { base_url: ADDRESS, pay: 'card' } } })
    const file = { file: home.configFile }
    await replaceLogin(parts, 'work', { login: PROGRAM, place: file, settings })
    await replaceLogin(parts, 'work', { login: LOGIN, place: { keyring }, settings })
    expect(home.readConfig()).toEqual({
      profiles: { work: { base_url: ADDRESS, pay: 'card', keyring: true, account: 'shipper' } },
    })
    await replaceLogin(parts, 'work', { login: { token: 'dray_sbx_c' }, place: file, settings })
    expect(keyring.secrets.size).toBe(0)
    expect(home.readConfig()).toEqual({
      profiles: { work: { base_url: ADDRESS, pay: 'card', token: 'dray_sbx_c' } },
    })
  })

  test('is not half there when the keyring takes it no more', async () => {
    const keyring = memoryKeyring({ write: () => Promise.reject(new Error('it is locked')) })
    using world = setUp(keyring)
    const { home, parts } = world
    const before = { profiles: { work: { base_url: ADDRESS, token: 'dray_sbx_old' } } }
    home.writeConfig(before)
    await expect(
      replaceLogin(parts, 'work', { login: LOGIN, place: { keyring }, settings }),
    ).rejects.toMatchObject({ code: 'not_logged_in', exitCode: 4 })
    expect(home.readConfig()).toEqual(before)
  })
})

describe('a login in the keyring', () => {
  async function inKeyring(keyring = memoryKeyring(), env: Record<string, string> = {}) {
    const world = setUp(keyring, env)
    await replaceLogin(world.parts, 'work', { login: LOGIN, place: { keyring }, settings })
    return { ...world, keyring }
  }

  test('is not given to another address than its own, whatever the file says', async () => {
    using world = await inKeyring()
    world.home.writeConfig({ profiles: { work: { base_url: 'https://evil.example', keyring: true } } })
    await expect(openLoginStore(world.parts, 'work').read()).rejects.toThrow(
      'it is for an address other than https://evil.example',
    )
  })

  test.each<[string, Partial<Keyring>, RegExp]>([
    ['locked', { read: () => Promise.reject(new Error('it is locked')) }, /it is locked/],
    ['empty', { read: () => Promise.resolve(undefined) }, /it is not there any more/],
    [
      'holding something else',
      { read: () => Promise.resolve('not ours') },
      /it is for an address other than/,
    ],
  ])('that is %s is no login: exit code 4, and how to go on', async (_name, broken, why) => {
    using world = await inKeyring()
    const parts = { ...world.parts, keyring: () => Promise.resolve({ ...world.keyring, ...broken }) }
    await expect(openLoginStore(parts, 'work').read()).rejects.toMatchObject({
      exitCode: 4,
      message: expect.stringMatching(why) as unknown,
      hint: expect.stringContaining('`dray login --profile work') as unknown,
    })
  })

  test('is left alone where DRAY_NO_KEYRING says so', async () => {
    using world = await inKeyring(memoryKeyring(), { DRAY_NO_KEYRING: '1' })
    await expect(openLoginStore(world.parts, 'work').read()).rejects.toThrow('DRAY_NO_KEYRING is set')
  })

  test('is taken out of both places', async () => {
    using world = await inKeyring()
    expect(await removeLogin(world.parts, 'work')).toEqual({ removed: true, left: undefined })
    expect(world.keyring.secrets.size).toBe(0)
    expect(world.home.readConfig()).toEqual({ profiles: { work: settings } })
    expect(await removeLogin(world.parts, 'work')).toEqual({ removed: false, left: undefined })
  })

  test('of one configuration is not that of another', async () => {
    const keyring = memoryKeyring()
    using first = await inKeyring(keyring)
    using second = await inKeyring(keyring)
    expect(keyring.secrets.size).toBe(2)
    await removeLogin(second.parts, 'work')
    expect(await openLoginStore(first.parts, 'work').read()).toEqual(LOGIN)
  })
})

test('a login that was removed is not brought back by one that is being renewed', async () => {
  using world = setUp()
  const { home, parts } = world
  await replaceLogin(parts, 'work', { login: LOGIN, place: { file: home.configFile }, settings })
  home.writeConfig({ profiles: {} })
  await openLoginStore(parts, 'work').write({ ...LOGIN, token: 'dray_sbx_b' })
  expect(home.readConfig()).toEqual({ profiles: {} })
})

test('a process that locks the login makes others wait', async () => {
  using world = setUp()
  const { parts } = world
  const steps: string[] = []
  const let1 = Promise.withResolvers<void>()
  const first = openLoginStore(parts, 'work').exclusive(async () => {
    steps.push('first in')
    await let1.promise
    steps.push('first out')
  })
  const second = openLoginStore(parts, 'work').exclusive(async () => void steps.push('second'))
  const other = openLoginStore(parts, 'home').exclusive(async () => void steps.push('other profile'))
  await other
  let1.resolve()
  await Promise.all([first, second])
  expect(steps).toEqual(['first in', 'other profile', 'first out', 'second'])
})
