import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { InterruptedError } from '../../../src/cli/io.ts'
import type { Client, Target } from '../../../src/client/client.ts'
import { announceService } from '../../../src/client/control-token.ts'
import type { Keyring } from '../../../src/client/keyring.ts'
import { openRemote } from '../../../src/client/remote.ts'
import { openLoginStore } from '../../../src/commands/login-store.ts'
import { login } from '../../../src/commands/login/login.command.ts'
import { logout } from '../../../src/commands/login/logout.command.ts'
import { whoami } from '../../../src/commands/login/whoami.command.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import * as registry from '../../../src/generated/registry.ts'
import type { ControlName } from '../../../src/sandbox/control/index.ts'
import { invokeControl } from '../../../src/sandbox/control/invoke.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { sendValidResponse, startFaults } from '../../support/faults.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { memoryKeyring } from '../../support/memory-keyring.ts'
import { type Options, runCommand } from '../../support/run-command.ts'
import { NOON_MS, serveStore, type ServedStore } from '../../support/served.ts'

let served: ServedStore
beforeAll(async () => {
  served = await serveStore({ registry })
})

function openIn(
  home: Home,
  keyring?: Keyring,
): (target: Target, debug: (line: string) => void) => Promise<Client> {
  const parts = { ...home, keyring: () => (keyring ? Promise.resolve(keyring) : Promise.reject(new Error())) }
  const embedded = embeddedIn(home)
  return (target, debug) =>
    target.kind === 'embedded'
      ? embedded(target)
      : openRemote(target, {
          env: home.env,
          paths: home.paths,
          now: () => NOON_MS,
          elapsed: () => performance.now(),
          random: (count) => new Uint8Array(count),
          weakRandomBytes: (count) => new Uint8Array(count),
          sleep: () => Promise.resolve(),
          debug,
          kept: target.login && openLoginStore(parts, target.login.profile),
        })
}

type LoginRunOptions = Pick<Options, 'keyring' | 'interruption' | 'meanwhile'> & {
  stdin?: string
  tty?: boolean
  type?: string
  /** Gets the text on stderr while the command waits. */
  whileWaiting?: (err: string) => Promise<void>
}

function run(
  home: Home,
  command: typeof login,
  argv: readonly string[],
  {
    stdin = '',
    tty = false,
    type = '',
    whileWaiting = () => Promise.resolve(),
    ...options
  }: LoginRunOptions = {},
) {
  const io = memoryIo({ env: home.env, stdin, tty })
  const openClient = openIn(home, options.keyring)
  const meanwhile = () => whileWaiting(io.err())
  const ended = runCommand(home, command, argv, { io, openClient, meanwhile, ...options })
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
    expect(ran.err).toContain('`dray profile remove default` returns to the sandbox')
    expect(await run(home, whoami, ['--json'])).toMatchObject({ code: 0 })
  })

  test('takes a token that may not read the membership, and says so', async () => {
    using home = makeHome()
    const token = await served.token('shipper', { scopes: ['shipments.read'] })
    const ran = await run(home, login, ['--base-url', served.url, '--token-stdin'], { stdin: token })
    expect(ran.code).toBe(0)
    expect(ran.err).toContain('The token is valid but lacks the scope profile.read')
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

  test('rejects a missing file, and the keyboard, which would show it', async () => {
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
        hint: 'Choose another profile, new or existing, with --profile NAME.',
      })
    }
    expect(home.readConfig()).toEqual(before)
  })
})

function control<N extends ControlName>({ db }: ServedStore, name: N, input: Record<string, unknown>) {
  return invokeControl(db, name, input, {
    now: () => NOON_MS,
    random: (count) => randomBytes(count),
    env: {},
  })
}

/** Approves or denies on the page, as a person would, with the code on stderr. */
function decide(answer: { account: string } | { deny: true }) {
  return async (err: string): Promise<void> => {
    const [user_code] = /[A-Z]{4}-[A-Z]{4}/.exec(err) ?? []
    // Once only: later waits belong to calls.
    if (user_code === undefined || decided.has(user_code)) return
    decided.add(user_code)
    await control(served, 'approve_device', { user_code, ...answer })
  }
}
const decided = new Set<string>()

const HERE = () => ['--base-url', served.url, '--profile', 'local']
const SECRETS = /dray_(?:sbx|ref|dev|sec)_/

type SavedProfiles = { profiles: { local: Record<string, string> } }

describe('login with a code', () => {
  test('shows it, waits until a user approves it, and saves what it was given', async () => {
    using home = makeHome()
    const ran = await run(home, login, [...HERE(), '--json', '--debug'], {
      whileWaiting: decide({ account: 'shipper' }),
    })
    expect(ran).toMatchObject({ code: 0, error: undefined })
    expect(ran.json()).toEqual({
      profile: 'local',
      kind: 'remote',
      address: served.url,
      account: 'shipper',
      credential: 'config file',
    })
    expect(ran.err.indexOf('in plain text')).toBeLessThan(ran.err.indexOf('user_code'))
    const [line = ''] = /^\{.*\}$/m.exec(ran.err) ?? []
    const code = JSON.parse(line) as Record<string, unknown>
    expect(code).toEqual({
      user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/) as unknown,
      verification_uri: `${served.url}/device`,
      verification_uri_complete: `${served.url}/device?user_code=${String(code['user_code'])}`,
      expires_in: 600,
    })
    expect(ran.err).not.toContain('Waiting')
    expect(ran.err).toMatch(/POST \/oauth\/token 200/)
    expect(ran.out + ran.err).not.toMatch(SECRETS)
    expect((home.readConfig() as SavedProfiles).profiles.local).toEqual({
      base_url: served.url,
      token: expect.stringMatching(/^dray_sbx_/) as unknown,
      refresh_token: expect.stringMatching(/^dray_ref_/) as unknown,
      account: 'shipper',
    })
    expect(fs.statSync(home.configFile).mode & 0o777).toBe(0o600)
    expect((await run(home, whoami, ['--profile', 'local', '--json'])).json()).toMatchObject({
      account: 'shipper',
      scopes: expect.arrayContaining(['shipments.create']) as unknown,
      credential: 'config file',
    })
  })

  test('asks for fewer scopes', async () => {
    using home = makeHome()
    const argv = [...HERE(), '--scope', 'food.read,profile.read', '--scope', 'rides.read']
    await run(home, login, argv, { whileWaiting: decide({ account: 'member' }) })
    expect((await run(home, whoami, ['--profile', 'local', '--json'])).json()).toMatchObject({
      scopes: expect.arrayContaining(['food.read', 'profile.read', 'rides.read']) as unknown,
    })
    const { scopes } = (await run(home, whoami, ['--profile', 'local', '--json'])).json() as {
      scopes: string[]
    }
    expect(scopes).toHaveLength(3)
  })

  test('into the keyring leaves nothing secret in the file', async () => {
    using home = makeHome()
    const keyring = memoryKeyring()
    const ran = await run(home, login, HERE(), { keyring, whileWaiting: decide({ account: 'shipper' }) })
    expect(ran.code).toBe(0)
    expect(ran.err.indexOf('The login goes to')).toBeLessThan(ran.err.indexOf('The code is'))
    expect(ran.out).toContain('keyring')
    expect(home.readConfig()).toEqual({
      profiles: { local: { base_url: served.url, keyring: true, account: 'shipper' } },
    })
    expect([...keyring.secrets.values()]).toEqual([expect.stringMatching(SECRETS)])
    expect((await run(home, whoami, ['--profile', 'local', '--json'], { keyring })).json()).toMatchObject({
      account: 'shipper',
      credential: 'keyring',
    })
    const over = await run(home, logout, ['--profile', 'local', '--json'], { keyring })
    expect(over.json()).toEqual({ profile: 'local', logged_out: true, revoked: true })
    expect(keyring.secrets.size).toBe(0)
  })

  test.each<[string, string[], Record<string, string>, Keyring, RegExp]>([
    ['--no-keyring', ['--no-keyring'], {}, memoryKeyring(), /^The token goes to/],
    ['DRAY_NO_KEYRING', [], { DRAY_NO_KEYRING: '1' }, memoryKeyring(), /^The token goes to/],
    [
      'a keyring that takes nothing',
      [],
      {},
      memoryKeyring({ write: () => Promise.reject(new Error('it is locked')) }),
      /^No keyring is used: it is locked\.\nThe token goes to/,
    ],
    [
      'a keyring that forgets',
      [],
      {},
      memoryKeyring({ read: () => Promise.resolve(undefined) }),
      /^No keyring is used: it does not give back what it was given\.\nThe token goes to/,
    ],
  ])('with %s goes to the file, and says so first', async (_name, flags, env, keyring, said) => {
    using home = makeHome(env)
    const ran = await run(home, login, [...HERE(), ...flags], {
      keyring,
      whileWaiting: decide({ account: 'shipper' }),
    })
    expect(ran.err).toMatch(said)
    expect((home.readConfig() as SavedProfiles).profiles.local['token']).toMatch(/^dray_sbx_/)
  })

  test('is not begun when plain text is declined', async () => {
    using home = makeHome()
    const ran = await run(home, login, [...HERE(), '--accessible'], { tty: true, type: 'n\n' })
    expect(ran.error).toMatchObject({ code: 'not_confirmed', exitCode: 3 })
    expect(ran.err).not.toContain('The code is')
    expect(hasConfig(home)).toBe(false)
  })

  test('that is denied saves nothing', async () => {
    using home = makeHome()
    const ran = await run(home, login, HERE(), { whileWaiting: decide({ deny: true }) })
    expect(ran.error).toMatchObject({ code: 'login_denied', exitCode: 4 })
    expect(hasConfig(home)).toBe(false)
  })

  test('waits no longer than --timeout', async () => {
    using home = makeHome()
    const ran = await run(home, login, [...HERE(), '--timeout', '12s'])
    expect(ran.error).toMatchObject({
      code: 'still_pending',
      exitCode: 8,
      message: 'Nobody approved the login within 12 s; nothing was saved.',
    })
    expect(ran.err).toContain('Waiting, 0:12 left.')
    expect(hasConfig(home)).toBe(false)
  })

  test('approved just before --timeout ends is not lost', async () => {
    using home = makeHome()
    const whileWaiting = decide({ account: 'shipper' })
    const ran = await run(home, login, [...HERE(), '--timeout', '1s'], { whileWaiting })
    expect(ran).toMatchObject({ code: 0, error: undefined })
  })

  test('saves nothing if no user approves it in time', async () => {
    using home = makeHome()
    // A separate service, because its clock moves.
    const late = await serveStore({ registry })
    const ran = await run(home, login, ['--base-url', late.url], {
      whileWaiting: async () => void (await control(late, 'advance_clock', { by: '11m' })),
    })
    expect(ran.error).toMatchObject({ code: 'login_expired', exitCode: 4 })
    expect(hasConfig(home)).toBe(false)
  })

  test('ends at Ctrl-C and saves nothing', async () => {
    using home = makeHome()
    const stop = new AbortController()
    let shown = ''
    const running = run(home, login, HERE(), {
      interruption: stop.signal,
      whileWaiting: async (err) => {
        shown = err
        stop.abort(new InterruptedError('SIGINT'))
      },
    })
    await expect(running).rejects.toMatchObject({ exitCode: 130 })
    expect(shown).toContain('The code is')
    expect(hasConfig(home)).toBe(false)
  })

  test('of a service without one names the flags for a token', async () => {
    using home = makeHome()
    const faults = await startFaults((response) =>
      sendValidResponse(response, 404, { code: 'route_not_found' }),
    )
    const ran = await run(home, login, ['--base-url', faults.url])
    expect(ran.error).toMatchObject({
      code: 'usage',
      exitCode: 2,
      message: `${faults.url} does not support login with a code.`,
    })
    expect(ran.error?.hint).toBe(
      `Use a token of this server: \`dray login --base-url ${faults.url} --token-file FILE\`.`,
    )
    expect(hasConfig(home)).toBe(false)
  })

  test('goes on asking a service that is down for a moment, more slowly', async () => {
    using home = makeHome()
    const faults = await startFaults((response, nth, { url }) => {
      if (url.startsWith('/.well-known'))
        return sendValidResponse(response, 200, {
          grant_types_supported: ['urn:ietf:params:oauth:grant-type:device_code'],
        })
      if (url === '/oauth/device_authorization')
        return sendValidResponse(response, 200, {
          device_code: 'd',
          user_code: 'BCDF-GHJK',
          verification_uri: 'https://service.example/device',
        })
      if (nth === 2) return void response.destroy()
      if (nth === 3) return sendValidResponse(response, 503, {})
      if (nth === 4) return sendValidResponse(response, 429, {})
      return sendValidResponse(response, 200, { access_token: 'dray_sbx_late' })
    })
    const ran = await run(home, login, ['--base-url', faults.url])
    expect(ran).toMatchObject({ code: 0, error: undefined })
    expect(faults.asked.filter(({ url }) => url === '/oauth/token')).toHaveLength(4)
    expect(home.readConfig()).toEqual({
      profiles: { default: { base_url: faults.url, token: 'dray_sbx_late' } },
    })
  })

  test('takes the place of the one before, whoever that was for, and ends it at the service', async () => {
    using home = makeHome()
    await run(home, login, HERE(), { whileWaiting: decide({ account: 'shipper' }) })
    const before = (home.readConfig() as SavedProfiles).profiles.local['token']
    // Storing as plain text was accepted before, so the file is only replaced.
    const again = await run(home, login, [...HERE(), '--accessible', '--no-browser'], {
      tty: true,
      whileWaiting: decide({ account: 'member' }),
    })
    expect(again.asked).toBe('')
    expect(again.err).toContain('The token goes to the profile local')
    expect(again.err).toContain('It replaces the login as shipper saved before.')
    expect((home.readConfig() as SavedProfiles).profiles.local).toMatchObject({ account: 'member' })
    using other = makeHome({ DRAY_BASE_URL: served.url, DRAY_TOKEN: before ?? '' })
    expect((await run(other, whoami, [])).error).toMatchObject({ code: 'invalid_token', exitCode: 4 })
    expect(await run(home, whoami, ['--profile', 'local'])).toMatchObject({ code: 0 })
  })
})

describe('login as a program', () => {
  const credentials = () =>
    control(served, 'create_client', { account: 'shipper', scopes: ['shipments.read'] })

  test('keeps its secret like a token, and shows it nowhere', async () => {
    using home = makeHome()
    const { client_id, client_secret } = await credentials()
    const file = join(home.cwd, 'secret')
    fs.writeFileSync(file, `${client_secret}\n`)
    const argv = [...HERE(), '--client-id', client_id, '--client-secret-file', file, '--debug']
    const ran = await run(home, login, argv)
    expect(ran).toMatchObject({ code: 0, error: undefined })
    expect(ran.out + ran.err).not.toMatch(SECRETS)
    expect(ran.err).toContain('The token and the client secret go to the profile local in')
    const { token, ...rest } = (home.readConfig() as SavedProfiles).profiles.local
    expect(token).toMatch(/^dray_sbx_/)
    expect(rest).toEqual({ base_url: served.url, client_id, client_secret, account: 'shipper' })
    expect((await run(home, logout, ['--profile', 'local', '--json'])).json()).toMatchObject({
      revoked: true,
    })
    expect(home.readConfig()).toEqual({ profiles: { local: { base_url: served.url } } })
  })

  test('from standard input; a wrong secret is rejected and not saved', async () => {
    using home = makeHome()
    const { client_id, client_secret } = await credentials()
    const argv = [...HERE(), '--client-id', client_id, '--client-secret-file', '-']
    const wrong = await run(home, login, argv, { stdin: 'dray_sec_wrong' })
    expect(wrong.error).toMatchObject({ code: 'invalid_token', exitCode: 4 })
    expect(`${wrong.error?.message}${wrong.error?.hint}`).not.toContain('dray_sec_wrong')
    expect(hasConfig(home)).toBe(false)
    expect(await run(home, login, argv, { stdin: client_secret })).toMatchObject({ code: 0 })
  })

  test.each([
    ['no secret', ['--client-id', 'x']],
    ['no id', ['--client-secret-file', '-']],
    ['a token as well', ['--client-id', 'x', '--client-secret-file', '-', '--token-stdin']],
    [
      'an account of the sandbox as well',
      ['--client-id', 'x', '--client-secret-file', '-', '--account', 'shipper'],
    ],
  ])('with %s is refused', async (_name, argv) => {
    using home = makeHome()
    expect(await run(home, login, [...HERE(), ...argv])).toMatchObject({ code: 2 })
  })
})

describe('a token that is not taken any more', () => {
  test('is renewed without a word, and the call is made with the next one', async () => {
    using home = makeHome()
    await run(home, login, HERE(), { whileWaiting: decide({ account: 'member' }) })
    const before = (home.readConfig() as SavedProfiles).profiles.local
    // Expires the token, as an hour would.
    await served.db.write((tx) =>
      tx.run('update tokens set expires_at = 0 where token_hash = ?', sha256Hex(before['token'] ?? '')),
    )
    const ran = await run(home, whoami, ['--profile', 'local', '--json'])
    expect(ran.json()).toMatchObject({ account: 'member', entitlements: { service_one: true } })
    const after = (home.readConfig() as SavedProfiles).profiles.local
    expect(after['token']).not.toBe(before['token'])
    expect(after['refresh_token']).not.toBe(before['refresh_token'])
    expect({ ...after, token: 0, refresh_token: 0 }).toEqual({ ...before, token: 0, refresh_token: 0 })
  })

  test('says to log in again after the service ended its login', async () => {
    using home = makeHome()
    await run(home, login, HERE(), { whileWaiting: decide({ account: 'member' }) })
    const before = fs.readFileSync(home.configFile, 'utf8')
    await run(home, logout, ['--profile', 'local'])
    home.writeConfig(before)
    const ran = await run(home, whoami, ['--profile', 'local'])
    expect(ran.error).toMatchObject({ code: 'invalid_token', exitCode: 4 })
    expect(ran.error?.message).toBe('The login is over: it was revoked, or not used for too long.')
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

  test('stopped at a question says that nothing was saved', async () => {
    using home = makeHome()
    const signal = AbortSignal.abort(new InterruptedError('SIGINT'))
    const io = memoryIo({ env: home.env, tty: true, signal })
    const ran = runCommand(home, login, ['--accessible'], { io })
    await expect(ran).rejects.toMatchObject({ exitCode: 130 })
    expect(io.err()).toBe('Stopped; nothing was saved.\n')
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

  test('served by another user: the control token is not known here', async () => {
    using home = makeHome()
    const ran = await run(home, login, ['--sandbox', '--account', 'shipper', '--base-url', served.url])
    expect(ran.error).toMatchObject({ code: 'not_logged_in', exitCode: 4 })
    expect(hasConfig(home)).toBe(false)
  })
})

test('logout of a profile that is not there says so', async () => {
  using home = makeHome()
  const ran = await run(home, logout, ['--profile', 'typo'])
  expect(ran.error).toMatchObject({ code: 'usage', exitCode: 2 })
  expect(ran.error?.message).toContain('--profile: no profile typo. Profiles: ')
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
    // An unreported fact is not shown as missing.
    const { out } = await run(home, whoami, [], { tty: true })
    expect(out).toMatch(/Account +member\n/)
    expect(out).not.toMatch(/not set|agreement|name/i)
    home.env['DRAY_TOKEN'] = await served.token('member')
    expect((await run(home, whoami, ['--json'])).json()).toMatchObject({
      entitlements: { service_one: true },
    })
  })

  test('without a token, or with one that no longer counts, ends with 4', async () => {
    using home = makeHome({ DRAY_BASE_URL: served.url })
    expect((await run(home, whoami, [])).error).toMatchObject({ code: 'not_logged_in', exitCode: 4 })
    home.env['DRAY_TOKEN'] = await served.token('member', { expiresAt: NOON_MS - 1 })
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
    expect(ran.err).toMatch(
      /^warning: .*connection refused.* The login may stay valid on the server until it expires\./,
    )
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
