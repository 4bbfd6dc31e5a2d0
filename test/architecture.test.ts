import { basename, dirname } from 'node:path'
import type { VisitorObject } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import { dotted, type Import, readSources, type Source, walk } from './support/sources.ts'

/**
 * Who may import whom: the table of the design, row by row. A place is a file or a folder under `src/`, or a package.
 * Every room may import from itself. `types:` before a place means `import type` only.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'errors.ts': ['types:problem-members.ts'],
  'operation.ts': ['errors.ts', 'types:typebox'],
  domain: ['errors.ts'],
  store: ['errors.ts', 'types:domain'],
  'store/sqlite.ts': ['node:sqlite'],
  'store/postgres-connections.ts': ['pg'],
  lifecycle: ['operation.ts', 'errors.ts', 'domain', 'store'],
  oauth: ['errors.ts', 'domain', 'store', 'simulation/clock.ts'],
  simulation: ['operation.ts', 'errors.ts', 'domain', 'store', 'lifecycle'],
  operations: ['operation.ts', 'errors.ts', 'domain', 'store', 'lifecycle', 'typebox'],
  control: ['operation.ts', 'errors.ts', 'domain', 'store', 'lifecycle', 'simulation', 'oauth', 'typebox'],
  gateway: [
    'operation.ts',
    'errors.ts',
    'store/idempotency.ts',
    'store/accounts.ts',
    'rate-limiter-flexible',
  ],
  server: [
    'operation.ts',
    'errors.ts',
    'problem-members.ts',
    'operations/index.ts',
    'control/index.ts',
    'gateway',
    'oauth',
    'fastify',
    '@fastify',
  ],
  client: ['operation.ts', 'errors.ts', 'types:simulation'],
  'client/embedded.ts': ['gateway'],
  'client/connection.ts': ['undici'],
  'client/keyring.ts': ['@napi-rs/keyring'],
  cli: [
    'operation.ts',
    'errors.ts',
    'generated',
    'client',
    'commander',
    '@inquirer/core',
    '@inquirer/prompts',
    'cli-table3',
    'csv-parse',
    'conf',
  ],
  mcp: ['operation.ts', 'errors.ts', 'generated', 'client', '@modelcontextprotocol/server'],
  'runtime.ts': ['', 'package.json'],
}

/** What the table leaves open or did not foresee, each with its reason. One that nobody uses any more must go. */
const BEYOND: readonly (readonly [from: string, to: string, why: string])[] = [
  ['main.ts', 'cli/main.ts', 'what the launcher starts'],
  ['main.ts', 'cli/io.ts', 'the streams, and waiting until they are written'],
  ['main.ts', 'runtime.ts', 'makes the world and hands it on'],
  ['operation.ts', 'types:context.ts', 'the first argument of `run`'],
  ['operation.ts', 'types:domain/account.ts', 'the scopes'],
  ['operation.ts', 'types:domain/spending.ts', 'how an operation moves money'],
  ['context.ts', 'types:domain', 'what `run` is handed: account and world'],
  ['context.ts', 'types:errors.ts', 'what a check of a row finds'],
  ['context.ts', 'types:store/db.ts', 'what `run` is handed: the transaction'],
  ['domain/hash.ts', 'types:node:crypto', 'the fast hash, loaded when there is much to hash'],
  ['store', 'domain/ids.ts', 'an id is drawn from the counter that the same statement moves'],
  ['store/events.ts', 'domain/time.ts', 'the stored document of an event holds its instant'],
  ['store/catalog.ts', 'domain/catalog.ts', 'what a search for items asks of their documents is a column'],
  ['store/sqlite.ts', 'node:fs', 'modes 0600 and 0700, and what is wrong with a path'],
  ['store/sqlite.ts', 'node:path', 'the folder of a store'],
  ['store/file-lock.ts', 'node:sqlite', 'the lock that a dead process lets go of'],
  ['store/file-lock.ts', 'node:fs', 'its folder'],
  ['operations', 'types:context.ts', 'what several operations of an area share takes the context'],
  ['control', 'operations/schema.ts', 'the same shapes of ids, money and pages'],
  ['control', 'operations/order-schema.ts', 'the same shapes of payments and refunds'],
  ['gateway', 'types:context.ts', 'it makes the context'],
  ['gateway', 'domain', 'pure rules: hashes, canonical and strict JSON, instants, memberships'],
  ['gateway', 'types:store', 'rows and transactions'],
  ['gateway', 'store/world.ts', 'the state of the clock, read in the same transaction'],
  ['gateway', 'simulation/clock.ts', 'service time, read once per request'],
  ['gateway/replay.ts', 'store/lock-timeout.ts', 'a call with the same key that is still running'],
  ['gateway/media.ts', 'store/media.ts', 'pictures are no operation, but their reader is checked like one'],
  ['gateway/validation-details.ts', 'typebox', 'says what is wrong; loaded on failure only'],
  ['oauth/clients.ts', 'node:crypto', 'compares a secret in constant time'],
  ['server/ip-limit.ts', 'rate-limiter-flexible', 'who has no account yet is counted by address'],
  ['server', 'domain', 'ids of requests, instants of log lines'],
  ['server', 'generated/examples.ts', 'the calls of the reference, made when the program is built'],
  ['server/openapi-schemas.ts', 'operations', 'what several operations share goes by name in the document'],
  ['server', 'node:http', 'the words of HTTP'],
  ['server', 'types:node:net', 'the words of sockets'],
  ['server', 'types:node:stream', 'a snapshot is sent as it is read'],
  ['server/snapshots.ts', 'node:fs', 'a snapshot on its way is a file'],
  ['server/snapshots.ts', 'node:path', 'a snapshot on its way is a file'],
  ['server/log.ts', 'node:fs', 'log lines go to a descriptor'],
  ['server/cluster.ts', 'node:cluster', 'several processes at one address'],
  ['server/bearer.ts', 'node:crypto', 'compares a secret in constant time'],
  ['server/origin.ts', 'node:net', 'what is an address'],
  ['client', 'types:runtime.ts', 'clock, chance and sleep are handed in'],
  ['client/embedded.ts', 'generated/registry.ts', 'operations by name, to run them here'],
  ['client/answers.ts', 'domain/strict-json.ts', 'a service is believed no more than its callers'],
  ['client/remote.ts', 'generated/routes.ts', 'methods and paths, without the operations'],
  ['client', 'domain/ids.ts', 'idempotency keys, and where a token is kept'],
  ['client', 'domain/network.ts', 'a token travels in clear within this machine only'],
  ['client/embedded.ts', 'store', 'puts the service of this process together'],
  ['client/embedded.ts', 'simulation', 'the first seed and due events, loaded when there are any'],
  ['client/embedded.ts', 'control/invoke.ts', 'the control plane of this process'],
  ['client/embedded.ts', 'control/snapshot.ts', 'the control plane of this process'],
  ['client/hosting.ts', 'oauth', 'what `dray serve` hosts is the embedded service'],
  ['client/hosting.ts', 'gateway', 'what `dray serve` hosts is the embedded service'],
  ['client/hosting.ts', 'store', 'what `dray serve` hosts is the embedded service'],
  ['client/hosting.ts', 'simulation', 'its ticks let due events happen'],
  ['client/device-desk.ts', 'types:domain/account.ts', 'the accounts that may be chosen'],
  ['client/device-desk.ts', 'oauth', 'the approval page of this process'],
  ['client/device-desk.ts', 'store', 'the approval page of this process'],
  ['client/device-desk.ts', 'simulation/clock.ts', 'codes live by service time'],
  ['client/remote.ts', 'control/index.ts', 'paths of the control plane'],
  ['client/exchange.ts', 'types:undici', 'shapes of the remote transport'],
  ['client/exchange.ts', 'types:node:zlib', 'shapes of the remote transport'],
  ['client/exchange.ts', 'types:node:stream', 'shapes of the remote transport'],
  ['client/remote.ts', 'node:stream', 'a snapshot is sent as it is read'],
  ['client/intents.ts', 'types:domain/money.ts', 'what was agreed to'],
  ['client/held-files.ts', 'node:fs', 'the memory of calls is files'],
  ['client/held-files.ts', 'node:path', 'the memory of calls is files'],
  ['client/intents.ts', 'node:path', 'the memory of calls is files'],
  ['client/quotes.ts', 'types:domain/money.ts', 'what was shown'],
  ['client/quotes.ts', 'domain/spending.ts', 'which operations buy'],
  ['client/quotes.ts', 'generated/spending.ts', 'which operations buy'],
  ['client/parcel-prices.ts', 'generated/spending.ts', 'where the price of parcels is asked for'],
  ['client/parcel-prices.ts', 'types:domain/money.ts', 'what parcels cost'],
  [
    'client/parcel-prices.ts',
    'domain/canonical-json.ts',
    'a parcel without a reference is priced under a made-up one',
  ],
  ['client/parcel-prices.ts', 'domain/hash.ts', 'a parcel without a reference is priced under a made-up one'],
  ['client/quotes.ts', 'node:path', 'the memory of quotes is a file'],
  ['client/recent.ts', 'domain', 'prices and instants'],
  ['client/recent.ts', 'node:path', 'the memory of what was created is a file'],
  ['client/approvals.ts', 'domain', 'a price, and the name of a purchase'],
  ['client/approvals.ts', 'node:fs', 'an approval is a file'],
  ['client/approvals.ts', 'node:path', 'an approval is a file'],
  ['client/log-file.ts', 'node:fs', 'what is kept for a while is a file'],
  ['client/log-file.ts', 'node:path', 'what is kept for a while is a file'],
  ['client/client.ts', 'types:gateway/rate-limit.ts', 'how much an account may ask for'],
  ['client/request-log.ts', 'domain/log-line.ts', 'what a line tells'],
  ['client/request-log.ts', 'types:gateway', 'it is told of every call'],
  ['client/request-log.ts', 'store/open.ts', 'one log for each store'],
  ['client/request-log.ts', 'node:fs', 'the log is a file'],
  ['client/request-log.ts', 'node:path', 'the log is a file'],
  ['client/control-token.ts', 'domain/hash.ts', 'one token for each store'],
  ['client/control-token.ts', 'store/open.ts', 'one token for each store'],
  ['client/control-token.ts', 'node:fs', 'the token is a file, mode 0600'],
  ['client/control-token.ts', 'node:path', 'the token is a file, mode 0600'],
  ['cli', 'types:runtime.ts', 'clock, paths and environment are handed in'],
  ['cli', 'domain', 'reads and prints money, instants, measures, postcodes by the rules of the service'],
  ['cli', 'node:fs', 'files that the user names, configuration, journals'],
  ['cli', 'node:fs/promises', 'files that the user names'],
  ['cli', 'node:path', 'files that the user names'],
  ['cli/login/browser.ts', 'node:child_process', 'starts the browser'],
  ['cli/output/query.ts', '@jmespath-community/jmespath', '--query'],
  ['cli/output/yaml.ts', 'yaml', '--output yaml'],
  ['cli/scenario', 'yaml', 'scenario files'],
  ['cli/scenario', '@jmespath-community/jmespath', 'what a scenario expects of an answer'],
  ['cli/scenario', 'typebox', 'holds a scenario file against its schema'],
  ['cli/scenario', 'control/index.ts', 'whether a control call of a scenario exists'],
  ['cli/commands/serve.ts', 'server', 'starts it'],
  ['cli/listening.ts', 'server', 'its log'],
  ['cli/commands/serve.ts', 'gateway/rate-limit.ts', 'the first of several processes counts for all'],
  ['cli/rate-limits.ts', 'types:gateway/rate-limit.ts', 'what its flags say'],
  ['cli/commands/serve.ts', 'control', 'names of calls, and accounts, to filter the log by'],
  ['cli/control-plane.ts', 'control', 'hands the control plane to a server of this process'],
  ['cli/control-plane.ts', 'types:server/routes.ts', 'hands the control plane to a server of this process'],
  ['cli/commands/openapi.ts', 'server/openapi.ts', 'the document without a server'],
  ['cli/commands', 'mcp', 'knows which tools and which limits there are before anything starts'],
  ['cli/mcp', 'mcp', 'starts it'],
  ['cli/mcp/http.ts', 'server', 'the tools over HTTP stand behind the same door as the service'],
  ['mcp', 'domain', 'prices, instants, and what a call says in one form'],
  ['mcp/ledger.ts', 'node:fs', 'what agents spend stands in a file'],
  ['mcp/ledger.ts', 'node:path', 'what agents spend stands in a file'],
  ['mcp/audit.ts', 'node:fs', 'the record of calls is a file'],
  ['mcp/audit.ts', 'node:path', 'the record of calls is a file'],
  ['mcp', 'types:runtime.ts', 'clock, paths and chance are handed in'],
  ['cli/forget-world.ts', 'mcp/ledger.ts', 'what agents spent in a world that is gone'],
  ['server/mcp.ts', 'node:stream', 'what the library answers is a stream of the web'],
  ['generate', '', 'runs at build time over everything; no part of the program'],
  ['generate', 'package.json', 'the version in the OpenAPI document'],
  ['generate', 'node:fs', 'writes files'],
  ['generate', 'node:path', 'writes files'],
  ['generate', 'typebox', 'compiles the validators'],
  ['generate/examples.ts', 'node:os', 'the sandbox of the examples is thrown away'],
  ['generate/bundle.ts', 'rolldown', 'bundles the program'],
  ['generate/bundle.ts', 'rolldown.config.ts', 'bundles the program'],
  ['generate/main.ts', '(computed)', 'loads every file of `cli/commands/`'],
]

const sources = readSources('src')

/** Whether a file or package is in a place; the empty place is all of `src/`. */
function isIn(path: string, place: string): boolean {
  return place === ''
    ? path.startsWith('src/')
    : [place, `src/${place}`].some((start) => path === start || path.startsWith(`${start}/`))
}

function roomOf(file: string): string {
  return file.split('/')[1] ?? ''
}

function allows(place: string, { to, typesOnly }: Import): boolean {
  return place.startsWith('types:') ? typesOnly && isIn(to, place.slice('types:'.length)) : isIn(to, place)
}

function isAllowed(file: string, wanted: Import): boolean {
  if (wanted.to.startsWith('src/') && roomOf(wanted.to) === roomOf(file)) return true
  const granted = Object.entries(ROOMS).flatMap(([from, places]) => (isIn(file, from) ? places : []))
  const beyond = BEYOND.flatMap(([from, place]) => (isIn(file, from) ? [place] : []))
  return [...granted, ...beyond].some((place) => allows(place, wanted))
}

/** What every rule below has seen: an empty folder must not pass. */
test('has sources of every room to look at', () => {
  const seen = new Set(sources.map(({ file }) => roomOf(file)))
  expect(Object.keys(ROOMS).filter((room) => !room.includes('/') && !seen.has(room))).toEqual([])
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(500)
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

  test('need every exception from the table', () => {
    const idle = BEYOND.filter(
      ([from, place]) =>
        !sources.some(
          ({ file, imports }) => isIn(file, from) && imports.some((wanted) => allows(place, wanted)),
        ),
    )
    expect(idle).toEqual([])
  })

  test('never lead from one operation to another, nor into another area', () => {
    const wrong = sources
      .filter(({ file }) => isIn(file, 'operations') && file !== 'src/areas/index.ts')
      .flatMap(({ file, imports }) =>
        imports
          .filter(({ to }) => isIn(to, 'operations') && !/^src\/operations\/(?:[a-z]+-)?schema\.ts$/.test(to))
          .filter(({ to }) => dirname(to) !== dirname(file) || basename(to).includes('_'))
          .map(({ to }) => `${file} → ${to}`),
      )
    expect(wrong).toEqual([])
  })

  test('go through no barrel: every file holds something of its own', () => {
    expect(sources.filter(({ isBarrel }) => isBarrel).map(({ file }) => file)).toEqual([])
  })
})

/** Where the code of a file does something, as `file:line`. */
function places(
  among: readonly Source[],
  visit: (found: (node: { start: number }) => void, source: Source) => VisitorObject,
): string[] {
  return among.flatMap((source) => {
    const { file, text, program } = source
    const lines: string[] = []
    walk(
      program,
      visit(({ start }) => lines.push(`${file}:${text.slice(0, start).split('\n').length}`), source),
    )
    return lines
  })
}

describe('the world', () => {
  const outside = sources.filter(({ file }) => file !== 'src/runtime.ts')

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

  test('nobody takes the world apart: `const { env } = process`, `import … from "node:process"`', () => {
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
  /** Who may take hold of a `run`, and of whose; statements run in the store. */
  const RUNS: Readonly<Record<string, string>> = {
    'src/gateway/gateway.ts': 'operation.run',
    'src/sandbox/control/invoke.ts': 'control.run',
    'src/commands/main.ts': 'command.run',
  }

  test('are run by the gateway only', () => {
    const found = places(
      sources.filter(({ file }) => !isIn(file, 'store')),
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
    /^\s*(?:select\s[^]*\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|create\s+(?:unique\s+)?(?:table|index)\s|alter\s+table\s|pragma\s|begin\b|savepoint\s|with\s+\w+\s+as\s)/i

  /** The texts of a file: literals, and templates with their values left out. */
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

  test('stands in the store only', () => {
    const found = places(
      sources.filter(({ file }) => !isIn(file, 'store')),
      texts((text) => STATEMENT.test(text)),
    )
    expect(found).toEqual([])
  })

  test('is recognised where it stands', () => {
    const found = places(
      sources.filter(({ file }) => isIn(file, 'store')),
      texts((text) => STATEMENT.test(text)),
    )
    expect(found.length).toBeGreaterThan(50)
  })

  test('takes time and chance as values, never from the engine', () => {
    const found = places(
      sources.filter(({ file }) => isIn(file, 'store')),
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
  test('are in rooms that say what they are for', () => {
    const drawers = sources.filter(({ file }) =>
      /(?:^|\/)(?:utils?|helpers?|common|shared|misc|lib)(?:\/|\.ts$)|\/types\.ts$/.test(file),
    )
    expect(drawers.map(({ file }) => file)).toEqual([])
  })

  test('are named as operations are, or in kebab case', () => {
    const odd = sources.filter(
      ({ file }) =>
        !/^[a-z0-9-]+(?:\.d)?\.ts$/.test(basename(file)) &&
        !/^src\/operations\/[a-z]+\/[a-z_]+\.ts$/.test(file) &&
        !/^src\/control\/[a-z_]+\.ts$/.test(file),
    )
    expect(odd.map(({ file }) => file)).toEqual([])
  })
})
