import fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Command } from '../../../src/cli/define-command.ts'
import { profileAdd } from '../../../src/commands/profile/add.command.ts'
import { profileBind } from '../../../src/commands/profile/bind.command.ts'
import { profileList } from '../../../src/commands/profile/list.command.ts'
import { profileRemove } from '../../../src/commands/profile/remove.command.ts'
import { profileShow } from '../../../src/commands/profile/show.command.ts'
import { profileUse } from '../../../src/commands/profile/use.command.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { memoryKeyring } from '../../support/memory-keyring.ts'
import { runCommand } from '../../support/run-command.ts'

const run = (home: Home, command: Command, ...argv: string[]) => runCommand(home, command, argv)
const LIVE = { base_url: 'https://live.example', token: 'dray_live_canary' }

describe('profile add', () => {
  test('makes a profile of a service and says how to log in', async () => {
    using home = makeHome()
    const ran = await run(
      home,
      profileAdd,
      'work',
      '--base-url',
      'https://API.example.com/',
      '--pay',
      'card',
      '--default-output',
      'json',
    )
    expect(ran.code).toBe(0)
    expect(ran.err).toContain('Added the profile work.')
    expect(home.readConfig()).toEqual({
      profiles: { work: { base_url: 'https://api.example.com', pay: 'card', output: 'json' } },
    })
  })

  test('makes an embedded one, its store by the full path, and uses it', async () => {
    using home = makeHome()
    await run(home, profileAdd, 'demo', '--store', 'demo.db', '--account', 'shipper', '--use')
    expect(home.readConfig()).toEqual({
      profiles: { demo: { store: join(home.cwd, 'demo.db'), account: 'shipper' } },
      default_profile: 'demo',
    })
  })

  test('changes only what is given, with --update', async () => {
    using home = makeHome()
    home.writeConfig({ profiles: { live: { ...LIVE, default_parcel: { width_mm: '200' } } } })
    await run(
      home,
      profileAdd,
      'live',
      '--update',
      '--no-protected',
      '--default-parcel',
      'weight_grams=800',
      '--default-parcel',
      'length_mm=300',
    )
    expect(home.readConfig()).toEqual({
      profiles: {
        live: {
          ...LIVE,
          protected: false,
          default_parcel: { width_mm: '200', weight_grams: '800', length_mm: '300' },
        },
      },
    })
  })

  test('takes no route engine, which there is no more, and adds nothing', async () => {
    using home = makeHome()
    const { code, error } = await run(
      home,
      profileAdd,
      'roads',
      '--route-engine',
      'osrm=http://127.0.0.1:5000',
    )
    expect([code, error?.message]).toEqual([2, "Unknown option '--route-engine'."])
    expect(fs.existsSync(home.configFile)).toBe(false)
  })

  test('a token does not follow its profile to another address', async () => {
    using home = makeHome()
    home.writeConfig({ profiles: { live: LIVE } })
    await run(home, profileAdd, 'live', '--update', '--base-url', 'https://other.example')
    expect(home.readConfig()).toEqual({ profiles: { live: { base_url: 'https://other.example' } } })
  })

  test.each([
    [[], /Missing: NAME/],
    [['Not OK'], /"Not OK" is not a profile name/],
    [['live'], /The profile live already exists/],
    [['new', '--update'], /No profile new to change/],
    [['new', '--base-url', 'http://api.example.com'], /--base-url must be https/],
    [['new', '--base-url', 'https://a.example', '--store', 'x'], /--base-url and --store exclude each other/],
    [['new', '--store', ''], /--store is empty/],
    [['new', '--default-parcel', 'heavy'], /column=value/],
  ])('refuses %j and changes nothing', async (argv, message) => {
    using home = makeHome()
    home.writeConfig({ profiles: { live: LIVE } })
    const ran = await run(home, profileAdd, ...argv)
    expect(ran.error?.message).toMatch(message)
    expect(ran.code).toBe(2)
    expect(home.readConfig()).toEqual({ profiles: { live: LIVE } })
  })
})

describe('profile list', () => {
  test('shows the one that is always there, and never a token', async () => {
    using home = makeHome()
    expect((await run(home, profileList, '--json')).json()).toEqual({
      data: [
        {
          name: 'default',
          in_use: true,
          kind: 'embedded',
          address: `${home.paths.data}/default/dray.db`,
          account: 'everything',
          protected: false,
          has_token: false,
        },
      ],
      has_more: false,
      next_cursor: null,
    })
    home.writeConfig({
      default_profile: 'live',
      profiles: { live: LIVE, pg: { store: 'postgres://dray:hunter2@db.example/dray' } },
    })
    const { out } = await run(home, profileList, '--json')
    expect(JSON.parse(out)).toMatchObject({
      data: [
        { name: 'default', in_use: false },
        {
          name: 'live',
          in_use: true,
          kind: 'remote',
          address: 'https://live.example',
          protected: true,
          has_token: true,
        },
        { name: 'pg', address: 'postgres://dray:***@db.example/dray' },
      ],
    })
    expect(out + (await run(home, profileList)).out).not.toMatch(/canary|hunter2/)
  })
})

describe('profile use', () => {
  test('is used from the next command on, and default undoes it', async () => {
    using home = makeHome()
    home.writeConfig({ profiles: { live: LIVE } })
    expect((await run(home, profileUse, 'live')).err).toContain('The current profile is now live.')
    expect(home.readConfig()).toMatchObject({ default_profile: 'live' })
    await run(home, profileUse, 'default')
    expect(home.readConfig()).toEqual({ profiles: { live: LIVE } })
  })

  test('says when something else decides here', async () => {
    using home = makeHome({ DRAY_PROFILE: 'demo' })
    home.writeConfig({ profiles: { live: LIVE, demo: {} } })
    expect((await run(home, profileUse, 'live')).err).toContain(
      'In this folder or shell demo is still used: it comes from the environment.',
    )
  })

  test('gets out of a default that is no longer there', async () => {
    using home = makeHome()
    home.writeConfig({ default_profile: 'gone' })
    expect((await run(home, profileUse, 'default')).code).toBe(0)
    expect(home.readConfig()).toEqual({})
  })

  test('rejects an unknown profile', async () => {
    using home = makeHome()
    expect((await run(home, profileUse, 'nope')).error).toMatchObject({
      code: 'usage',
      message: 'No profile "nope". Profiles: default.',
    })
    expect(fs.existsSync(home.configFile)).toBe(false)
  })
})

describe('profile show', () => {
  test('explains every setting by the place that decided it', async () => {
    using home = makeHome({ DRAY_TIMEOUT: '5s' })
    home.writeConfig({
      profiles: { live: { ...LIVE, pay: 'wallet' } },
      maps: { shop: { reference: 'Order' } },
    })
    home.writeProject({ profile: 'live', color: 'never' })
    const rows = (await run(home, profileShow, '--explain', '--json')).json() as {
      data: Record<string, unknown>[]
    }
    const explained = Object.fromEntries(
      rows.data.map(({ setting, value, source, from }) => [setting, [value, source, from]]),
    )
    const config = home.configFile
    expect(explained).toEqual({
      profile: ['live', 'project file', join(home.cwd, '.dray.json')],
      base_url: ['https://live.example', 'profile', `profiles.live.base_url in ${config}`],
      account: [null, 'default', null],
      token: ['set, not shown', 'profile', `profiles.live.token in ${config}`],
      protected: [true, 'default', null],
      output: ['json', 'flag', '--json'],
      color: ['never', 'project file', join(home.cwd, '.dray.json')],
      pay: ['wallet', 'profile', `profiles.live.pay in ${config}`],
      max_total: [null, 'default', null],
      timeout_seconds: [5, 'environment', 'DRAY_TIMEOUT'],
      yes: [false, 'default', null],
      no_input: [false, 'default', null],
      debug: [false, 'default', null],
      accessible: [false, 'default', null],
      default_parcel: [[], 'default', null],
      maps: [['shop'], 'config', `maps in ${config}`],
    })
  })

  test('of an embedded sandbox explains what a new store is made of', async () => {
    using home = makeHome({ DRAY_SEED: '7' })
    const { data } = (await run(home, profileShow, '--explain', '--json')).json() as {
      data: { setting: string }[]
    }
    expect(data.filter(({ setting }) => ['seed', 'now'].includes(setting))).toEqual([
      { setting: 'seed', value: '7', source: 'environment', from: 'DRAY_SEED' },
      { setting: 'now', value: null, source: 'default', from: null },
    ])
  })

  test('shows another one by name', async () => {
    using home = makeHome()
    home.writeConfig({ profiles: { live: LIVE } })
    const { out } = await run(home, profileShow, 'live', '--json')
    expect(JSON.parse(out)).toMatchObject({
      name: 'live',
      kind: 'remote',
      address: 'https://live.example',
      has_token: true,
      config_file: home.configFile,
    })
    expect(out).not.toContain('canary')
    expect((await run(home, profileShow, 'nope')).code).toBe(2)
  })
})

describe('profile remove', () => {
  test('wants the name, and --yes is not enough', async () => {
    using home = makeHome()
    home.writeConfig({ default_profile: 'live', profiles: { live: LIVE } })
    const refused = await run(home, profileRemove, 'live', '--yes')
    expect(refused.error).toMatchObject({ code: 'not_confirmed', exitCode: 3 })
    expect(refused.error?.hint).toContain('dray profile remove live --yes --confirm live')
    expect((await run(home, profileRemove, 'live', '--confirm', 'other')).code).toBe(3)
    expect(home.readConfig()).toMatchObject({ profiles: { live: LIVE } })

    const ran = await run(home, profileRemove, 'live', '--confirm', 'live')
    expect(ran.err).toContain('It was the current profile; the current profile is now default')
    expect(home.readConfig()).toEqual({ profiles: {} })
  })

  test('asks on a terminal', async () => {
    using home = makeHome()
    home.writeConfig({ profiles: { demo: {} } })
    const io = memoryIo({ tty: true, env: { ...home.env, CI: undefined } })
    const running = runCommand(home, profileRemove, ['demo', '--accessible'], { io })
    io.type('demo\n')
    expect((await running).code).toBe(0)
    expect(io.asked()).toContain('Type demo to confirm')
    expect(home.readConfig()).toEqual({ profiles: {} })
  })
})

describe('a login in the keyring', () => {
  const IN_KEYRING = { base_url: LIVE.base_url, keyring: true, account: 'shipper' }

  function setUp() {
    const home = makeHome()
    home.writeConfig({ profiles: { live: IN_KEYRING } })
    const keyring = memoryKeyring()
    keyring.secrets.set(`live in ${home.configFile}`, JSON.stringify(LIVE))
    const ran = (command: Command, ...argv: string[]) => runCommand(home, command, argv, { keyring })
    return { home, keyring, ran, [Symbol.dispose]: home[Symbol.dispose] }
  }

  test('is seen without asking the keyring', async () => {
    using world = setUp()
    world.keyring.read = () => Promise.reject(new Error('not asked'))
    expect((await world.ran(profileList, '--json')).json()).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ name: 'live', has_token: true })]) as unknown,
    })
    const shown = await world.ran(profileShow, 'live', '--explain', '--json')
    expect(shown.json()).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({ setting: 'token', value: 'in the keyring, not shown', source: 'profile' }),
      ]) as unknown,
    })
  })

  test('goes with its profile', async () => {
    using world = setUp()
    expect(await world.ran(profileRemove, 'live', '--confirm', 'live')).toMatchObject({ code: 0 })
    expect(world.keyring.secrets.size).toBe(0)
  })

  test('does not follow its profile to another address', async () => {
    using world = setUp()
    expect(
      await world.ran(profileAdd, 'live', '--update', '--base-url', 'https://other.example'),
    ).toMatchObject({ code: 0 })
    expect(world.home.readConfig()).toEqual({ profiles: { live: { base_url: 'https://other.example' } } })
    expect(world.keyring.secrets.size).toBe(0)
  })

  test('is reported if it cannot be removed, and the profile goes all the same', async () => {
    using world = setUp()
    world.keyring.remove = () => Promise.reject(new Error('it is locked'))
    const ran = await world.ran(profileRemove, 'live', '--confirm', 'live')
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.err).toMatch(/warning: .*keyring.*it is locked/)
    expect(world.home.readConfig()).toEqual({ profiles: {} })
  })
})

describe('profile bind', () => {
  test('names the profile for this folder and keeps what the file says besides', async () => {
    using home = makeHome()
    home.writeConfig({ profiles: { live: LIVE } })
    home.writeProject({ output: 'csv' })
    await run(home, profileBind, 'live')
    expect(fs.readFileSync(join(home.cwd, '.dray.json'), 'utf8')).toBe(
      '{\n  "output": "csv",\n  "profile": "live"\n}\n',
    )
    expect(fs.readdirSync(home.cwd)).toEqual(['.dray.json'])
  })

  test('changes the file behind a link, and leaves one alone that is not UTF-8 or no JSON object', async () => {
    using home = makeHome()
    home.writeConfig({ profiles: { live: LIVE } })
    const path = join(home.cwd, '.dray.json')
    fs.writeFileSync(join(home.cwd, 'real.json'), '{"color":"never"}')
    fs.symlinkSync('real.json', path)
    await run(home, profileBind, 'live')
    expect(fs.lstatSync(path).isSymbolicLink()).toBe(true)
    expect(JSON.parse(fs.readFileSync(join(home.cwd, 'real.json'), 'utf8'))).toEqual({
      color: 'never',
      profile: 'live',
    })
    for (const bytes of [Buffer.from('{"color":"\xe9"}', 'latin1'), Buffer.from('[]')]) {
      fs.writeFileSync(path, bytes)
      expect((await run(home, profileBind, 'live', '--profile', 'live')).code).toBe(2)
      expect(fs.readFileSync(path)).toEqual(bytes)
    }
  })

  test('binds the one in use when none is named', async () => {
    using home = makeHome()
    home.writeConfig({ profiles: { live: LIVE } })
    const ran = await run(home, profileBind, '--profile', 'live', '--json')
    expect(ran.json()).toEqual({ profile: 'live', project_file: join(home.cwd, '.dray.json') })
  })

  test('rejects an unknown profile', async () => {
    using home = makeHome()
    expect((await run(home, profileBind, 'nope')).code).toBe(2)
    expect(fs.readdirSync(home.cwd)).toEqual([])
  })
})
