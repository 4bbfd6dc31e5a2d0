/** The launcher with a program of one line, so that each test sees which code really ran. */
import { execFile, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeTempFolder } from '../support/stores.ts'

const BIN = join(import.meta.dirname, '../../bin')

/** A program that answers a completion by `answer`, and a command by the exit code of `start`. */
type Program = {
  cache: string
  /** The folder of the compiled code. */
  folder: string
  /** Writes `answer` into the program as the body of a function. */
  answers(body: string): void
  writes(name: string, source: string): void
  /** Returns what it prints for a completion. */
  run(env?: Record<string, string>): string
  command: readonly [file: string, args: string[], options: { env: Record<string, string> }]
  /** The one file of compiled code, and its identity: a new one replaces it. */
  kept(): { path: string; bytes: Buffer; id: number } | undefined
}

async function makeProgram(): Promise<Program> {
  const root = await makeTempFolder()
  const cache = join(root, 'cache')
  const folder = join(cache, 'dray/code')
  cpSync(BIN, join(root, 'bin'), { recursive: true })
  mkdirSync(join(root, 'dist'))
  const writes: Program['writes'] = (name, source) => writeFileSync(join(root, 'dist', name), source)
  writes('build', 'one')
  writes('package.json', '{"type":"commonjs"}')
  const launcher = join(root, 'bin/dray.js')
  const env = { XDG_CACHE_HOME: cache }
  const program: Program = {
    cache,
    folder,
    writes,
    answers: (body) => writes('complete.js', `exports.complete = () => { ${body} }`),
    run(more = {}) {
      const ran = spawnSync(process.execPath, [launcher, '__complete'], {
        encoding: 'utf8',
        env: { ...env, ...more },
      })
      expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: '' })
      return ran.stdout
    },
    command: [process.execPath, [launcher, 'work'], { env }],
    kept() {
      const [name, ...others] = readNames(folder)
      expect(others).toEqual([])
      if (name === undefined) return undefined
      const path = join(folder, name)
      return { path, bytes: readFileSync(path), id: statSync(path).ino }
    },
  }
  program.answers('return "first"')
  return program
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Makes a program whose source is no longer the one of the kept code: what it prints says which of the two ran. */
async function makeChanged(): Promise<Program> {
  const program = await makeProgram()
  expect(program.run()).toBe('first')
  program.answers('return "other"')
  return program
}

describe.skipIf(process.platform === 'win32')('compiled code', () => {
  test('of all functions that a command called is used by the next one', async () => {
    const { run, kept } = await makeChanged()
    const before = kept()
    expect(run()).toBe('first')
    expect(kept()).toEqual(before)
  })

  test('is in a file that only the user can read and write', async () => {
    const { folder, kept } = await makeChanged()
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(kept()?.path ?? '').mode & 0o777).toBe(0o600)
  })

  test('of another build is not used, and replaced', async () => {
    const { run, writes, answers } = await makeChanged()
    writes('build', 'two')
    expect(run()).toBe('other')
    answers('return "third"')
    expect(run()).toBe('other')
  })

  test('of other options of V8 is not used', async () => {
    const { run } = await makeChanged()
    expect(run({ NODE_OPTIONS: '--interpreted-frames-native-stack' })).toBe('other')
  })

  test('of other files stays when more is kept', async () => {
    const { run, answers, command, writes, kept } = await makeProgram()
    run()
    writes('main.js', 'exports.start = async () => 0')
    spawnSync(...command)
    expect(kept()?.bytes.toString('latin1')).toMatch(/main\.js/)
    answers('return "other"')
    expect(run()).toBe('first')
  })

  test.each([
    ['is empty', () => Buffer.alloc(0)],
    ['is cut', (bytes: Buffer) => bytes.subarray(0, bytes.length - 100)],
    ['is cut in its list', (bytes: Buffer) => bytes.subarray(0, 20)],
    ['names another length of its list', (bytes: Buffer) => changed(bytes, 3, 0x7f)],
    [
      'names no places',
      (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace(/\[\d+,/, '[-5,'), 'latin1'),
    ],
    [
      'names no list',
      (bytes: Buffer) =>
        Buffer.from(bytes.toString('latin1').replace(/\[(\d+),(\d+)\]/, '"$1.$2"'), 'latin1'),
    ],
    ['is full of zeros', (bytes: Buffer) => Buffer.alloc(bytes.length)],
    [
      'has a block of zeros',
      (bytes: Buffer) => Buffer.from(bytes).fill(0, bytes.length - 400, bytes.length - 200),
    ],
    ['has one wrong bit', (bytes: Buffer) => changed(bytes, bytes.length - 200, 1)],
    ['has another wrong bit', (bytes: Buffer) => changed(bytes, bytes.length >> 1, 1)],
  ])('that %s is made again', async (_, damage) => {
    const { run, kept, answers } = await makeChanged()
    const before = kept()
    writeFileSync(before?.path ?? '', damage(before?.bytes ?? Buffer.alloc(0)))
    expect(run()).toBe('other')
    answers('return "third"')
    expect(run()).toBe('other')
  })

  test.each([0o777, 0o720])('in a folder that others can change is not used (%o)', async (mode) => {
    const { folder, run, kept } = await makeChanged()
    const before = kept()
    chmodSync(folder, mode)
    expect(run()).toBe('other')
    expect(kept()).toEqual(before)
  })

  test.runIf(process.geteuid?.() === 0)('of somebody else is not used', async () => {
    const { folder, run, kept } = await makeChanged()
    const before = kept()
    chownSync(folder, 65_534, 65_534)
    expect(run()).toBe('other')
    expect(kept()).toEqual(before)
  })

  test('is kept by one of several commands that end at once', async () => {
    const { run, answers, command, writes, kept } = await makeProgram()
    writes('main.js', 'exports.start = async () => 0')
    const codes = Array.from(
      { length: 6 },
      () => new Promise((resolve) => execFile(...command, (error) => resolve(error))),
    )
    expect(await Promise.all(codes)).toEqual([null, null, null, null, null, null])
    expect(kept()?.bytes.toString('latin1')).toMatch(/main\.js/)
    run()
    answers('return "other"')
    expect(run()).toBe('first')
  })

  test('is kept again some time after a command was killed while it wrote', async () => {
    const { run, folder, answers } = await makeProgram()
    run()
    const [name = ''] = readdirSync(folder)
    const temporary = join(folder, `${name}.new`)
    writeFileSync(temporary, 'half')
    answers('return "longer than before"')
    run()
    expect(readFileSync(temporary, 'utf8')).toBe('half')
    utimesSync(temporary, 0, 0)
    run()
    expect(readdirSync(folder)).toEqual([name])
    run()
    answers('return "Longer than before"')
    expect(run()).toBe('longer than before')
  })

  test.each([
    ['a home that is no folder', { XDG_CACHE_HOME: '', HOME: '/dev/null' }],
    ['a home where none can be made', { XDG_CACHE_HOME: '', HOME: '/proc' }],
    ['a relative home', { XDG_CACHE_HOME: 'here', HOME: 'there' }],
    ['no home', { XDG_CACHE_HOME: '' }],
  ])('is not kept in %s, and the command does its work', async (_, env) => {
    const { run } = await makeProgram()
    expect(run(env)).toBe('first')
  })

  test('is not kept on a full disk, and nothing is left of it', async () => {
    const { folder, command, writes } = await makeProgram()
    writes('main.js', 'exports.start = async () => 0')
    const [file, args, options] = command
    // The shell lets the command write no byte to a file.
    const { status, stderr } = spawnSync('sh', ['-c', 'ulimit -f 0; exec "$0" "$@"', file, ...args], {
      ...options,
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(readdirSync(folder)).toEqual([])
  })

  test('is not kept by a command that a signal ended', async () => {
    const { command, writes, kept } = await makeProgram()
    writes('main.js', 'exports.start = async () => 130')
    expect(spawnSync(...command).status).toBe(130)
    expect(kept()).toBeUndefined()
  })

  test('is kept by a service while it runs', async () => {
    const { folder, command, writes } = await makeProgram()
    writes(
      'main.js',
      `exports.start = () => new Promise((resolve) => {
        const timer = setInterval(() => {
          const names = require('node:fs').readdirSync(${JSON.stringify(folder)})
          if (names.some((name) => !name.endsWith('.new'))) resolve(clearInterval(timer))
        }, 20)
      }).then(() => 3)`,
    )
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const [file, args, options] = command
    expect(spawnSync(file, args, { ...options, timeout: 60_000 }).status).toBe(3)
  })
})

function changed(bytes: Buffer, at: number, bits: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ bits
  return copy
}

test('an error names the file and the place where it was thrown, with kept code as without', async () => {
  const { run, answers } = await makeProgram()
  answers('return new Error("here").stack')
  const stack = run()
  expect(stack).toMatch(/^Error: here\n {4}at .*dist[/\\]complete\.js:1:35\)/)
  expect(run()).toBe(stack)
})

test('a file that failed to load fails again, and one that is loaded is loaded once', async () => {
  const { run, answers, writes } = await makeProgram()
  writes('fails.js', 'throw new Error("no such package")')
  writes('counts.js', 'exports.times = (globalThis.times ??= 0) + 1; globalThis.times += 1')
  answers(`
    const tell = () => { try { require('./fails.js'); return 'loaded' } catch ({ message }) { return message } }
    return [tell(), tell(), require('./counts.js').times, require('./counts.js').times].join()`)
  expect(run()).toBe('no such package,no such package,1,1')
})
