import fs from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { login } from '../../../src/cli/commands/login.ts'
import { logout } from '../../../src/cli/commands/logout.ts'
import { whoami } from '../../../src/cli/commands/whoami.ts'
import type { Client, Target } from '../../../src/client/client.ts'
import { announceService } from '../../../src/client/control-token.ts'
import { openRemote } from '../../../src/client/remote.ts'
import * as registry from '../../../src/generated/registry.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { runCommand } from '../../support/run-command.ts'
import { NOON, serveStore, type Served } from '../../support/served.ts'

let served: Served
beforeAll(async () => {
  served = await serveStore({ registry })
})

function openIn(home: Home): (target: Target, debug: (line: string) => void) => Promise<Client> {
  const embedded = embeddedIn(home)
  return (target, debug) =>
    target.kind === 'embedded'
      ? embedded(target)
      : openRemote(target, {
          env: home.env,
          paths: home.paths,
          now: () => NOON,
          elapsed: () => performance.now(),
          random: (count) => new Uint8Array(count),
          noise: (count) => new Uint8Array(count),
          sleep: () => Promise.resolve(),
          debug,
        })
}

type Given = { stdin?: string; tty?: boolean; type?: string }

function run(
  home: Home,
  command: typeof login,
  argv: readonly string[],
  { stdin = '', tty = false, type = '' }: Given = {},
) {
  const io = memoryIo({ env: home.env, stdin, tty })
  const ended = runCommand(home, command, argv, { io, openClient: openIn(home) })
  if (type !== '') io.type(type)
  return ended.then((ran) => ({ ...ran, asked: io.asked() }))
}

const hasConfig = (home: Home): boolean => fs.existsSync(home.configFile)

describe('login with a token', () => {
  test('tries it, says where it goes, saves it for its address only, and shows it nowhere', async () => {
    using home = makeHome()
    const token = await served.token('shipper')
    const argv = ['--base-url', served.url, '--profile', 'local', '--token-stdin', '--debug']
    const ran = await run(home, login, argv, { stdin: `${token}\n` })
    expect(ran).toMatchObject({ code: 0, error: undefined })
    expect(ran.err).toContain(
      `The token goes to the profile local in ${home.configFile}, in plain text, readable only by you.`,
    )
    expect(ran.err).toContain(`Logged in to ${served.url}.`)
    expect(ran.err).toMatch(/GET \/v1\S+ 200/)
    expect(ran.out + ran.err).not.toContain(token)
    expect(home.readConfig()).toEqual({ profiles: { local: { base_url: served.url, token } } })
    expect(fs.statSync(home.configFile).mode & 0o777).toBe(0o600)
  })

  test('from a file, into the default profile, saying how to go back', async () => {
    using home = makeHome()
    const file = join(home.cwd, 'token.txt')
    fs.writeFileSync(file, await served.token('everything'))
    const ran = await run(home, login, ['--base-url', served.url, '--token-file', file, '--json'])
    expect(ran.json()).toEqual({
      profile: 'default',
      kind: 'remote',
      address: served.url,
      account: null,
      credential: 'config file',
    })
    expect(ran.err).toContain('`dray profile remove default` goes back to the sandbox')
    expect(await run(home, whoami, ['--json'])).toMatchObject({ code: 0 })
  })

  test('takes a token that may not read the membership, and says so', async () => {
    using home = makeHome()
    const token = await served.token('shipper', { scopes: ['shipments.read'] })
    const ran = await run(home, login, ['--base-url', served.url, '--token-stdin'], { stdin: token })
    expect(ran.code).toBe(0)
    expect(ran.err).toContain('has no scope profile.read')
  })

  test.each<[string, number, string, (home: Home) => string[]]>([
    [
      'a token that the service does not know',
      4,
      'dray_sbx_nobody_has_this',
      () => ['--base-url', served.url],
    ],
    ['nothing on standard input', 2, ' \n', () => ['--base-url', served.url]],
    ['two lines', 2, 'one\ntwo', () => ['--base-url', served.url]],
    ['no address', 2, 'dray_sbx_x', () => []],
    [
      'a service that is not there',
      11,
      'dray_sbx_x',
      () => ['--base-url', 'http://127.0.0.1:1', '--timeout', '1s'],
    ],
    [
      'a token and a sandbox account',
      2,
      'dray_sbx_x',
      () => ['--base-url', served.url, '--account', 'shipper'],
    ],
    ['a file and standard input', 2, 'x', () => ['--base-url', served.url, '--token-file', 'x']],
    ['a dry run', 2, 'x', () => ['--base-url', served.url, '--dry-run']],
  ])('refuses %s and saves nothing', async (_name, code, stdin, argv) => {
    using home = makeHome()
    const ran = await run(home, login, [...argv(home), '--token-stdin'], { stdin })
    expect(ran.code).toBe(code)
    expect(`${ran.error?.message} ${ran.error?.hint} ${ran.err}`).not.toMatch(/nobody_has_this|\btwo\b/)
    expect(hasConfig(home)).toBe(false)
  })

  test('refuses a file that is not there, and the keyboard, which would show it', async () => {
    using home = makeHome()
    expect((await run(home, login, ['--base-url', served.url, '--token-file', 'nope'])).error).toMatchObject({
      code: 'file_error',
      exitCode: 2,
    })
    const ran = await run(home, login, ['--base-url', served.url, '--token-stdin'], { tty: true })
    expect(ran.error?.message).toContain('keyboard')
  })

  test('does not put a token into a profile of another address', async () => {
    using home = makeHome()
    const before = {
      profiles: { live: { base_url: 'https://live.example', token: 'old' }, store: { store: '/x.db' } },
    }
    home.writeConfig(before)
    const stdin = await served.token('shipper')
    for (const profile of ['live', 'store']) {
      const ran = await run(home, login, ['--base-url', served.url, '--profile', profile, '--token-stdin'], {
        stdin,
      })
      expect(ran.error).toMatchObject({
        code: 'usage',
        hint: 'Add --profile NAME with the name of another, new or not.',
      })
    }
    expect(home.readConfig()).toEqual(before)
  })
})

describe('login without flags', () => {
  test('in a script ends with 2 and says everything that could be given', async () => {
    using home = makeHome()
    const { error } = await run(home, login, [])
    expect(error?.exitCode).toBe(2)
    expect(error?.errors.map(({ parameter }) => parameter)).toEqual(['--base-url', '--account'])
    expect(error?.hint).toBe(
      'Complete the command: dray login --base-url URL, or: dray login --sandbox --account NAME',
    )
    expect((await run(home, login, ['--json'], { tty: true })).code).toBe(2)
  })

  test('on a terminal asks for the service, the token and whether to save it', async () => {
    using home = makeHome()
    const token = await served.token('shipper')
    const ran = await run(home, login, ['--accessible'], {
      tty: true,
      type: `2\n${served.url}\n2\n${token}\ny\n`,
    })
    expect(ran).toMatchObject({ code: 0, error: undefined })
    expect(ran.asked).toContain(`Save the token in ${home.configFile}, in plain text, readable only by you?`)
    expect(home.readConfig()).toEqual({ profiles: { default: { base_url: served.url, token } } })
  })

  test('saves nothing when that is declined', async () => {
    using home = makeHome()
    const token = await served.token('shipper')
    const ran = await run(home, login, ['--accessible'], {
      tty: true,
      type: `2\n${served.url}\n2\n${token}\nn\n`,
    })
    expect(ran.error).toMatchObject({ code: 'not_confirmed', exitCode: 3 })
    expect(hasConfig(home)).toBe(false)
  })
})

describe('login to the sandbox', () => {
  test('embedded: the account of the profile', async () => {
    using home = makeHome()
    const ran = await run(home, login, ['--sandbox', '--account', 'shipper'])
    expect(ran.code).toBe(0)
    expect(home.readConfig()).toEqual({ profiles: { default: { account: 'shipper' } } })
    expect((await run(home, whoami, ['--json'])).json()).toMatchObject({
      profile: 'default',
      environment: 'sandbox',
      kind: 'embedded',
      account: 'shipper',
      entitlements: { service_one: false, carrier_agreement: true, business_agreement: false },
      scopes: expect.arrayContaining(['shipments.create']) as unknown,
    })
  })

  test('lists the accounts when there is no such one, or none was named', async () => {
    using home = makeHome()
    const unknown = await run(home, login, ['--account', 'nobody'])
    expect(unknown.error).toMatchObject({ code: 'account_not_found', exitCode: 5 })
    expect(unknown.error?.message).toContain('everything, member, guest')
    const unnamed = await run(home, login, ['--sandbox'])
    expect(unnamed.error?.hint).toBe('Complete the command: dray login --sandbox --account NAME')
    expect(hasConfig(home)).toBe(false)
  })

  test('served on this machine: mints a token, which is shown nowhere', async () => {
    using home = makeHome()
    using _ = { [Symbol.dispose]: announceService(served.port, served.controlToken, home.paths.state) }
    const ran = await run(home, login, [
      '--sandbox',
      '--account',
      'shipper',
      '--base-url',
      served.url,
      '--profile',
      'local',
    ])
    expect(ran).toMatchObject({ code: 0, error: undefined })
    const { profiles } = home.readConfig() as { profiles: { local: { token: string } } }
    const { token } = profiles.local
    expect(profiles).toEqual({ local: { base_url: served.url, token, account: 'shipper' } })
    expect(token).toMatch(/^dray_sbx_/)
    expect(ran.out + ran.err).not.toContain(token)
    expect((await run(home, whoami, ['--profile', 'local', '--json'])).json()).toMatchObject({
      environment: 'sandbox',
      kind: 'remote',
      address: served.url,
      account: 'shipper',
      entitlements: { carrier_agreement: true },
    })
    expect(
      (await run(home, whoami, ['--profile', 'local', '--as', 'member', '--json'])).json(),
    ).toMatchObject({ account: 'member' })
  })

  test('served by somebody else: the control token is not known here', async () => {
    using home = makeHome()
    const ran = await run(home, login, ['--sandbox', '--account', 'shipper', '--base-url', served.url])
    expect(ran.error).toMatchObject({ code: 'not_logged_in', exitCode: 4 })
    expect(hasConfig(home)).toBe(false)
  })
})

describe('whoami', () => {
  test('of a token tells what the service tells, and null for the rest', async () => {
    using home = makeHome({
      DRAY_BASE_URL: served.url,
      DRAY_TOKEN: await served.token('member', { scopes: ['food.read'] }),
    })
    expect((await run(home, whoami, ['--json'])).json()).toEqual({
      profile: 'default',
      environment: 'sandbox',
      kind: 'remote',
      address: served.url,
      account: 'member',
      account_id: expect.stringMatching(/^cus_/) as unknown,
      name: null,
      entitlements: { service_one: null, carrier_agreement: null, business_agreement: null },
      scopes: ['food.read'],
      credential: 'environment',
    })
    home.env['DRAY_TOKEN'] = await served.token('member')
    expect((await run(home, whoami, ['--json'])).json()).toMatchObject({
      entitlements: { service_one: true },
    })
  })

  test('without a token, or with one that no longer counts, ends with 4', async () => {
    using home = makeHome({ DRAY_BASE_URL: served.url })
    expect((await run(home, whoami, [])).error).toMatchObject({ code: 'not_logged_in', exitCode: 4 })
    home.env['DRAY_TOKEN'] = await served.token('member', { expiresAt: NOON - 1 })
    expect((await run(home, whoami, [])).error).toMatchObject({ code: 'invalid_token', exitCode: 4 })
  })

  test('as an account that is not there, lists those that are', async () => {
    using home = makeHome()
    expect((await run(home, whoami, ['--as', 'nobody'])).error).toMatchObject({ code: 'account_not_found' })
  })
})

describe('logout', () => {
  test('removes the token and the account and nothing else, once', async () => {
    using home = makeHome()
    home.writeConfig({
      profiles: {
        live: { base_url: 'http://127.0.0.1:1', token: 'x', account: 'a', pay: 'card' },
        other: { token: 'y' },
      },
    })
    const ran = await run(home, logout, ['--profile', 'live', '--json'])
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.json()).toEqual({ profile: 'live', logged_out: true, revoked: false })
    expect(ran.err).toMatch(/^warning: .*connection refused.* may know the login until it expires/)
    expect(home.readConfig()).toEqual({
      profiles: { live: { base_url: 'http://127.0.0.1:1', pay: 'card' }, other: { token: 'y' } },
    })
    expect((await run(home, logout, ['--profile', 'live', '--json'])).json()).toEqual({
      profile: 'live',
      logged_out: false,
      revoked: false,
    })
  })

  test('says that a token of the environment stays', async () => {
    using home = makeHome({ DRAY_BASE_URL: 'https://live.example', DRAY_TOKEN: 'x' })
    expect((await run(home, logout, [])).err).toContain('DRAY_TOKEN is set and stays in use')
  })
})
