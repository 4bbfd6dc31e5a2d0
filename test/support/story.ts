/** Acceptance stories: written once, run in every mode. */
import { randomBytes, randomUUID } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type ClientCallOptions,
  type Client,
  type Target,
  withControlTypes,
} from '../../src/client/client.ts'
import type { AnswerOf, InputOf } from '../../src/client/operations.ts'
import type { Db } from '../../src/core/db.ts'
import { openStore } from '../../src/db/open.ts'
import { seedOptions } from '../../src/sandbox/seed.ts'
import { iterations } from './battery.ts'
import { needsProcess, runInline, startInline } from './inline.ts'
import { checkInvariants } from './invariants.ts'
import { copySeeded, PATIENT } from './originals.ts'
import {
  builtProgram,
  type CommandResult,
  readServerUrl,
  type ProgramOptions,
  startDray,
  type RunningProcess,
  startShell,
  splitCommandLine,
} from './program.ts'
import { type Engine, ENGINES } from './stores.ts'
import { startInTerminal, startShellInTerminal, type Terminal, type TerminalOptions } from './terminal.ts'

/** The start time of every story: a Friday morning. */
const BEGINNING = '2026-11-20T09:00:00.000Z'

const WORLD = { DRAY_NOW: BEGINNING, DRAY_SEED: '20261120' }
const [SQLITE, POSTGRES] = ENGINES
const root = join(import.meta.dirname, '../..')

type DrayOptions = ProgramOptions & {
  /** The expected exit code; 0 by default. */
  exit?: number | 'any'
  /** Starts the built program: by default only for words that need a process of their own. */
  isStarted?: boolean
  /** Runs without address and token in the environment, so that the profile alone selects the service. */
  bare?: boolean
}

export type AcceptanceContext = {
  mode: Mode['name']
  /** The story's own folder, in which everything runs. */
  folder: string
  /** The address of the service; undefined when it is embedded. */
  url: string | undefined
  /** Runs a command, in this process where it can, as typed after `dray`; an unexpected exit code fails the story. */
  dray(line: string, options?: DrayOptions): Promise<CommandResult>
  /** Runs a line of shell in which `dray` is the program. */
  shell(line: string, options?: DrayOptions): Promise<CommandResult>
  /** Starts a command without waiting for it. */
  start(line: string, options?: ProgramOptions): RunningProcess
  /** Starts a command in a terminal; a process that still runs at the end is killed. */
  terminal(line: string, options?: TerminalOptions): Terminal
  /** Starts a line of shell in a terminal. */
  terminalShell(line: string, options?: TerminalOptions): Terminal
  write(name: string, content: string | Uint8Array): void
  read(name: string): string
  exists(name: string): boolean
  /** Copies a file of the repository to the folder. */
  take(path: string): void
  /** Makes a control call. */
  control: Client['control']
  /** Makes a call as the commands' account, from this process: for steps that are not about a command. */
  call<N extends string>(
    operation: N,
    input: InputOf<N>,
    options?: Pick<ClientCallOptions, 'as' | 'scenario'>,
  ): Promise<AnswerOf<N>>
  /** Advances the frozen clock by a duration such as `2h` or `1d`. */
  advance(by: string): Promise<void>
  /** Kills the service, where the story starts it, and restarts it at the same address. */
  crash(): Promise<void>
  /** Reads the store itself. */
  store<T>(look: (db: Db) => Promise<T>): Promise<T>
}

type Mode = {
  name: 'embedded' | 'served from SQLite' | 'served from PostgreSQL'
  open(home: string, isStarted: boolean): Promise<OpenedTarget>
}

/** The target of the commands. */
type OpenedTarget = {
  env: Record<string, string>
  location: string
  url: string | undefined
  target: Target
  crash(): Promise<void>
  close(): Promise<void>
}

const MODES: readonly [Mode, Mode, Mode] = [
  {
    name: 'embedded',
    open: async (home) => embed(await copyWorld(SQLITE, join(home, 'dray/data/default/dray.db'))),
  },
  {
    name: 'served from SQLite',
    open: async (home, isStarted) =>
      serve(home, await copyWorld(SQLITE, join(home, 'served/dray.db')), isStarted),
  },
  {
    name: 'served from PostgreSQL',
    // On a busy machine a connection may take longer than a service waits for one.
    open: async (home, isStarted) =>
      serve(home, `${await copyWorld(POSTGRES)}?connect_timeout=30`, isStarted),
  },
]

/** Copies the store that the first command would make, and returns its location. */
async function copyWorld(engine: Engine | undefined, path?: string): Promise<string> {
  const deps = { now: () => 0, random: (count: number) => randomBytes(count), env: WORLD }
  const store = engine && (await copySeeded(engine, seedOptions(deps), path))
  if (store === undefined) throw new Error('there is nothing to copy')
  return store
}

/** The number of stories that ran in this file; it selects the modes of the next one. */
let turn = 0

/**
 * Runs a story: the first of a file embedded and served from one engine, later ones in one mode each, in turn. Its stdout
 * must be the same bytes in each. The longer battery runs all in every mode.
 */
export function acceptanceTest(title: string, tell: (told: AcceptanceContext) => Promise<void>): void {
  declareInModes(nextModes(), title, tell)
}

/** As `story`, while no other story runs in this process: for events that must be observed in time. */
export function isolatedAcceptanceTest(
  title: string,
  tell: (told: AcceptanceContext) => Promise<void>,
): void {
  declareInModes(nextModes(), title, tell, { declare: test })
}

/** No story takes so long where the machine is its own; a command that hangs in its process fails earlier. */
const STORY_MS = 600_000

/** A story that starts hundreds of commands may take minutes on a busy machine. */
const LONG_MS = 1_800_000

/**
 * Runs a story that starts hundreds of commands: embedded, and in the longer battery served from PostgreSQL, too. What it
 * prints there may differ.
 */
export function longAcceptanceTest(title: string, tell: (told: AcceptanceContext) => Promise<void>): void {
  const [embedded, , postgres] = MODES
  declareInModes(iterations([embedded], [embedded, postgres]), title, tell, {
    isAlike: false,
    timeout: LONG_MS,
  })
}

function nextModes(): readonly Mode[] {
  const own = turn % MODES.length
  const some = turn === 0 ? MODES.toSpliced(1 + firstEngine(), 1) : MODES.slice(own, own + 1)
  turn += 1
  return iterations<readonly Mode[]>(some, MODES)
}

/** Half of the files omit SQLite, the others PostgreSQL. */
function firstEngine(): number {
  return basename(expect.getState().testPath ?? '').length % 2
}

/**
 * Runs a story that needs a served store, such as one about tokens; on the engines in turn. `isStarted`: its service is a
 * process of its own, which `crash` can kill.
 */
export function servedAcceptanceTest(
  title: string,
  tell: (told: AcceptanceContext) => Promise<void>,
  options: { isStarted?: boolean } = {},
): void {
  const served = MODES.slice(1)
  const one = served.slice(turn % 2, (turn % 2) + 1)
  turn += 1
  declareInModes(iterations<readonly Mode[]>(one, served), title, tell, options)
}

function declareInModes(
  modes: readonly Mode[],
  title: string,
  tell: (told: AcceptanceContext) => Promise<void>,
  {
    declare = test.concurrent,
    isAlike = true,
    isStarted = false,
    timeout = STORY_MS,
  }: { declare?: typeof test.concurrent; isAlike?: boolean; isStarted?: boolean; timeout?: number } = {},
): void {
  const transcripts = new Map<string, string>()
  for (const { name, open } of modes) {
    const run = async (): Promise<void> => {
      await builtProgram()
      const home = mkdtempSync(join(tmpdir(), 'dray-story-'))
      try {
        const transcript = await runInMode(name, home, await open(home, isStarted), tell)
        if (!isAlike) return
        transcripts.set(name, neutral(transcript, home))
        const [[other, first] = []] = transcripts
        expect(transcripts.get(name), `stdout as ${other}`).toBe(first)
      } finally {
        rmSync(home, { recursive: true, force: true })
      }
    }
    declare(`${title} (${name})`, run, timeout)
  }
}

/** Returns everything that was printed on stdout. */
async function runInMode(
  mode: Mode['name'],
  home: string,
  opened: OpenedTarget,
  tell: (told: AcceptanceContext) => Promise<void>,
): Promise<string> {
  const terminals: Terminal[] = []
  try {
    const transcript: string[] = []
    const told = makeAcceptanceContext(mode, home, opened, { transcript, terminals })
    await tell(told)
    // a story may do without the service
    const asked = opened.url !== undefined || existsSync(opened.location)
    expect(asked ? await told.store(checkInvariants) : []).toEqual([])
    return transcript.join('\n')
  } finally {
    for (const terminal of terminals) terminal[Symbol.dispose]()
    await opened.close()
  }
}

function makeAcceptanceContext(
  mode: Mode['name'],
  home: string,
  opened: OpenedTarget,
  { transcript, terminals }: { transcript: string[]; terminals: Terminal[] },
): AcceptanceContext {
  const folder = join(home, 'work')
  mkdirSync(folder)
  const complete = <O extends ProgramOptions | TerminalOptions>({
    bare = false,
    ...options
  }: O & { bare?: boolean }) => ({
    ...options,
    cwd: options.cwd ?? folder,
    env: { HOME: home, DRAY_HOME: join(home, 'dray'), ...(bare ? WORLD : opened.env), ...options.env },
  })
  const finish = async (
    line: string,
    running: Promise<CommandResult>,
    exit: DrayOptions['exit'] = 0,
  ): Promise<CommandResult> => {
    const ran = await running
    if (exit !== 'any' && ran.exitCode !== exit) {
      const code = ran.exitCode ?? ran.signal
      throw new Error(
        `dray ${line}\nended with ${code}, not ${exit}\n--- stdout\n${ran.stdout}\n--- stderr\n${ran.stderr}`,
      )
    }
    transcript.push(ran.stdout)
    return ran
  }
  const watched = (terminal: Terminal): Terminal => {
    terminals.push(terminal)
    return terminal
  }
  const path = (name: string): string => join(folder, name)
  const told: AcceptanceContext = {
    mode,
    folder,
    url: opened.url,
    dray: (line, { exit, isStarted, ...options } = {}) => {
      const words = splitCommandLine(line)
      const given = complete(options)
      const isOwn = isStarted ?? needsProcess(words)
      return finish(line, isOwn ? startDray(words, given).ended : runInline(words, given), exit)
    },
    shell: (line, { exit, ...options } = {}) => finish(line, startShell(line, complete(options)).ended, exit),
    start: (line, options = {}) => startDray(splitCommandLine(line), complete(options)),
    terminal: (line, options = {}) => watched(startInTerminal(splitCommandLine(line), complete(options))),
    terminalShell: (line, options = {}) => watched(startShellInTerminal(line, complete(options))),
    write: (name, content) => writeFileSync(path(name), content),
    read: (name) => readFileSync(path(name), 'utf8'),
    exists: (name) => existsSync(path(name)),
    take: (source) => copyFileSync(join(root, source), path(source.split('/').at(-1) ?? source)),
    control: withControlTypes((name, input) =>
      withClient(opened.target, (client) => client.control(name, input)),
    ),
    call: (operation, input, options = {}) =>
      withClient(
        opened.target,
        async (client) =>
          (await client.call(operation, input, { ...options, idempotencyKey: randomUUID() })).value,
      ),
    crash: opened.crash,
    advance: async (by) => void (await told.control('advance_clock', { by })),
    async store(look) {
      const db = await openStore(opened.location, { seed: refuseNew, random: () => 0.5, silence: PATIENT })
      try {
        return await look(db)
      } finally {
        await db.close()
      }
    },
  }
  return told
}

async function refuseNew(): Promise<void> {
  throw new Error('No command has made the store yet.')
}

function embed(store: string): OpenedTarget {
  const target = { kind: 'embedded', store, account: 'everything' } as const
  const nothing = async (): Promise<void> => {}
  return { env: WORLD, location: store, url: undefined, target, crash: nothing, close: nothing }
}

/** Runs `dray serve` over a store, with a token of the account `everything`: in this process, or as one of its own. */
async function serve(home: string, store: string, isStarted: boolean): Promise<OpenedTarget> {
  const env = { HOME: home, DRAY_HOME: join(home, 'dray'), ...WORLD }
  const launch = isStarted ? startDray : startInline
  let { server, url } = await listen(launch, env, store, '0')
  const { port } = new URL(url)
  const close = async (): Promise<void> => {
    server.kill('SIGTERM')
    const ran = await server.ended
    expect(ran.exitCode, ran.stderr).toBe(0)
  }
  try {
    const controlToken = readFileSync(join(home, `dray/state/served/${port}.control`), 'utf8').trim()
    const control = {
      kind: 'remote',
      baseUrl: url,
      token: undefined,
      controlToken,
      timeoutMs: undefined,
    } as const
    const { token } = await withClient(control, (client) =>
      client.control('mint_token', { account: 'everything' }),
    )
    const target = { ...control, token }
    return {
      env: { DRAY_BASE_URL: url, DRAY_TOKEN: token },
      location: store,
      url,
      target,
      async crash() {
        server.kill('SIGKILL')
        await server.ended
        ;({ server, url } = await listen(launch, env, store, port))
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function listen(
  launch: typeof startDray,
  env: Record<string, string>,
  store: string,
  port: string,
): Promise<{ server: RunningProcess; url: string }> {
  const server = launch(['serve', '--port', port, '--json', '--store', store], { env })
  return { server, url: await readServerUrl(server) }
}

/** Opens a client for calls and checks outside of commands. */
async function withClient<T>(target: Target, work: (client: Client) => Promise<T>): Promise<T> {
  const { makeRuntime } = await import('../../src/runtime.ts')
  const runtime = { ...makeRuntime(root), env: WORLD }
  const client = await runtime.openClient(target, { firstRun() {}, debug() {} })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

/** Replaces values that always differ: folders, addresses, and values that chance makes. */
function neutral(transcript: string, home: string): string {
  return transcript
    .replaceAll(home, 'HOME')
    .replaceAll(/"next_cursor": ?"[^"]+"/g, '"next_cursor": "…"')
    .replaceAll(/"[0-9a-f]{12}-\d+"/g, '"…"')
    .replaceAll(/"request_id": ?"[^"]+",?\s*/g, '')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://HOST')
}
