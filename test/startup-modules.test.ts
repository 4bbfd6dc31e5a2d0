/** The modules that a command loads decide its start time. A newly loaded file or module changes this test. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtProgram, readServerUrl, startDray } from './support/program.ts'
import type { CommandResult, RunningProcess } from './support/program.ts'

const DIST = join(import.meta.dirname, '../dist')
const PRELOAD = join(import.meta.dirname, 'support/loaded-modules.cjs')

type LoadedModules = {
  /** The number of files of `dist/`. */
  files: number
  /** The source files bundled in them. */
  sources: string[]
  /** Modules of Node beyond those that every script loads. */
  builtins: string[]
  /** The parts of `Intl` that were used. */
  intl: string[]
}

const home = mkdtempSync(join(tmpdir(), 'dray-loaded-'))
const manifest = join(home, 'manifest.csv')

beforeAll(async () => {
  await builtProgram()
  await load('carrier', 'list', '--json')
  writeFileSync(
    manifest,
    `reference,recipient_name,address_line1,city,postal_code,country_code,weight_grams,length_mm,width_mm,height_mm
${Array.from({ length: 200 }, (_, at) => `R-${at},Grace Okoro,${at} Friar Street,Reading,RG1 1DB,GB,500,300,200,100`).join('\n')}
`,
  )
})

afterAll(() => rmSync(home, { recursive: true, force: true }))

type Report = Record<'files' | 'builtins' | 'intl', string[]>

type Environment = Record<string, string>
type CommandLoad = LoadedModules & { exitCode: number | undefined }

async function load(...words: string[]): Promise<CommandLoad> {
  return loadWith({}, ...words)
}

async function loadWith(env: Environment, ...words: string[]): Promise<CommandLoad> {
  const { exitCode, files, builtins, intl } = await report(words, ({ ended }) => ended, env)
  const built = files.map((file) => relative(DIST, file)).filter((file) => !file.startsWith('..'))
  return {
    exitCode,
    files: built.length,
    sources: built.flatMap((file) => sourcesOf(join(DIST, file))),
    builtins: builtins
      .map((name) => name.replace(/^NativeModule /, ''))
      .filter(isPublic)
      .toSorted(),
    intl,
  }
}

/** Returns the packages that a service has loaded when it listens. */
async function loadService(...words: string[]): Promise<string[]> {
  const { exitCode, files } = await report([...words, '--port', '0', '--json'], async (service) => {
    await readServerUrl(service)
    service.kill('SIGTERM')
    return service.ended
  })
  expect(exitCode).toBe(0)
  return named([...files, ...files.flatMap(sourcesOf)], PACKAGE)
}

async function report(
  words: readonly string[],
  end: (started: RunningProcess) => Promise<CommandResult>,
  env: Environment = {},
): Promise<Report & { exitCode: number | undefined }> {
  const file = join(home, 'loaded.json')
  const { exitCode } = await end(
    startDray(words, {
      env: {
        HOME: home,
        DRAY_HOME: home,
        XDG_CACHE_HOME: '',
        DRAY_LOADED_MODULES: file,
        NODE_OPTIONS: `--require ${JSON.stringify(PRELOAD)}`,
        ...env,
      },
    }),
  )
  return { exitCode, ...(JSON.parse(readFileSync(file, 'utf8')) as Report) }
}

function isPublic(name: string): boolean {
  return !name.startsWith('internal/') && !name.startsWith('Internal Binding')
}

function sourcesOf(file: string): string[] {
  try {
    const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[] }
    return sources
  } catch {
    // The bundler's own code has no source map.
    return []
  }
}

/** Returns the names of packages or operations among the sources. */
function named(sources: readonly string[], pattern: RegExp): string[] {
  return [...new Set(sources.flatMap((source) => pattern.exec(source)?.[1] ?? []))].toSorted()
}

const PACKAGE = /node_modules\/((?:@[^/]+\/)?[^/]+)\//
const OPERATION = /src\/areas\/\w+\/(\w+_\w+)\.ts/
/** A file that belongs to one area of the interface only. */
const AREA = /src\/areas\/(business|carrier|delivery|food|rides|services|tasks)\//
/** Finding and reading a file costs more than loading a small module that is not needed. */
const MAX_DIST_FILES = 19

/** No command on the embedded store loads any of these. */
const ELSEWHERE = /^(?:child_process|http|http2|https|net|perf_hooks|tls|worker_threads)$/

describe('a command loads what it needs', () => {
  test('--version loads nothing of the program', async () => {
    expect(await load('--version')).toEqual({ exitCode: 0, files: 0, sources: [], builtins: [], intl: [] })
  })

  test.skipIf(process.platform === 'win32')('what was compiled is kept in a folder of the user', async () => {
    await load('--help')
    const caches = process.platform === 'darwin' ? 'Library/Caches' : '.cache'
    expect(readdirSync(join(home, caches, 'dray/code'))).toHaveLength(1)
  })

  test('--help is printed ready-made', async () => {
    const { sources, files, ...loaded } = await load('--help')
    expect(loaded).toEqual({ exitCode: 0, builtins: ['vm'], intl: [] })
    expect(files).toBeLessThan(8)
    expect(named(sources, AREA)).toEqual([])
  })

  test('a usage error opens no store', async () => {
    const { sources, files, ...loaded } = await load('carrier', 'list', '--colour', 'never')
    expect(loaded).toEqual({ exitCode: 2, builtins: ['process', 'vm'], intl: [] })
    expect(files).toBeLessThan(8)
    expect(named(sources, AREA)).toEqual([])
  })

  test('a list printed as JSON loads its own operation, and no library but the parser of arguments', async () => {
    const { sources, files, ...loaded } = await load('carrier', 'list', '--json')
    expect(loaded).toEqual({ exitCode: 0, builtins: ['process', 'sqlite', 'vm'], intl: [] })
    expect(files).toBeLessThan(MAX_DIST_FILES)
    expect(named(sources, OPERATION)).toEqual(['list_shipments'])
    // The only part of typebox is the function that counts the characters of a text.
    expect(named(sources, PACKAGE)).toEqual(['commander', 'typebox'])
  })

  test('the reads of food and business load no code of parcels, and no operation but their own', async () => {
    const reads = {
      'food list': 'list_food_orders',
      'food search --near 51.5129,-0.0823': 'search_restaurants',
      'business orders list': 'list_business_orders',
      'business catalog list': 'list_catalog_items',
    }
    for (const [line, name] of Object.entries(reads)) {
      const { sources, files, ...loaded } = await load(...line.split(' '), '--json')
      expect(loaded).toEqual({ exitCode: 0, builtins: ['process', 'sqlite', 'vm'], intl: [] })
      expect(files).toBeLessThan(MAX_DIST_FILES)
      expect(named(sources, OPERATION)).toEqual([name])
      expect(named(sources, AREA).filter((area) => area !== 'food' && area !== 'business')).toEqual([])
    }
  })

  test('a call that changes something loads what remembers it, and nothing of other areas', async () => {
    const line =
      'carrier create --to-name A --to-line1 1 --to-city Reading --to-postal-code RG11DB --to-country GB --weight 500g --length 30cm --width 20cm --height 10cm --service next_day --yes --max-total 100 --json'
    const { sources, files, ...loaded } = await load(...line.split(' '))
    expect(loaded).toEqual({ exitCode: 0, builtins: ['process', 'sqlite', 'vm'], intl: [] })
    expect(files).toBeLessThan(MAX_DIST_FILES)
    expect(named(sources, AREA)).toEqual(['carrier'])
    expect(named(sources, OPERATION)).toContain('create_shipment')
    expect(named(sources, PACKAGE)).toEqual(['commander', 'typebox'])
  })

  test('an upload loads the two operations that make parcels, and a reader of CSV', async () => {
    const { sources, files, builtins, ...loaded } = await load(
      'carrier',
      'upload',
      manifest,
      '--yes',
      '--json',
    )
    expect(loaded).toEqual({ exitCode: 0, intl: [] })
    expect(files).toBeLessThan(MAX_DIST_FILES)
    expect(builtins).toContain('sqlite')
    expect(builtins.filter((name) => ELSEWHERE.test(name))).toEqual([])
    expect(named(sources, OPERATION)).toEqual(['create_shipment', 'create_shipments_batch'])
    expect(named(sources, PACKAGE)).toEqual(['commander', 'csv-parse', 'typebox'])
  })
})

test('the tools load no operation before it is called, and of their library not what compiles schemas', async () => {
  const { sources, files, builtins, ...loaded } = await load('mcp')
  expect(loaded).toEqual({ exitCode: 0, intl: [] })
  expect(files).toBeLessThan(MAX_DIST_FILES)
  // Node itself reads a pipe with this module.
  expect(builtins.filter((name) => ELSEWHERE.test(name))).toEqual(['net'])
  expect(named(sources, OPERATION)).toEqual([])
  expect(named(sources, PACKAGE)).toEqual([
    '@modelcontextprotocol/core',
    '@modelcontextprotocol/server',
    'commander',
    'zod',
  ])
  // Its schemas of messages for logins are among those that nothing here reads.
  expect(sources.filter((source) => /ajv|cfWorker|core\/dist\/auth/i.test(source))).toEqual([])
})

test('a call to a service loads nothing of the embedded store, and of HTTP only what it speaks', async () => {
  const serving = { env: { HOME: home, DRAY_HOME: home } }
  const made = await startDray(['sandbox', 'account', 'token', 'shipper', '--json'], serving).ended
  const service = startDray(['serve', '--port', '0', '--json'], serving)
  const url = await readServerUrl(service)
  const { token } = JSON.parse(made.stdout) as { token: string }
  const { exitCode, sources, builtins } = await loadWith(
    { DRAY_TOKEN: token },
    'carrier',
    'list',
    '--json',
    '--base-url',
    url,
  )
  service.kill('SIGTERM')
  await service.ended
  expect(exitCode).toBe(0)
  expect(builtins).not.toContain('sqlite')
  expect(builtins.filter((name) => ELSEWHERE.test(name))).toEqual(['net'])
  expect(sources.filter((source) => /undici\/.*(?:h2|milo)/.test(source))).toEqual([])
  expect(sources.filter((source) => /src\/(?:store|host|gateway\/(?!formats))/.test(source))).toEqual([])
})

test('a service loads nothing that compiles schemas or writes logs, and no code for agents', async () => {
  const packages = await loadService('serve')
  expect(packages).toContain('fastify')
  const unused =
    /^(?:ajv|pino|semver|undici|zod|light-my-request|@fastify\/.*-compiler|tdigest|bintrees|@opentelemetry\/.*|@modelcontextprotocol\/.*)$/
  expect(packages.filter((name) => unused.test(name))).toEqual([])
})

test('a forbidden module would be detected', async () => {
  const remote = await load('carrier', 'list', '--json', '--base-url', 'http://127.0.0.1:9')
  expect(named(remote.sources, PACKAGE)).toContain('undici')
  // Calls to a remote service do not load the code for agents.
  expect(named(remote.sources, PACKAGE)).not.toContain('@modelcontextprotocol/server')
  expect(remote.builtins.filter((name) => ELSEWHERE.test(name))).toContain('net')
  const login = await load('login', '--sandbox', '--account', 'shipper')
  expect(named(login.sources, PACKAGE)).toContain('conf')
  expect(login.builtins).toContain('crypto')
  const { intl } = await load('sandbox', 'clock', 'show')
  expect(intl).toContain('Intl.DateTimeFormat')
})
