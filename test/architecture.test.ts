import { basename } from 'node:path'
import { parseSync, type VisitorObject } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import {
  dotted,
  functionsOf,
  type Import,
  readSources,
  type SourceFile,
  visitProgram,
} from './support/sources.ts'

/** The areas of the interface; none imports another. */
const AREAS = ['business', 'carrier', 'delivery', 'food', 'rides', 'services', 'tasks']
/** The folders that several areas share, including the account. Each imports only those after it. */
const SHARED = [
  'orders',
  'catalog',
  'merchants',
  'couriers',
  'dispatch',
  'quotes',
  'account',
  'payments',
  'proofs',
]

/** The places that each module under `areas/` may import besides the modules of its own folder and those of shared folders. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  resource: ['core'],
  rules: ['core'],
  states: ['core'],
  presenter: ['core', 'types:typebox'],
  report: ['core', 'types:typebox'],
  queries: ['core', 'db'],
  lifecycle: ['core', 'db'],
  seed: ['core', 'db'],
  label: ['core', 'localized-address-format'],
  views: ['core', 'types:typebox'],
  schema: ['core', 'typebox'],
  operation: ['core', 'db', 'typebox'],
}

/**
 * The modules that a module may import from, in its own folder and in shared ones. Types may be imported from any module.
 */
const MODULE_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  resource: ['states'],
  rules: ['rules', 'states'],
  states: ['rules', 'states'],
  presenter: ['resource', 'rules', 'states', 'presenter'],
  report: ['rules', 'states', 'report'],
  queries: ['rules', 'states', 'queries'],
  lifecycle: ['rules', 'states', 'queries', 'lifecycle'],
  seed: ['rules', 'states', 'queries', 'lifecycle', 'seed'],
  label: ['rules', 'states', 'label'],
  views: ['rules', 'states', 'queries', 'lifecycle', 'views'],
  schema: ['rules', 'states', 'schema'],
  operation: ['resource', 'rules', 'states', 'queries', 'lifecycle', 'views', 'schema', 'operation'],
}

/** The pure rules and sums of every area, and its drawings for paper. */
const PURE = 'areas/*/rules'

/**
 * The imports that are allowed: the table of the design, folder by folder. A place is a file or a folder under `src/`, or a package.
 * Every folder may import from itself, but for `areas/`: see above. `types:` before a place means `import type` only.
 */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  core: ['reference-data', 'typebox', 'types:node:crypto'],
  db: ['core', 'generated/new-store.ts', 'node:sqlite', 'node:fs', 'node:path', 'node:url', 'pg'],
  'areas/resources.ts': ['areas'],
  'areas/presenters.ts': ['areas', 'core', 'types:generated/resources.ts'],
  'areas/quotes': ['areas/resources.ts'],
  // The types of events that a webhook endpoint chooses from.
  'areas/account/webhooks.ts': ['areas/resources.ts'],
  // It reads files of rows for the terminal and for the pages. The lists of operations give bodies their types.
  tabular: [
    'core',
    PURE,
    'generated/country-names.ts',
    'generated/fields',
    'generated/header-parts',
    'generated/header-words.ts',
    'types:client',
    'chardet',
    'csv-parse',
    'entities',
    'fflate',
    'numfmt',
    'saxen',
    'yauzl',
    'node:path',
    'types:node:stream',
  ],
  workers: ['core', 'types:areas/carrier/label', 'types:rendering', 'node:path', 'node:worker_threads'],
  rendering: [
    'core',
    '@napi-rs/canvas',
    '@bwip-js/node',
    '@point-of-sale/receipt-printer-encoder',
    'node:fs',
    'node:module',
    'node:path',
    'node:zlib',
  ],
  oauth: ['core', 'db', 'areas/account', 'node:crypto'],
  sandbox: ['core', 'db', 'areas', 'oauth', 'generated/operation-list.ts', 'typebox'],
  gateway: ['core', 'db', 'areas/account', 'areas/proofs', 'rate-limiter-flexible', 'typebox'],
  server: [
    'core',
    'areas',
    'workers',
    'gateway',
    'oauth',
    'rendering',
    'tabular',
    'generated/control-examples.ts',
    'generated/examples.ts',
    'generated/guide.ts',
    'generated/web.ts',
    'types:generated/resources.ts',
    'rate-limiter-flexible',
    'prom-client',
    'fastify',
    'node:cluster',
    'node:crypto',
    'node:fs',
    'node:http',
    'node:net',
    'node:path',
    'node:stream',
  ],
  // The lists of operations and control calls give a call its types; to load them would load the service.
  client: [
    'core',
    'generated',
    'types:sandbox/control/index.ts',
    'types:gateway/rate-limit.ts',
    'undici',
    '@napi-rs/keyring',
    'node:fs',
    'node:net',
    'node:path',
    'node:stream',
    'node:tls',
    'types:node:zlib',
  ],
  host: [
    'core',
    'db',
    'areas/account',
    'sandbox',
    'oauth',
    'gateway',
    'client',
    'generated',
    'node:dns',
    'node:fs',
    'node:http',
    'node:https',
    'node:net',
    'node:path',
    'node:worker_threads',
  ],
  // The modules that other programs import: a sandbox in their process, and a client that runs in browsers, too.
  library: [
    'core',
    'db',
    'areas/account',
    'areas/resources.ts',
    'client',
    'generated',
    'host',
    'sandbox',
    'gateway',
    'server/server.ts',
    'package.json',
    'temporal-polyfill',
  ],
  'local-state': ['core', 'generated', 'types:client', 'node:fs', 'node:path'],
  // It refuses what the gateway would refuse, before a person is asked.
  mcp: [
    'core',
    PURE,
    'areas/presenters.ts',
    'workers',
    'gateway/validation.ts',
    'generated',
    'client',
    'local-state',
    '@modelcontextprotocol/server',
  ],
  cli: [
    'core',
    'areas/presenters.ts',
    'tabular',
    'generated',
    'client',
    'local-state',
    'commander',
    '@inquirer/core',
    '@inquirer/prompts',
    'cli-table3',
    'conf',
    'yaml',
    '@jmespath-community/jmespath',
    'node:child_process',
    'node:fs',
    'node:path',
  ],
  commands: [
    'core',
    PURE,
    'areas/presenters.ts',
    'tabular',
    'cli',
    'generated',
    'client',
    'local-state',
    'mcp',
    'rendering',
    'host',
    'server',
    'gateway/rate-limit.ts',
    // A menu in JSON is checked as the service would check it, before anything is sent.
    'gateway/validation.ts',
    'sandbox/control',
    'typebox',
    'jsonc-parser',
    'yaml',
    '@jmespath-community/jmespath',
    'node:child_process',
    'node:fs',
    'node:net',
    'node:path',
  ],
  // It runs in browsers: of the service it takes pure rules and types only.
  web: [
    'core',
    PURE,
    'types:client',
    'types:server/pages/upload/shown.ts',
    'types:sandbox/control/index.ts',
    'preact',
  ],
  generate: [
    '',
    'package.json',
    'typebox',
    'rolldown',
    'rolldown.config.ts',
    'node:child_process',
    'node:crypto',
    'node:fs',
    'node:module',
    'node:os',
    'node:path',
    'node:url',
  ],
  'paths.ts': ['types:core'],
  'complete.ts': ['commands', 'generated/completion.ts', 'paths.ts'],
  'replace.ts': ['host', 'runtime.ts'],
  'thread.ts': ['workers', 'areas/carrier/label', 'rendering', 'server/pages/upload'],
  'runtime.ts': ['', 'package.json', 'node:path'],
  'main.ts': ['cli', 'commands', 'runtime.ts'],
}

/** Exceptions from the table, each with its reason. An exception without a use fails. */
const BEYOND: readonly (readonly [from: string, to: string, why: string])[] = [
  ['generate/main.ts', '(computed)', 'loads every command'],
]

const sources = [...readSources('src'), ...readSources('src', '.tsx')]

/** Returns whether a file or package is in a place; the empty place is all of `src/`. */
function isIn(path: string, place: string): boolean {
  return place === ''
    ? path.startsWith('src/')
    : [place, `src/${place}`].some((start) => path === start || path.startsWith(`${start}/`))
}

function folderOf(file: string): string {
  return file.split('/')[1] ?? ''
}

/**
 * Returns area and module of a file: `rides` and `life` for `src/areas/rides/lifecycle/quote.ts`. Files beside the modules
 * are operations.
 */
function moduleOf(file: string): { area: string; module: string } | undefined {
  const [, folder, area = '', module = ''] = file.split('/')
  if (folder !== 'areas' || module === '') return undefined
  const name = module.replace(/\.ts$/, '')
  return { area, module: Object.hasOwn(MODULES, name) ? name : 'operation' }
}

/** Returns whether a file belongs to the engines or to a module with SQL. */
function isStore(file: string): boolean {
  return isIn(file, 'db') || isIn(file, 'oauth/queries') || moduleOf(file)?.module === 'queries'
}

/** Returns whether a file of an area may import another one, by the order of the areas and the modules of both. */
function fitsModule(file: string, wanted: Import): boolean {
  const { to, typesOnly } = wanted
  const from = moduleOf(file)
  if (from === undefined) return false
  const found = moduleOf(to)
  if (found === undefined) return MODULES[from.module]?.some((place) => allows(place, wanted)) === true
  const isNear =
    found.area === from.area ||
    (SHARED.includes(found.area) && SHARED.indexOf(found.area) > SHARED.indexOf(from.area))
  return isNear && (typesOnly || MODULE_IMPORTS[from.module]?.includes(found.module) === true)
}

function allows(place: string, wanted: Import): boolean {
  const { to, typesOnly } = wanted
  if (place === PURE)
    return ['rules', 'states', 'report', 'label', 'presenter'].includes(moduleOf(to)?.module ?? '')
  return place.startsWith('types:') ? typesOnly && isIn(to, place.slice('types:'.length)) : isIn(to, place)
}

function isAllowed(file: string, wanted: Import): boolean {
  if (fitsModule(file, wanted)) return true
  if (folderOf(file) !== 'areas' && wanted.to.startsWith('src/') && folderOf(wanted.to) === folderOf(file))
    return true
  const granted = Object.entries(FOLDERS).flatMap(([from, places]) => (isIn(file, from) ? places : []))
  const beyond = BEYOND.flatMap(([from, place]) => (isIn(file, from) ? [place] : []))
  return [...granted, ...beyond].some((place) => allows(place, wanted))
}

/** Checks that the sources were found: an empty folder must not pass. */
test('has sources of every folder to look at', () => {
  const seen = new Set(sources.map(({ file }) => folderOf(file)))
  expect(Object.keys(FOLDERS).filter((folder) => !folder.includes('/') && !seen.has(folder))).toEqual([])
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(500)
})

test('every folder under areas/ is an area of the interface, or is shared by several', () => {
  const folders = new Set(sources.flatMap(({ file }) => moduleOf(file)?.area ?? []))
  expect([...folders].toSorted()).toEqual([...AREAS, ...SHARED].toSorted())
})

describe('imports', () => {
  test('lead only where the table lets them', () => {
    const wrong = sources.flatMap(({ file, imports }) =>
      imports
        .filter((wanted) => !isAllowed(file, wanted))
        .map(({ to, typesOnly }) => `${file} → ${typesOnly ? 'types:' : ''}${to}`),
    )
    expect(wrong).toEqual([])
  })

  test('have few exceptions from the table, and need every one of them', () => {
    expect(BEYOND.length).toBeLessThanOrEqual(20)
    const idle = BEYOND.filter(
      ([from, place]) =>
        !sources.some(
          ({ file, imports }) => isIn(file, from) && imports.some((wanted) => allows(place, wanted)),
        ),
    )
    expect(idle).toEqual([])
  })

  test('never lead back to where they came from, types included', () => {
    expect(circles(new Map(sources.map(({ file, imports }) => [file, imports.map(({ to }) => to)])))).toEqual(
      [],
    )
  })

  test('lead into no folder with commands from the folder of other commands', () => {
    const commandFolderOf = (file: string) => /^src\/commands\/([^/]+)\//.exec(file)?.[1]
    const commands = sources.filter(({ file }) => file.endsWith('.command.ts'))
    const own = new Set(commands.flatMap(({ file }) => commandFolderOf(file) ?? []))
    const across = sources.flatMap(({ file, imports }) => {
      const from = commandFolderOf(file)
      const led = imports
        .map(({ to }) => to)
        .filter((to) => commandFolderOf(to) !== from && own.has(commandFolderOf(to) ?? ''))
      return from === undefined ? [] : led.map((to) => `${file} → ${to}`)
    })
    expect(across).toEqual([])
  })

  test('that lead in a circle would be seen', () => {
    const folders = { a: ['b'], b: ['c'], c: ['b', 'd'], d: [] }
    expect(circles(new Map(Object.entries(folders)))).toEqual([['b', 'c']])
  })

  test('go through no barrel: every file holds something of its own', () => {
    expect(sources.filter(({ isBarrel }) => isBarrel).map(({ file }) => file)).toEqual([])
  })
})

/** Returns the groups of files that import each other: Tarjan's strongly connected components. */
function circles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const seen = new Map<string, number>()
  const path: string[] = []
  const found: string[][] = []
  /** Returns the earliest file on the path that `file` reaches, by its position in `seen`. */
  function visit(file: string): number {
    const at = seen.size
    seen.set(file, at)
    path.push(file)
    const reached = (imports.get(file) ?? []).filter((to) => imports.has(to))
    const earliest = Math.min(
      at,
      ...reached.map((to) => (seen.has(to) ? (path.includes(to) ? (seen.get(to) ?? at) : at) : visit(to))),
    )
    if (earliest === at) {
      const circle = path.splice(path.indexOf(file))
      if (circle.length > 1) found.push(circle.toSorted())
    }
    return earliest
  }
  for (const file of imports.keys()) if (!seen.has(file)) visit(file)
  return found
}

/** Returns the places in a file's code that match, as `file:line`. */
function places(
  among: readonly SourceFile[],
  visit: (found: (node: { start: number }) => void, source: SourceFile) => VisitorObject,
): string[] {
  return among.flatMap((source) => {
    const { file, text, program } = source
    const lines: string[] = []
    visitProgram(
      program,
      visit(({ start }) => lines.push(`${file}:${text.slice(0, start).split('\n').length}`), source),
    )
    return lines
  })
}

describe('the world', () => {
  // A page has its browser's clock and random numbers, and no other runtime. The library has one that runs anywhere.
  const outside = sources.filter(
    ({ file }) => !['src/runtime.ts', 'src/library/runtime.ts'].includes(file) && !isIn(file, 'web'),
  )

  test.each([
    ['process.env', 'runtime.env'],
    ['Date.now', 'runtime.now(), or the service time of the context'],
    ['performance.now', 'runtime.elapsed()'],
    ['Math.random', 'runtime.random()'],
    ['crypto.randomUUID', 'runtime.random()'],
    ['crypto.getRandomValues', 'runtime.random()'],
    ['Temporal.Now.instant', 'runtime.now()'],
    ['Temporal.Now.zonedDateTimeISO', 'runtime.now()'],
  ])('%s stands in the runtime only: elsewhere it is %s', (name) => {
    const found = places(outside, (add) => ({
      MemberExpression(node) {
        if (dotted(node).replace(/^globalThis\./, '') === name) add(node)
      },
    }))
    expect(found).toEqual([])
  })

  test('the time of day is never taken by a bare `new Date()` or `Date()`', () => {
    const found = places(outside, (add) => ({
      NewExpression(node) {
        if (dotted(node.callee) === 'Date' && node.arguments.length === 0) add(node)
      },
      CallExpression(node) {
        if (dotted(node.callee) === 'Date') add(node)
      },
    }))
    expect(found).toEqual([])
  })

  test('no module destructures a global: `const { env } = process`, `import … from "node:process"`', () => {
    const found = places(outside, (add) => ({
      VariableDeclarator(node) {
        if (
          node.id.type === 'ObjectPattern' &&
          node.init !== null &&
          /^(?:globalThis\.)?(?:process|Date|Math|crypto)$/.test(dotted(node.init))
        )
          add(node)
      },
      ImportDeclaration(node) {
        if (/^(?:node:)?(?:process|perf_hooks)$/.test(node.source.value)) add(node)
      },
    }))
    expect(found).toEqual([])
  })

  test('only the launcher ends the process', () => {
    const found = places(sources, (add) => ({
      MemberExpression(node) {
        if (['process.exit', 'process.abort', 'process.reallyExit'].includes(dotted(node))) add(node)
      },
    }))
    expect(found).toEqual([])
  })
})

describe('operations', () => {
  /** The modules that may call a `run` method, and whose; SQL statements run in the store. */
  const RUNS: Readonly<Record<string, string>> = {
    'src/gateway/attempt.ts': 'operation.run',
    'src/sandbox/control/invoke.ts': 'control.run',
    'src/commands/main.ts': 'command.run',
  }

  test('are run by the gateway only', () => {
    const found = places(
      sources.filter(({ file }) => !isStore(file)),
      (add, { file }) => ({
        MemberExpression(node) {
          if (dotted(node).endsWith('.run') && dotted(node) !== RUNS[file]) add(node)
        },
        ObjectPattern(node) {
          if (
            node.properties.some((property) => property.type === 'Property' && dotted(property.key) === 'run')
          )
            add(node)
        },
      }),
    )
    expect(found).toEqual([])
  })
})

describe('SQL', () => {
  const STATEMENT =
    /^\s*(?:select\s[^]*\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|create\s+(?:unique\s+)?(?:table|index)\s|alter\s+table\s|pragma\s|begin\b(?!:)|savepoint\s|with\s+\w+\s+as\s)/i

  /** Returns the texts of a file: literals, and templates without their values. */
  const texts =
    (visit: (text: string) => boolean) =>
    (add: (node: { start: number }) => void): VisitorObject => ({
      Literal(node) {
        if (typeof node.value === 'string' && visit(node.value)) add(node)
      },
      TemplateLiteral(node) {
        if (visit(node.quasis.map(({ value }) => value.raw).join('x'))) add(node)
      },
    })

  test('stands in the store and on the store modules only', () => {
    const found = places(
      sources.filter(({ file }) => !isStore(file)),
      texts((text) => STATEMENT.test(text)),
    )
    expect(found).toEqual([])
  })

  test('is recognised where it stands', () => {
    const found = places(
      sources.filter(({ file }) => isStore(file)),
      texts((text) => STATEMENT.test(text)),
    )
    expect(found.length).toBeGreaterThan(50)
  })

  test('takes time and chance as values, never from the engine', () => {
    const found = places(
      sources.filter(({ file }) => isStore(file)),
      texts((text) =>
        /\b(?:now\(|current_(?:timestamp|date|time)\b|clock_timestamp|julianday\(|random\(|gen_random_uuid)/i.test(
          text,
        ),
      ),
    )
    expect(found).toEqual([])
  })
})

describe('files', () => {
  test('are in folders that say what they are for', () => {
    const drawers = sources.filter(({ file }) =>
      /(?:^|\/)(?:utils?|helpers?|common|shared|misc|lib)(?:\/|\.ts$)|\/types\.ts$/.test(file),
    )
    expect(drawers.map(({ file }) => file)).toEqual([])
  })

  test('are named as operations are, or in kebab case', () => {
    const odd = sources.filter(
      ({ file }) =>
        !/^[a-z0-9-]+(?:\.d)?\.tsx?$/.test(basename(file)) &&
        !/^src\/areas\/[a-z]+\/[a-z_]+\.ts$/.test(file) &&
        !/^src\/sandbox\/control\/[a-z_]+\.ts$/.test(file) &&
        !/^src\/commands\/.*\/?[a-z0-9-]+\.command\.ts$/.test(file),
    )
    expect(odd.map(({ file }) => file)).toEqual([])
  })
})

describe('functions', () => {
  const LONGEST = 60

  /** Returns functions with more lines than allowed, as `file:line lines`. */
  function longFunctions(source: Pick<SourceFile, 'file' | 'text' | 'program'>): string[] {
    return functionsOf(source).flatMap(({ at, lines }) =>
      lines > LONGEST ? [`${source.file}:${at} ${lines}`] : [],
    )
  }

  test('have at most 60 lines, a template literal counted as one line', () => {
    expect(sources.flatMap(longFunctions)).toEqual([])
  })

  test('that are too long would be seen', () => {
    const body = 'f()\n'.repeat(LONGEST)
    const found = (text: string): string[] => {
      const { program } = parseSync('a.ts', text)
      return longFunctions({ file: 'a.ts', text, program })
    }
    expect(found(`const a = () => {\n${body}}`)).toEqual(['a.ts:1 62'])
    expect(found(`\nfunction a() {\nreturn function () {${body}}\n}`)).toEqual(['a.ts:2 63', 'a.ts:3 61'])
    expect(found(`const a = () => {\nreturn \`${body}\`}`)).toEqual([])
  })
})
