import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Config } from '../../src/cli/config-file.ts'
import { updateConfig } from '../../src/cli/config.ts'
import { AppError } from '../../src/core/errors.ts'
import { iterations } from '../support/battery.ts'
import { type Home, makeHome } from '../support/home.ts'

const WRITER = new URL('../support/config-writer.ts', import.meta.url).pathname

function startWriter(home: Home, args: string[], limits?: string) {
  const root = join(home.paths.config, '..')
  const command = [process.execPath, WRITER, root, ...args]
  const child =
    limits === undefined
      ? spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] })
      : spawn('sh', ['-c', `${limits}; exec "$@"`, 'sh', ...command], {
          stdio: ['ignore', 'pipe', 'pipe'],
        })
  let said = ''
  let complaints = ''
  child.stdout.on('data', (data: Buffer) => (said += data.toString()))
  child.stderr.on('data', (data: Buffer) => (complaints += data.toString()))
  const exit = once(child, 'close').then(([code, signal]: unknown[]) => ({ code, signal, complaints }))
  return {
    exit,
    written: () => said.split('\n').length - 1,
    /** Resolves once it has acknowledged another write. */
    progress: () => once(child.stdout, 'data'),
    kill: () => child.kill('SIGKILL'),
  }
}

const mode = (path: string): string => (fs.statSync(path).mode & 0o777).toString(8)

describe('changing the configuration', () => {
  test('creates the file, and keeps everything else in it', async () => {
    using home = makeHome()
    await updateConfig(home, (config) => {
      config.profiles = { work: { base_url: 'https://api.example.com', token: 'secret' } }
    })
    expect(home.readConfig()).toEqual({
      profiles: { work: { base_url: 'https://api.example.com', token: 'secret' } },
    })
    home.writeConfig({
      from_a_newer_dray: [1],
      default_profile: 'work',
      profiles: { work: { shiny: true, pay: 'card' } },
    })
    await updateConfig(home, (config) => {
      config.maps = { mine: { reference: 'Order no.' } }
    })
    expect(home.readConfig()).toEqual({
      from_a_newer_dray: [1],
      default_profile: 'work',
      profiles: { work: { shiny: true, pay: 'card' } },
      maps: { mine: { reference: 'Order no.' } },
    })
  })

  test('keeps a link to a file elsewhere, as programs for dotfiles make it, and writes behind it', async () => {
    using home = makeHome()
    home.writeConfig({ default_profile: 'a' })
    const real = join(home.cwd, 'dotfiles.json')
    fs.renameSync(home.configFile, real)
    fs.symlinkSync(real, home.configFile)
    await updateConfig(home, (config) => {
      config.profiles = { a: {} }
    })
    expect(fs.readlinkSync(home.configFile)).toBe(real)
    expect(JSON.parse(fs.readFileSync(real, 'utf8'))).toEqual({ default_profile: 'a', profiles: { a: {} } })
    expect(mode(real)).toBe('600')
    expect(fs.readdirSync(home.cwd)).toEqual(['dotfiles.json'])
  })

  test('can be read by people', async () => {
    using home = makeHome()
    await updateConfig(home, (config) => {
      config.profiles = { a: {} }
    })
    expect(fs.readFileSync(home.configFile, 'utf8')).toBe('{\n  "profiles": {\n    "a": {}\n  }\n}\n')
  })

  test('accepts names with a meaning in JavaScript or in paths', async () => {
    using home = makeHome()
    const maps = { 'a.b': { 'x.y': 'Z' }, constructor: { toString: 'T' } }
    await updateConfig(home, (config) => {
      config.maps = maps
    })
    expect(home.readConfig()).toEqual({ maps })
  })

  test('returns the result of the change, and writes nothing without a change', async () => {
    using home = makeHome()
    home.writeConfig({ default_profile: 'a' })
    const before = fs.statSync(home.configFile).ino
    expect(await updateConfig(home, (config) => config.default_profile)).toBe('a')
    expect(fs.statSync(home.configFile).ino).toBe(before)
  })

  test.each<[string, (config: Config) => void]>([
    [
      'a change that throws',
      () => {
        throw new AppError('usage', 'No.')
      },
    ],
    [
      'a change to something that could not be read back',
      (config) => {
        config.profiles = { 'Not a name': {} }
      },
    ],
  ])('%s changes nothing', async (_name, change) => {
    using home = makeHome()
    home.writeConfig({ default_profile: 'a' })
    await expect(updateConfig(home, change)).rejects.toThrow(AppError)
    expect(home.readConfig()).toEqual({ default_profile: 'a' })
  })

  test('a file that is not JSON is refused, not replaced', async () => {
    using home = makeHome()
    home.writeConfig('{ "profiles": my own notes')
    await expect(updateConfig(home, (config) => void (config.profiles = {}))).rejects.toMatchObject({
      code: 'config_error',
    })
    expect(fs.readFileSync(home.configFile, 'utf8')).toBe('{ "profiles": my own notes')
  })

  test('a home that is a file is refused with its name', async () => {
    using home = makeHome()
    fs.writeFileSync(home.paths.config, '')
    await expect(updateConfig(home, () => undefined)).rejects.toThrow(
      `${home.paths.config} cannot be written (EEXIST)`,
    )
  })

  test('is atomic also where SNAP is set, as in the terminal of an editor installed as a snap', async () => {
    using home = makeHome()
    home.writeConfig({ default_profile: 'a' })
    const before = fs.statSync(home.configFile).ino
    process.env['SNAP'] = '/snap/code/1'
    try {
      await updateConfig(home, (config) => void (config.default_profile = 'b'))
    } finally {
      delete process.env['SNAP']
    }
    expect(home.readConfig()).toEqual({ default_profile: 'b' })
    expect(fs.statSync(home.configFile).ino).not.toBe(before)
    expect(mode(home.configFile)).toBe('600')
  })

  test('leaves Ctrl-C to the command', async () => {
    using home = makeHome()
    const before = process.listeners('SIGINT')
    await updateConfig(home, (config) => void (config.default_profile = 'a'))
    expect(process.listeners('SIGINT')).toEqual(before)
  })
})

test.each(['000', '022', '077'])('under umask %s the file is 0600 and its folder 0700', async (umask) => {
  using home = makeHome()
  const { exit } = startWriter(home, ['one', '2'], `umask ${umask}`)
  expect(await exit).toEqual({ code: 0, signal: null, complaints: '' })
  expect([mode(home.paths.config), mode(home.configFile), mode(`${home.paths.config}/config.lock`)]).toEqual([
    '700',
    '600',
    '600',
  ])
})

test('a disk that takes only some of the bytes: refused, and the file is as it was', async () => {
  using home = makeHome()
  home.writeConfig({ profiles: { kept: { token: 'precious' } } })
  // The shell's limit makes the system write only a part, like an almost full disk.
  const { exit } = startWriter(home, ['one', '1'], 'ulimit -f 1')
  const { code, complaints } = await exit
  expect(code).toBe(1)
  expect(complaints).toContain(`No disk space to write ${home.configFile}; it was not changed.`)
  expect(home.readConfig()).toEqual({ profiles: { kept: { token: 'precious' } } })
  expect(fs.readdirSync(home.paths.config).toSorted()).toEqual(['config.json', 'config.lock'])
})

test('two processes at once: neither loses what the other wrote', async () => {
  using home = makeHome()
  const writers = [startWriter(home, ['one', '40']), startWriter(home, ['two', '40'])]
  expect(await Promise.all(writers.map(({ exit }) => exit))).toEqual([
    { code: 0, signal: null, complaints: '' },
    { code: 0, signal: null, complaints: '' },
  ])
  expect(home.readConfig()).toMatchObject({
    profiles: { one: { account: 'one-40' }, two: { account: 'two-40' } },
  })
})

test('kills during a write: the file is never broken, no acknowledged change is lost, no lock or copy stays', async () => {
  using home = makeHome()
  home.writeConfig({ profiles: { kept: { token: 'precious' } } })
  for (let round = 0; round < iterations(15, 50); round++) {
    const writer = startWriter(home, ['one'])
    await writer.progress()
    // Somewhere within the next write: the rounds spread over its duration.
    await new Promise((resolve) => setTimeout(resolve, (round % 10) / 3))
    writer.kill()
    expect(await writer.exit).toEqual({ code: null, signal: 'SIGKILL', complaints: '' })
    const config = home.readConfig() as Config
    expect(config.profiles?.['kept']).toEqual({ token: 'precious' })
    const found = Number(config.profiles?.['one']?.account?.split('-')[1])
    expect(found).toBeGreaterThanOrEqual(writer.written())
    expect(found).toBeLessThanOrEqual(writer.written() + 1)
  }
  await updateConfig(home, (config) => void (config.default_profile = 'kept'))
  expect(fs.readdirSync(home.paths.config).toSorted()).toEqual(['config.json', 'config.lock'])
})
