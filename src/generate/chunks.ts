/**
 * Groups modules into the files of `dist/`: modules that the same commands load share a file. So a command reads few
 * files, and only code that it uses. Moving a module to another folder does not change the groups.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Commands that cover the typical paths through the program, by chunk name. */
const COMMANDS: Readonly<Record<string, string>> = {
  help: '--help',
  wrong: 'carrier list --colour never',
  parcels: 'carrier list --json',
  // It calls the service that `serve` starts.
  remote: 'carrier list --json --base-url',
  parcel:
    'carrier create --to-name A --to-line1 1 --to-city Reading --to-postal-code RG11DB --to-country GB --weight 500g --length 30cm --width 20cm --height 10cm --service next_day --yes --max-total 100 --json',
  upload: 'carrier upload examples/manifest.csv --results HOME/results.csv --yes --json',
  stores: 'food search --near 51.5129,-0.0823 --json',
  orders: 'food list --json',
  business: 'business orders list --json',
  catalog: 'business catalog list --json',
  order:
    'food order Lime~Street~Noodles --item Summer~Rolls~x3 --fulfillment pickup --max-total 30 --yes --json',
  ride: 'rides request --from kings-cross --to bank --tier economy --yes --max-total 40 --json',
  table: 'food list --output table',
  agents: 'mcp',
  serve: 'serve --port 0 --json',
  served: 'mcp --http --port 0 --json',
}

/** Commands that run until a signal. For their sake no chunk of the others grows. */
const SERVERS = new Set(['serve', 'served'])

/** The messages of an MCP client to `dray mcp`; other commands do not read them. */
const AGENT = [
  {
    method: 'initialize',
    id: 1,
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'build', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { method: 'tools/call', id: 2, params: { name: 'no_such_tool', arguments: {} } },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('')

/**
 * Modules with a file of their own. `main.ts` finds the package by its own location. Each operation and its command
 * line have their own files, because a command loads only one of them.
 */
const ALONE = /\/src\/(?:main|areas\/\w+\/\w+_\w+|generated\/(?:operations|specs|answers)\/\w+)\.ts$/

/** A service also loads these, but commands outside of `COMMANDS` may load one of them without the others. */
const APART = /\/src\/|\/node_modules\/(?:semver|typebox)\//

/** Code of one area. A command that does without the area loads none of it. */
const AREA = /\/src\/areas\/(business|carrier|delivery|food|rides|services|tasks)\//

/** Reading one more file takes about as long as loading so many bytes of source that a command does not use. */
const FILE_COST = 15_000

/**
 * A chunk: its name and the paths of its modules. The first chunk also takes the modules that its own import, then
 * the second, and so on.
 */
export type Chunk = { name: string; modules: ReadonlySet<string> }

/** Runs each command from the sources on one store, and groups the modules by the commands that loaded them. */
export async function traceChunks(root: string): Promise<Chunk[]> {
  const home = mkdtempSync(join(tmpdir(), 'dray-chunks-'))
  const run = (line: string, how: How = {}): Promise<LoadTrace> => trace(root, home, line, how)
  try {
    await run('sandbox clock freeze')
    const { stdout } = await run('sandbox account token shipper --json')
    const { token } = JSON.parse(stdout) as { token: string }
    const traced = new Map<string, readonly string[]>(Object.keys(COMMANDS).map((name) => [name, []]))
    const note = async (name: string, how: How = {}, more = ''): Promise<void> => {
      traced.set(name, (await run(`${COMMANDS[name]}${more}`, how)).modules)
    }
    const listens: Readonly<Record<string, How['listens']>> = {
      serve: (url) => note('remote', { env: { DRAY_TOKEN: token } }, ` ${url}`),
      served: () => Promise.resolve(),
    }
    const others = [...traced.keys()].filter((name) => name !== 'remote')
    await Promise.all(others.map((name) => note(name, { listens: listens[name] })))
    if (traced.get('remote')?.length === 0)
      throw new Error('`serve` did not listen, so nothing could call it')
    return group(traced)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** The modules that a command loaded, and its output. */
type LoadTrace = { modules: string[]; stdout: string }

type How = {
  env?: Record<string, string>
  /** Called with the address of a command that listens until a signal, which it gets afterwards. */
  listens?: ((url: string) => Promise<void>) | undefined
}

/** Runs a command in its own process and ignores whether it succeeds; tests check that. */
async function trace(root: string, home: string, line: string, { env, listens }: How): Promise<LoadTrace> {
  const file = join(home, `${line.replaceAll(/\W+/g, '-').slice(0, 80)}.json`)
  const words = line.split(' ').map((word) => word.replaceAll('~', ' ').replace('HOME', home))
  const preload = join(import.meta.dirname, 'trace-modules.ts')
  const start = `import(${JSON.stringify(pathToFileURL(join(root, 'src/main.ts')).href)}).then(({ start }) => start()).then(process.exit)`
  const stdout = await new Promise<string>((resolve) => {
    const child = execFile(
      process.execPath,
      [
        '--import',
        `${pathToFileURL(preload).href}?${encodeURIComponent(file)}`,
        '--input-type=module',
        '--eval',
        start,
        '--',
        'dray',
        ...words,
      ],
      {
        cwd: root,
        env: { HOME: home, DRAY_HOME: home, DRAY_TOKEN: 'dray_at_traced', ...env },
      },
      (_, printed) => resolve(printed),
    )
    child.stdin?.end(AGENT)
    child.stdout?.once('data', (told: string) => {
      const { url } = listens === undefined ? {} : (JSON.parse(told) as { url: string })
      if (url !== undefined) void listens?.(url).finally(() => child.kill('SIGTERM'))
    })
  })
  return { modules: JSON.parse(readFileSync(file, 'utf8')) as string[], stdout }
}

type Group = { by: ReadonlySet<string>; modules: ReadonlySet<string>; size: number }

/**
 * Makes one chunk for each set of commands that load the same modules. Then joins two chunks as long as the files that
 * this saves outweigh the unused bytes that it loads.
 */
function group(traced: ReadonlyMap<string, readonly string[]>): Chunk[] {
  const users = new Map<string, Set<string>>()
  for (const [name, modules] of traced) {
    for (const module of modules.filter((path) => !ALONE.test(path)))
      users.set(module, (users.get(module) ?? new Set()).add(name))
  }
  for (const [module, by] of users) if (by.isSubsetOf(SERVERS) && APART.test(module)) users.delete(module)
  const bySet = Map.groupBy(users.keys(), (module) => [...(users.get(module) ?? [])].join('+'))
  let groups = [...bySet].map(([key, modules]): Group => {
    const size = modules.reduce((sum, module) => sum + statSync(module).size, 0)
    return { by: new Set(key.split('+')), modules: new Set(modules), size }
  })
  const areas = new Map([...traced].map(([name, modules]) => [name, areasOf(modules)]))
  for (let pair = bestPair(groups, areas); pair !== undefined; pair = bestPair(groups, areas)) {
    const [one, other] = pair
    groups = [...groups.filter((each) => each !== one && each !== other), merge(one, other)]
  }
  return groups
    .toSorted((a, b) => b.by.size - a.by.size)
    .map(({ by, modules }, at) => ({
      name: by.size === traced.size ? 'core' : by.size > 2 ? `shared-${at}` : [...by].join('-'),
      modules,
    }))
}

function merge(one: Group, other: Group): Group {
  return {
    by: one.by.union(other.by),
    modules: one.modules.union(other.modules),
    size: one.size + other.size,
  }
}

/** Returns the areas of which modules are. */
function areasOf(modules: Iterable<string>): Set<string> {
  return new Set([...modules].flatMap((module) => AREA.exec(module)?.[1] ?? []))
}

/** Returns the two chunks whose joining saves most, in bytes over all commands; undefined when none saves anything. */
function bestPair(
  groups: readonly Group[],
  areas: ReadonlyMap<string, ReadonlySet<string>>,
): [Group, Group] | undefined {
  /** Returns whether every command of the other chunk has something of each area of this one. */
  const fits = ({ modules }: Group, { by }: Group): boolean =>
    [...by].every((name) => areasOf(modules).isSubsetOf(areas.get(name) ?? new Set()))
  let best: [Group, Group] | undefined
  let most = 0
  for (const [at, one] of groups.entries()) {
    for (const other of groups.slice(at + 1)) {
      const shared = one.by.intersection(other.by)
      if (!fits(one, other) || !fits(other, one)) continue
      const unused = (one.by.size - shared.size) * other.size + (other.by.size - shared.size) * one.size
      const saved = shared.difference(SERVERS).size * FILE_COST - unused
      if (saved > most) [best, most] = [[one, other], saved]
    }
  }
  return best
}
