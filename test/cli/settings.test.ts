import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Globals } from '../../src/cli/globals.ts'
import { resolveSettings } from '../../src/cli/settings.ts'
import { AppError } from '../../src/core/errors.ts'
import { NO_FLAGS } from '../support/cli-globals.ts'
import { type Home, makeHome } from '../support/home.ts'

function resolve(home: Home, flags: Partial<Globals> = {}, words = '') {
  return resolveSettings({ ...NO_FLAGS, ...flags }, home, words)
}

function refusal(home: Home, flags: Partial<Globals> = {}, words = ''): AppError {
  try {
    resolve(home, flags, words)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

/** As root, gives the file to another user; otherwise pretends to be another user. */
function ofAnotherUser(path: string): Disposable {
  const real = process.getuid
  if (real?.() === 0) fs.chownSync(path, 12_345, 12_345)
  else process.getuid = () => 12_345
  return { [Symbol.dispose]: () => void (real && (process.getuid = real)) }
}

describe('precedence', () => {
  test('without configuration the target is the embedded sandbox with the account that has every scope', () => {
    using home = makeHome()
    const settings = resolve(home)
    expect(settings).toMatchObject({
      profile: 'default',
      protected: false,
      format: 'table',
      yes: false,
      timeoutMs: undefined,
      target: { kind: 'embedded', store: `${home.paths.data}/default/dray.db`, account: 'everything' },
      warnings: [],
    })
    expect(settings.sources).toMatchObject({ profile: 'default', service: 'default', output: 'default' })
    expect(fs.existsSync(home.paths.config)).toBe(false)
  })

  test('a flag overrides the environment, which overrides the project file, which overrides the profile', () => {
    using home = makeHome({ DRAY_OUTPUT: 'csv' })
    home.writeConfig({ default_profile: 'work', profiles: { work: { output: 'yaml' } } })
    home.writeProject({ output: 'ndjson' })
    const format = (flags: Partial<Globals> = {}) => {
      const { format: chosen, sources } = resolve(home, flags)
      return [chosen, sources.output]
    }
    expect(format({ output: 'json' })).toEqual(['json', 'flag'])
    expect(format()).toEqual(['csv', 'environment'])
    home.env['DRAY_OUTPUT'] = ''
    expect(format()).toEqual(['ndjson', 'project file'])
    fs.rmSync(join(home.cwd, '.dray.json'))
    expect(format()).toEqual(['yaml', 'profile'])
    expect(resolve(home).sources.profile).toBe('config')
    home.writeConfig({})
    expect(format()).toEqual(['table', 'default'])
  })

  test.each([
    ['flag', { profile: 'a' }, { DRAY_PROFILE: 'b' }, { profile: 'c' }],
    ['environment', {}, { DRAY_PROFILE: 'a' }, { profile: 'c' }],
    ['project file', {}, {}, { profile: 'a' }],
    ['config', {}, {}, {}],
  ])('the profile can come from: %s', (source, flags, env: Record<string, string>, project) => {
    using home = makeHome(env)
    home.writeConfig({
      default_profile: source === 'config' ? 'a' : 'd',
      profiles: { a: {}, b: {}, c: {}, d: {} },
    })
    home.writeProject(project)
    expect(resolve(home, flags)).toMatchObject({ profile: 'a', sources: { profile: source } })
  })

  test('every profile has its own embedded store', () => {
    using home = makeHome()
    home.writeConfig({
      profiles: { demo: { account: 'shipper' }, big: { store: 'postgres://db.example/dray' } },
    })
    expect(resolve(home, { profile: 'demo' }).target).toEqual({
      kind: 'embedded',
      store: `${home.paths.data}/demo/dray.db`,
      account: 'shipper',
      oneActiveRide: false,
    })
    expect(resolve(home, { profile: 'big' }).target).toMatchObject({ store: 'postgres://db.example/dray' })
    expect(resolve(home, { profile: 'demo', as: 'member' }).target).toMatchObject({ account: 'member' })
  })

  test('a store given as a relative path is the one in the folder of the command', () => {
    using home = makeHome({ DRAY_STORE: 'other.db' })
    expect(resolve(home, { store: 'x.db' }).target).toMatchObject({ store: join(home.cwd, 'x.db') })
    expect(resolve(home).target).toMatchObject({ store: join(home.cwd, 'other.db') })
  })

  test('a store as a flag overrides an address in the environment', () => {
    using home = makeHome({ DRAY_BASE_URL: 'https://api.example.com' })
    expect(resolve(home, { store: '/tmp/x.db' }).target).toMatchObject({ kind: 'embedded' })
    expect(resolve(home).target).toMatchObject({ kind: 'remote' })
  })

  test.each([
    ['30s', 30_000],
    ['90', 90_000],
    ['1h30m', 5_400_000],
  ])('takes a timeout of %s', (timeout, ms) => {
    using home = makeHome({ DRAY_TIMEOUT: '7s' })
    expect(resolve(home, { timeout }).timeoutMs).toBe(ms)
    expect(resolve(home)).toMatchObject({ timeoutMs: 7000, sources: { timeout: 'environment' } })
  })

  test('reads the switches of the environment', () => {
    using home = makeHome({
      DRAY_YES: '1',
      DRAY_NO_INPUT: 'true',
      DRAY_DEBUG: 'on',
      DRAY_ACCESSIBLE: 'yes',
      DRAY_MAX_TOTAL: '25.00',
    })
    expect(resolve(home)).toMatchObject({
      yes: true,
      noInput: true,
      debug: true,
      accessible: true,
      maxTotal: '25.00',
    })
    home.env['DRAY_YES'] = '0'
    expect(resolve(home)).toMatchObject({ yes: false, sources: { yes: 'environment' } })
  })

  test('a terminal without redrawing gets accessible output unless a setting forbids it', () => {
    using home = makeHome({ TERM: 'dumb' })
    expect(resolve(home)).toMatchObject({ accessible: true, sources: { accessible: 'environment' } })
    home.env['DRAY_ACCESSIBLE'] = '0'
    expect(resolve(home).accessible).toBe(false)
    expect(resolve(home, { accessible: true }).accessible).toBe(true)
    home.env['DRAY_ACCESSIBLE'] = ''
    home.env['TERM'] = 'xterm-256color'
    expect(resolve(home)).toMatchObject({ accessible: false, sources: { accessible: 'default' } })
  })

  test('works in a folder that was deleted meanwhile', () => {
    using home = makeHome()
    const gone = Object.defineProperty({ ...home }, 'cwd', {
      get() {
        throw new Error('ENOENT: no such file or directory, uv_cwd')
      },
    })
    expect(resolveSettings(NO_FLAGS, gone).profile).toBe('default')
  })
})

describe('a usage error', () => {
  test.each<[string, Partial<Globals>, Record<string, string>, RegExp]>([
    ['two services as flags', { baseUrl: 'https://a.example', store: 'x.db' }, {}, /--base-url and --store/],
    [
      'two services in the environment',
      {},
      { DRAY_BASE_URL: 'https://a.example', DRAY_STORE: 'x.db' },
      /DRAY_BASE_URL and DRAY_STORE/,
    ],
    ['a store of another kind', { store: 'mysql://u:pw@db/x' }, {}, /^A store is a file.*, not mysql:…$/],
    ['a store mistyped', {}, { DRAY_STORE: 'postgres:/db/x' }, /not postgres:…$/],
    ['two forms of output', { json: true, output: 'csv' }, {}, /--json and --output csv/],
    ['a form that is none', {}, { DRAY_OUTPUT: 'xml' }, /DRAY_OUTPUT must be one of table, json/],
    ['a switch that is none', {}, { DRAY_YES: 'maybe' }, /DRAY_YES must be 1 or 0, not "maybe"/],
    ['a timeout without meaning', { timeout: 'soon' }, {}, /--timeout must be a time such as 30s/],
    ['no time at all', { timeout: '0' }, {}, /--timeout/],
    ['more than a day', {}, { DRAY_TIMEOUT: '25h' }, /DRAY_TIMEOUT/],
    [
      'a profile that is not there',
      { profile: 'nope' },
      {},
      /--profile: no profile nope\. Profiles: default, work\.$/,
    ],
    [
      'a profile from the environment that is not there',
      {},
      { DRAY_PROFILE: 'nope' },
      /DRAY_PROFILE: no profile nope\. Profiles: default, work\.$/,
    ],
    ['a name that is none', { profile: '../x' }, {}, /"..\/x" is not a profile name/],
    [
      'a name of the language',
      { profile: 'constructor-' },
      {},
      /--profile: no profile constructor-\. Profiles: default, work\.$/,
    ],
    ['a token with a line break', {}, { DRAY_TOKEN: 'dray_sbx_x\ny' }, /DRAY_TOKEN has characters/],
  ])('%s', (_name, flags, env, message) => {
    using home = makeHome(env)
    home.writeConfig({ profiles: { work: {} } })
    const error = refusal(home, flags)
    expect(error.message).toMatch(message)
    expect(error.exitCode).toBe(2)
    expect(error.message).not.toContain('dray_sbx_x')
  })

  test('help works despite broken settings', () => {
    using home = makeHome({ DRAY_YES: 'maybe', DRAY_PROFILE: 'nope' })
    home.writeConfig('broken')
    home.writeProject('broken')
    expect(resolve(home, { output: 'json' }, 'help environment')).toMatchObject({
      profile: 'default',
      format: 'json',
    })
  })

  test('commands that create profiles may name a new one', () => {
    using home = makeHome()
    expect(resolve(home, { profile: 'new' }, 'login').profile).toBe('new')
    expect(resolve(home, { profile: 'new' }, 'profile add').profile).toBe('new')
    expect(refusal(home, { profile: 'new' }, 'carrier list').code).toBe('usage')
  })
})

describe('the address of a service', () => {
  test.each([
    ['https://api.example.com/', 'https://api.example.com'],
    ['HTTPS://API.Example.com:443/dray//', 'https://api.example.com/dray'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://localhost:3000/', 'http://localhost:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('takes %s', (baseUrl, url) => {
    using home = makeHome()
    expect(resolve(home, { baseUrl }).target).toMatchObject({ kind: 'remote', baseUrl: url })
  })

  test.each([
    ['http://api.example.com', /must be https/],
    ['http://localhost.example.com', /must be https/],
    ['http://127.0.0.1.example.com', /must be https/],
    ['https://me:secret@api.example.com', /must not contain a user name or password/],
    ['https://api.example.com?x=1', /must end before/],
    ['https://api.example.com/v1/', /must end before \/v1: https:\/\/api.example.com\.$/],
    ['api.example.com', /must be a URL/],
    ['', /must be a URL/],
    ['ftp://api.example.com', /must begin with https/],
    ['https://api.exa\nmple.com', /must be a URL/],
    ['https:\\\\api.example.com', /must be a URL/],
  ])('refuses %j', (baseUrl, message) => {
    using home = makeHome()
    const error = refusal(home, { baseUrl })
    expect(error.message).toMatch(message)
    expect(error.message).not.toContain('secret')
    expect(error.exitCode).toBe(2)
  })
})

describe('tokens', () => {
  const profiles = {
    live: { base_url: 'https://live.example', token: 'of-live' },
    loop: { base_url: 'http://127.0.0.1:8080' },
  }
  const token = (home: Home, flags: Partial<Globals>) => {
    const { target, sources, warnings } = resolve(home, flags)
    return [
      target.kind === 'remote' ? [target.baseUrl, target.token] : 'embedded',
      sources.token,
      warnings.some((text) => text.includes('DRAY_TOKEN is not used')),
    ]
  }

  test("a profile's token goes to the profile's address", () => {
    using home = makeHome()
    home.writeConfig({ profiles })
    expect(token(home, { profile: 'live' })).toEqual([['https://live.example', 'of-live'], 'profile', false])
    expect(token(home, { profile: 'live', baseUrl: 'https://LIVE.example:443/' })).toEqual([
      ['https://live.example', 'of-live'],
      'profile',
      false,
    ])
  })

  test("a profile's token goes to no other address", () => {
    using home = makeHome({ DRAY_BASE_URL: 'https://evil.example' })
    home.writeConfig({ default_profile: 'live', profiles })
    expect(token(home, {})).toEqual([['https://evil.example', undefined], undefined, false])
    expect(token(home, { baseUrl: 'https://live.example.evil.example' })).toEqual([
      ['https://live.example.evil.example', undefined],
      undefined,
      false,
    ])
    expect(token(home, { baseUrl: 'https://live.example:444' })).toEqual([
      ['https://live.example:444', undefined],
      undefined,
      false,
    ])
  })

  test("the environment's token is sent only to an address of the environment or a flag, with a warning when it is not used", () => {
    using home = makeHome({ DRAY_TOKEN: 'of-env' })
    home.writeConfig({ profiles })
    expect(token(home, { baseUrl: 'https://x.example' })).toEqual([
      ['https://x.example', 'of-env'],
      'environment',
      false,
    ])
    expect(token(home, { profile: 'live' })).toEqual([['https://live.example', 'of-live'], 'profile', true])
    expect(token(home, { profile: 'loop' })).toEqual([['http://127.0.0.1:8080', undefined], undefined, true])
    expect(token(home, {})).toEqual(['embedded', undefined, true])
    home.env['DRAY_BASE_URL'] = 'https://y.example'
    expect(token(home, {})).toEqual([['https://y.example', 'of-env'], 'environment', false])
  })

  test('a profile named by a flag does not silently lose its address to the environment', () => {
    using home = makeHome({ DRAY_BASE_URL: 'https://y.example' })
    home.writeConfig({ profiles })
    expect(resolve(home, { profile: 'live' }).warnings).toEqual([
      'DRAY_BASE_URL overrides the URL of the profile live.',
    ])
    expect(resolve(home, { profile: 'live', baseUrl: 'https://live.example' }).warnings).toEqual([])
  })
})

describe('protection', () => {
  test.each([
    ['a service elsewhere', { base_url: 'https://live.example' }, true],
    ['a service on this machine', { base_url: 'http://127.0.0.1:8080' }, false],
    ['a service elsewhere that was released', { base_url: 'https://live.example', protected: false }, false],
    ['the embedded sandbox', {}, false],
    ['an embedded store that was protected', { protected: true }, true],
  ])('%s', (_name, profile, expected) => {
    using home = makeHome({ DRAY_YES: '1' })
    home.writeConfig({ profiles: { it: profile } })
    expect(resolve(home, { profile: 'it' })).toMatchObject({ protected: expected, yes: !expected })
    expect(resolve(home, { profile: 'it', yes: true }).yes).toBe(true)
  })

  test('unprotecting a profile does not unprotect another address used with it', () => {
    using home = makeHome()
    home.writeConfig({ profiles: { it: { base_url: 'https://live.example', protected: false } } })
    expect(resolve(home, { profile: 'it', baseUrl: 'https://other.example' }).protected).toBe(true)
  })
})

describe('.dray.json', () => {
  test('only the nearest file upwards counts', () => {
    using home = makeHome()
    home.writeConfig({ profiles: { far: {}, near: {} } })
    home.writeProject({ profile: 'far', output: 'csv' })
    const folder = join(home.cwd, 'a', 'b')
    home.writeProject({ profile: 'near' }, join(home.cwd, 'a'))
    fs.mkdirSync(folder)
    const settings = resolve({ ...home, cwd: folder })
    expect(settings).toMatchObject({
      profile: 'near',
      format: 'table',
      projectFile: join(home.cwd, 'a', '.dray.json'),
    })
  })

  test('redirects nothing: every other key is ignored with a warning', () => {
    using home = makeHome()
    home.writeConfig({ profiles: { live: { base_url: 'https://live.example', token: 'of-live' } } })
    home.writeProject({
      profile: 'live',
      base_url: 'https://evil.example',
      token: 't',
      store: '/x',
      yes: true,
      account: 'a',
      protected: false,
      color: 'never',
    })
    const settings = resolve(home)
    expect(settings).toMatchObject({
      target: { baseUrl: 'https://live.example', token: 'of-live' },
      protected: true,
      yes: false,
      color: 'never',
    })
    expect(settings.warnings.map((text) => /: (\w+) is ignored/.exec(text)?.[1])).toEqual([
      'base_url',
      'token',
      'store',
      'yes',
      'account',
      'protected',
    ])
  })

  test.each([
    ['not JSON', '{', /is not JSON/],
    ['a list', [], /must contain one JSON object/],
    ['a wrong type', { profile: 7 }, /profile must be a text/],
    ['an unknown form', { output: 'xml' }, /output must be one of table/],
    ['a profile that is not there', { profile: 'nope' }, /\.dray\.json: no profile nope\. Profiles: /],
    ['more than makes sense', `{"x": "${'y'.repeat(70_000)}"}`, /the limit is 65536/],
  ])('is refused when it is %s', (_name, content, message) => {
    using home = makeHome()
    home.writeProject(content)
    const error = refusal(home)
    expect(error.message).toMatch(message)
    expect([error.code, error.exitCode]).toEqual(['config_error', 2])
    expect(error.message).toContain(join(home.cwd, '.dray.json'))
  })

  test('of another user is ignored', () => {
    using home = makeHome()
    home.writeProject({ output: 'csv' })
    using _ = ofAnotherUser(join(home.cwd, '.dray.json'))
    expect(resolve(home)).toMatchObject({
      format: 'table',
      warnings: [expect.stringContaining('belongs to another user')],
    })
  })
})

describe('config.json', () => {
  test.each<[string, unknown, RegExp]>([
    ['no JSON', '{"profiles": ', /config\.json(?:, line 1)? is not JSON/],
    ['empty', '', /is not JSON/],
    ['a list', [], /must contain one JSON object, not a list/],
    ['a wrong type', { default_profile: 7 }, /default_profile must be text that is not empty, not a number/],
    [
      'a wrong type in a profile',
      { profiles: { a: { protected: 'yes' } } },
      /profiles\.a\.protected must be true or false, not this text/,
    ],
    ['a profile that is none', { profiles: { a: 'x' } }, /profiles\.a must be an object/],
    ['a bad name', { profiles: { 'Not OK': {} } }, /profiles\.Not OK is not a profile name/],
    [
      'a name of the language',
      '{"profiles": {"__proto__": {}}}',
      /profiles\.__proto__ is not a profile name/,
    ],
    [
      'a profile with two services',
      { profiles: { a: { base_url: 'https://x.example', store: '/x' } } },
      /profiles\.a has both/,
    ],
    ['an unknown form', { profiles: { a: { output: 'xml' } } }, /profiles\.a\.output must be one of table/],
    ['a map that is none', { maps: { a: { x: 1 } } }, /maps must be an object of objects of texts/],
    [
      'a parcel that is none',
      { profiles: { a: { default_parcel: [] } } },
      /default_parcel must be an object of texts, not a list/,
    ],
    ['too long', ' '.repeat(1_048_577), /at most 1048576/],
    ['binary', '{}\0', /NUL/],
    ['deep', '['.repeat(100_000), /is not JSON/],
    [
      'a default profile that is not there',
      { default_profile: 'x' },
      /default_profile in .*config\.json: no profile x\. Profiles: default\.$/,
    ],
  ])('is refused when it is %s', (_name, content, message) => {
    using home = makeHome()
    home.writeConfig(content)
    const error = refusal(home)
    expect(error.message).toMatch(message)
    expect([error.code, error.exitCode]).toEqual(['config_error', 2])
    expect(error.message).toContain(home.paths.config)
  })

  test('an address in a profile is checked when it is used', () => {
    using home = makeHome()
    home.writeConfig({ profiles: { a: { base_url: 'http://api.example.com' } } })
    expect(refusal(home, { profile: 'a' }).message).toMatch(/profiles\.a\.base_url must be https/)
    expect(resolve(home).profile).toBe('default')
  })

  test('an error about a broken file never shows a token', () => {
    using home = makeHome()
    home.writeConfig('{"profiles": {"a": {"token": "dray_sbx_canary" "x"}}}')
    const error = refusal(home)
    expect(`${error.message} ${error.hint}`).not.toContain('canary')
  })

  test('unknown keys are reported and kept', () => {
    using home = makeHome()
    home.writeConfig({ theme: 'dark', profiles: { a: { colour: 'red' } } })
    expect(resolve(home).warnings).toEqual([
      `${home.configFile}: the key theme is unknown and is ignored.`,
      `${home.configFile}: the key profiles.a.colour is unknown and is ignored.`,
    ])
  })

  test('a profile with the route engine of an earlier build is read, and that setting is ignored', () => {
    using home = makeHome()
    home.writeConfig({
      profiles: { roads: { account: 'shipper', route_engine: 'osrm=http://127.0.0.1:5000' } },
    })
    const { target, warnings } = resolve(home, { profile: 'roads' })
    expect(target).toMatchObject({ kind: 'embedded', account: 'shipper' })
    expect(warnings).toEqual([
      `${home.configFile}: the key profiles.roads.route_engine is unknown and is ignored.`,
    ])
  })

  test('a byte order mark of an editor is no error', () => {
    using home = makeHome()
    home.writeConfig('\ufeff{"profiles": {"a": {}}}')
    expect(resolve(home, { profile: 'a' }).profile).toBe('a')
  })

  test('a folder, a pipe or an unreadable link in its place is refused at once', () => {
    using home = makeHome()
    fs.mkdirSync(home.configFile, { recursive: true, mode: 0o700 })
    expect(refusal(home).message).toMatch(/is a folder, not a file/)
    fs.rmdirSync(home.configFile)
    execFileSync('mkfifo', [home.configFile])
    expect(refusal(home).message).toMatch(/is not a regular file/)
    fs.rmSync(home.configFile)
    fs.symlinkSync('nowhere.json', home.configFile)
    expect(refusal(home).message).toMatch(/is a broken link/)
    fs.rmSync(home.configFile)
    fs.symlinkSync('config.json', home.configFile)
    expect(refusal(home).message).toMatch(/is a broken link/)
  })

  test('a link is followed wherever it leads, to a file of the same user', () => {
    using home = makeHome()
    home.writeConfig({ profiles: { a: {} } })
    fs.renameSync(home.configFile, join(home.paths.config, 'real.json'))
    fs.symlinkSync('real.json', home.configFile)
    expect(resolve(home, { profile: 'a' }).profile).toBe('a')
    fs.renameSync(join(home.paths.config, 'real.json'), join(home.cwd, 'real.json'))
    fs.rmSync(home.configFile)
    fs.symlinkSync(join(home.cwd, 'real.json'), home.configFile)
    expect(resolve(home, { profile: 'a' }).profile).toBe('a')
    using _ = ofAnotherUser(join(home.cwd, 'real.json'))
    expect(refusal(home).message).toMatch(/belongs to another user \(id \d+\)/)
  })

  test("another user's file is not trusted", () => {
    using home = makeHome()
    home.writeConfig({})
    using _ = ofAnotherUser(home.configFile)
    expect(refusal(home).message).toMatch(/belongs to another user \(id \d+\)/)
  })

  test('permissions of other users are removed with a warning', () => {
    using home = makeHome()
    home.writeConfig({}, 0o644)
    fs.chmodSync(home.paths.config, 0o755)
    expect(resolve(home).warnings).toEqual([
      `${home.configFile} was open to other users (mode 0644); it is now 0600.`,
      `${home.paths.config} was open to other users (mode 0755); it is now 0700.`,
    ])
    expect(fs.statSync(home.configFile).mode & 0o777).toBe(0o600)
    expect(fs.statSync(home.paths.config).mode & 0o777).toBe(0o700)
    expect(resolve(home).warnings).toEqual([])
  })
})
