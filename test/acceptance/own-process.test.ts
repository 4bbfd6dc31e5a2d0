/** A command in the process of a test prints and leaves what its own process would: the other stories rely on it. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCommand, makeManifestCsv } from '../support/clerk.ts'
import { PIZZA } from '../support/command-stories.ts'
import { needsProcess, runInline } from '../support/inline.ts'
import {
  builtProgram,
  type CommandResult,
  type ProgramOptions,
  splitCommandLine,
  startDray,
} from '../support/program.ts'

type TypedLine = readonly [line: string, more?: { input?: string; env?: Record<string, string> }]

/** Lines of one person, one after the other: each way to ask, to answer and to fail. */
const LINES: readonly TypedLine[] = [
  ['whoami'],
  ['food search pizza --near bank'],
  ['food menu "Forno Santa Rosa" --output csv'],
  ['food quote "Forno Santa Rosa" --item "Margherita x2" --fulfillment pickup --json'],
  [`${PIZZA.replace(/^dray /, '')} --fulfillment pickup --color always`],
  ['food list', { env: { TZ: 'Asia/Tokyo' } }],
  ['food list --json --query data[0].status'],
  ['food show last', { env: { TZ: 'CET-1CEST', NO_COLOR: '1' } }],
  ['business orders list', { env: { COLUMNS: '60' } }],
  ['business orders accept last'],
  ['business report --html report.html'],
  ['rides quote --from kings-cross --to bank', { env: { DRAY_OUTPUT: 'json' } }],
  ['rides request --from kings-cross --to bank --tier economy'],
  ['rides request --from kings-cross --to bank --tier economy --yes --max-total 1'],
  ['rides request --from kings-cross --to bank --tier economy --yes --max-total 40 --quiet'],
  ['status', { env: { FORCE_COLOR: '1' } }],
  [createCommand('A-1')],
  [createCommand('A-1', '--json')],
  ['carrier upload parcels.csv --dry-run'],
  ['carrier upload - --yes --output ndjson', { input: makeManifestCsv(3) }],
  ['carrier upload parcels.csv --yes'],
  ['carrier list --output ndjson --limit 2'],
  ['carrier label A-1 --out label.zpl --format zpl'],
  ['carrier label A-1 --out label.zpl --format zpl'],
  ['carrier track ZC968043371GB'],
  ['api list_shipments --input - --json --query data[].reference', { input: '{"limit": 100}' }],
  ['api list_shipments --input -', { input: '{"limit": ' }],
  ['profile add shop --account owner'],
  ['profile show --explain', { env: { DRAY_PROFILE: 'shop' } }],
  ['login --with-token --base-url http://127.0.0.1:9', { input: 'abc' }],
  ['carrier list --base-url http://127.0.0.1:{closed} --timeout 5s --json', { env: { DRAY_TOKEN: 'x' } }],
  ['sandbox clock advance 2h'],
  ['food show ord_01m7vkystgf7vtyybg4s0p9p1s --debug=no'],
  ['food'],
  ['food order --help'],
  ['fod list'],
  ['help exit-codes'],
  ['scenario run missing.yaml'],
]

const FROZEN = { DRAY_NOW: '2026-11-20T09:00:00.000Z', DRAY_SEED: '20261120' }

type Run = (words: readonly string[], options: ProgramOptions) => Promise<CommandResult>

/** Forty programs, one after the other, take minutes on a busy machine. */
const LONG_MS = 1_800_000

/** Returns what each line printed, and the files that all left, with the names that are drawn in the order in which they came. */
async function tell(home: string, closed: number, run: Run): Promise<unknown> {
  rmSync(home, { recursive: true, force: true })
  const cwd = join(home, 'work')
  mkdirSync(cwd, { recursive: true })
  writeFileSync(join(cwd, 'parcels.csv'), makeManifestCsv(2))
  const drawn = new Map<string, string>()
  const neutral = (text: string): string =>
    text.replaceAll(/\b(?:[a-z]{3}_[0-9a-z]{26}|[0-9a-f]{12})\b|\bZC\d{9}GB\b/g, (name) => {
      const known = drawn.get(name) ?? `${name.slice(0, 3)}#${drawn.size}`
      drawn.set(name, known)
      return known
    })
  const told = []
  for (const [line, { input, env } = {}] of LINES) {
    const words = splitCommandLine(line.replace('{closed}', String(closed)))
    const ran = await run(words, {
      cwd,
      env: { HOME: home, DRAY_HOME: join(home, 'dray'), ...FROZEN, ...env },
      ...(input !== undefined && { input }),
    })
    const { exitCode, signal } = ran
    told.push({ line, exitCode, signal, stdout: neutral(ran.stdout), stderr: neutral(ran.stderr) })
  }
  const left = readdirSync(home, { recursive: true, encoding: 'utf8' })
  return { told, left: left.map(neutral).toSorted() }
}

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => void server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

test(
  'a command prints in the process of a test what it prints in its own',
  async () => {
    await builtProgram()
    const home = mkdtempSync(join(tmpdir(), 'dray-own-'))
    try {
      const closed = await closedPort()
      const started = await tell(home, closed, (words, options) => startDray(words, options).ended)
      const usual = { cwd: process.cwd(), zone: process.env['TZ'] }
      expect(await tell(home, closed, runInline)).toEqual(started)
      expect({ cwd: process.cwd(), zone: process.env['TZ'] }).toEqual(usual)
      expect(openFilesIn(home), 'files that a command left open').toEqual([])
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  },
  LONG_MS,
)

/** Returns the files of a folder that this process holds open; none where the system does not tell. */
function openFilesIn(folder: string): string[] {
  const open = '/proc/self/fd'
  if (!existsSync(open)) return []
  return readdirSync(open)
    .map((name) => readLink(join(open, name)))
    .filter((file) => file.startsWith(folder))
}

function readLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    // The folder's own entry is closed by now.
    return ''
  }
}

test('a command that hangs fails by its name, and the next one has its turn', async () => {
  const asked = Promise.withResolvers<void>()
  const silent = createHttpServer(() => asked.resolve())
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const env = { HOME: tmpdir(), DRAY_HOME: join(tmpdir(), 'nobody'), DRAY_TOKEN: 'x' }
  const words = ['carrier', 'list', '--base-url', `http://127.0.0.1:${port}`]
  const hanging = runInline(words, { env, limitMs: 1 })
  await expect(hanging).rejects.toThrow(`dray ${words.join(' ')} in the process of the test: it did not end`)
  expect(await runInline(['help', 'exit-codes'], { env })).toMatchObject({ exitCode: 0, stderr: '' })
  // What hangs is let go only when it has asked.
  await asked.promise
  silent.closeAllConnections()
  silent.close()
})

test.each(['--version', 'serve --port 0', 'mcp', 'carrier upload /dev/stdin', 'business orders watch'])(
  '%s is refused in the process of a test',
  (line) => {
    expect(needsProcess(splitCommandLine(line))).toBe(true)
    expect(() => runInline(splitCommandLine(line))).toThrow('needs a process of its own')
  },
)
