/** The world of a story: a store of its own, and everything that a person or a program asks of it, in this process. */
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Runtime } from '../../../src/cli/runtime.ts'
import type { Client } from '../../../src/client/client.ts'
import { openRemote } from '../../../src/client/remote.ts'
import { main } from '../../../src/commands/main.ts'
import { PROCESS_EVENT_LOOP } from '../../../src/core/event-loop.ts'
import { TOOLS } from '../../../src/generated/tools.ts'
import { openDeviceBackend } from '../../../src/host/device-backend.ts'
import { createEmbeddedClient, openService, type Service } from '../../../src/host/embedded.ts'
import type { ServiceDeps } from '../../../src/host/embedded.ts'
import { hostedOver } from '../../../src/host/hosting.ts'
import { callTool } from '../../../src/mcp/call-tool.ts'
import { makeGuard } from '../../../src/mcp/guard.ts'
import { resolvePaths } from '../../../src/paths.ts'
import { makeRuntime } from '../../../src/runtime.ts'
import { listControls } from '../../../src/sandbox/control/index.ts'
import { invokeControl } from '../../../src/sandbox/control/invoke.ts'
import { startServer } from '../../../src/server/server.ts'
import { makeRandom } from '../../adversarial/random.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { type MessageBox, openMessageBox } from './message-box.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** The time at which every story begins: a Friday morning in London. */
const BEGINNING = '2026-11-20T09:00:00.000Z'
/** The size of a terminal. */
const COLUMNS = 200
const ROWS = 200
const ENV = { DRAY_NOW: BEGINNING, DRAY_SEED: '20261120', TZ: 'Europe/London' }

/** A program that cannot ask its person: tools that only read ask nothing. */
const PROGRAM = {
  mcpReq: { id: 1, signal: new AbortController().signal },
} as unknown as Parameters<typeof callTool>[3]

/** The output of a command. */
export type PrintedCommand = { code: number; out: string; err: string }

/** With `keyboard` a person can also press keys. */
export type CommandOptions = { tty?: boolean | 'keyboard'; stdin?: string }

export type SurfaceWorld = {
  /** Runs a command as typed after `dray`, word by word. */
  dray(words: readonly string[], options?: CommandOptions): Promise<PrintedCommand>
  /** Asks the service over HTTP as an account. Returns the body, and null with a status of 400 or more. */
  get(path: string, as?: string): Promise<string | null>
  /** The address of the service, and a token of an account there. */
  url: string
  tokenOf(account: string): Promise<string>
  /** Forgets the tokens: another world has others. */
  forgetTokens(): void
  /** Makes a control call. */
  control(name: string, input?: Record<string, unknown>): Promise<unknown>
  /** Calls a tool as an agent of an account. Returns the text of its answer, and null for a failure. */
  tool(name: string, input: Record<string, unknown>, as: string): Promise<string | null>
  /** Has the webhooks of these accounts sent to a receiver of the story from now on. */
  hear(accounts: readonly string[]): Promise<void>
  /** Delivers the webhooks that are due. */
  deliver(): Promise<void>
  /** Returns the resource in the last webhook since the last command; see `MessageBox`. */
  findMessage: MessageBox['findMessage']
  /** Returns the path of a file in the folder of the story. */
  path(name: string): string
  close(): Promise<void>
}

/** Makes the store that all stories begin with, in a folder, and returns its path. */
async function makeFirstStore(folder: string): Promise<string> {
  const store = join(folder, 'first.db')
  if (existsSync(store)) return store
  const { db } = await openService({ store }, depsOf(0))
  await db.close()
  return store
}

/** Serves a story's store at a free port. No webhooks are sent from there: the story itself says when. */
async function serveStory(service: Service, deps: ServiceDeps & { control: ControlHandler }) {
  const machine = { ...deps, elapsed: PROCESS_EVENT_LOOP.elapsed, version: 'story' }
  const hosted = await hostedOver(service, machine)
  const controlToken = 'dray_ctl_story'
  const server = await startServer({
    ...hosted,
    control: { token: controlToken, calls: await listControls(), invoke: deps.control },
    devices: openDeviceBackend(service, machine),
    host: '127.0.0.1',
    port: 0,
    log() {},
    onBug() {},
  })
  return { server, hosted, controlToken }
}

type ControlHandler = (name: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>

/** Opens a world over a copy of the first store. With `remote` its commands go over HTTP, to a server in this process. */
export async function openSurfaceWorld(
  folder: string,
  { seed, remote = false }: { seed: number; remote?: boolean },
): Promise<SurfaceWorld> {
  const home = join(folder, `story-${seed}`)
  rmSync(home, { recursive: true, force: true })
  mkdirSync(join(home, 'work'), { recursive: true })
  const store = join(home, 'store.db')
  copyFileSync(await makeFirstStore(folder), store)
  const deps = depsOf(seed)
  const service = await openService({ store }, deps)
  const control = (name: string, input: Readonly<Record<string, unknown>> = {}) =>
    invokeControl(service.db, name, input, deps)
  const { server, hosted, controlToken } = await serveStory(service, { ...deps, control })
  const tokens = new Map<string, string>()
  const tokenOf = async (account: string): Promise<string> => {
    const token =
      tokens.get(account) ?? ((await control('mint_token', { account })) as { token: string }).token
    tokens.set(account, token)
    return token
  }
  const env = { ...ENV, HOME: home, DRAY_HOME: join(home, 'dray'), DRAY_PAGER: '', COLUMNS: '' }
  const clientOf = async (account: string): Promise<Client> => {
    if (!remote) return { ...createEmbeddedClient(service, account, deps), close: async () => {} }
    const token = await tokenOf(account)
    const target = { kind: 'remote', baseUrl: server.url, token, controlToken, timeoutMs: undefined } as const
    return openRemote(target, { ...runtime, debug() {}, kept: undefined })
  }
  let slept = 0
  const runtime: Runtime = {
    ...makeRuntime(ROOT),
    ...deps,
    env,
    paths: resolvePaths(env, process.platform),
    cwd: join(home, 'work'),
    interruption: () => new AbortController().signal,
    onHangup() {},
    onRestart() {},
    onUncaught() {},
    elapsed: () => slept,
    // Waiting takes no time.
    sleep: async (ms) => void (slept += ms),
    openClient: (target) => clientOf((target as { account?: string }).account ?? 'everything'),
  }
  const guard = makeGuard(
    {
      actor: { profile: 'default', service: store, account: 'everything' },
      protected: false,
      gate: false,
      priceGate: false,
      finalGate: false,
      limits: [],
      auditFile: join(home, 'audit.ndjson'),
      commandOf: (words) => ['dray', ...words].join(' '),
      runtime,
      warn() {},
    },
    async () => ({ service: store, account: 'everything' }),
  )
  const dray: SurfaceWorld['dray'] = async (words, { tty = false, stdin = '' } = {}) => {
    const terminals = tty === 'keyboard' ? true : tty ? { stdout: true } : false
    const io = memoryIo({ env, tty: terminals, columns: COLUMNS, stdin })
    // A screen of which a table needs no second page.
    const terminal = () => {
      const { input, output } = io.terminal()
      return { input, output: Object.assign(output, { columns: COLUMNS, rows: ROWS }) }
    }
    const code = await main(words, runtime, { ...io, terminal })
    return { code, out: io.out(), err: io.err() }
  }
  let messages: MessageBox | undefined
  return {
    dray,
    async hear(accounts) {
      messages = await openMessageBox((onError) =>
        hosted.senderOf({ allowPrivate: true, note() {}, onError }),
      )
      for (const account of accounts)
        await dray(['webhooks', 'create', messages.urlOf(account), '--as', account])
    },
    deliver: async () => messages?.deliver(),
    findMessage: (account, kind, id) => messages?.findMessage(account, kind, id),
    async tool(name, input, as) {
      const tool = TOOLS.find((each) => each.name === name)
      if (tool === undefined) throw new Error(`there is no tool ${name}`)
      const client = await clientOf(as)
      const caller = { accountId: undefined, account: as, scopes: undefined }
      const answer = await callTool(
        { client, caller, guard, onError() {}, silent: true },
        tool,
        input,
        PROGRAM,
      )
      const text = (answer as CallToolResult).content.find((part) => part.type === 'text')?.text
      return answer.isError === true ? null : (text ?? null)
    },
    async get(path, as) {
      const headers = as === undefined ? {} : { Authorization: `Bearer ${await tokenOf(as)}` }
      const answer = await fetch(`${server.url}${path}`, { headers })
      const text = await answer.text()
      return answer.ok ? text : null
    },
    url: server.url,
    tokenOf,
    forgetTokens: () => tokens.clear(),
    control,
    path: (name) => join(home, 'work', name),
    async close() {
      await messages?.close()
      await server.close()
      await service.db.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** The machine of a story: its clock stands still, and its random bytes follow from the seed. */
function depsOf(seed: number): ServiceDeps {
  const draws = makeRandom(seed)
  const random = (count: number) => new Uint8Array(count).map(() => draws.number(256))
  return {
    now: () => Date.parse(BEGINNING),
    random,
    weakRandomBytes: random,
    env: ENV,
    firstRun() {},
    debug() {},
  }
}
