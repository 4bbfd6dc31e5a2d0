/** An agent of a replaced world: its MCP server, over pipes or HTTP, with a memory of its own. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { Client as ServiceClient } from '../../../src/client/client.ts'
import { openRemote } from '../../../src/client/remote.ts'
import { withFileLock } from '../../../src/db/file-lock.ts'
import { TOOLS } from '../../../src/generated/tools.ts'
import { deleteLedgers } from '../../../src/local-state/ledger.ts'
import type { GuardOptions } from '../../../src/mcp/guard-types.ts'
import { makeGuard } from '../../../src/mcp/guard.ts'
import { makeHttpHandler } from '../../../src/mcp/http.ts'
import type { McpDeps } from '../../../src/mcp/server.ts'
import { serveOverStdio } from '../../../src/mcp/stdio.ts'
import type { ServedWorld } from './served-world.ts'

/** The text of a tool's answer: its response, or its problem. */
export type ToolText = {
  problem?: { code: string } | undefined
  value: Record<string, unknown>
  replayed: boolean
}

export type WorldAgent = {
  call(tool: string, input: Readonly<Record<string, unknown>>): Promise<ToolText>
  /** Forgets what its machine remembers of the service, as a reset typed there does. */
  forget(): void
  close(): Promise<void>
}

type AgentSetting = Partial<Pick<GuardOptions, 'limits' | 'gate'>> & {
  /** The account that it acts for. */
  account: string
  /** Names the folder of its memory. */
  name: string
  transport: 'stdio' | 'http'
}

type Send = (message: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>

/** Starts an agent. Its person gives it a new token when the world was replaced. */
export async function openAgent(world: ServedWorld, setting: AgentSetting): Promise<WorldAgent> {
  const { account, name, transport, limits = [], gate = false } = setting
  const state = join(world.home, name)
  mkdirSync(state, { recursive: true })
  const paths = { config: state, data: state, state }
  const { client, close } = renewedClient(world, account, paths)
  const actor = { profile: 'default', service: world.url, account }
  const guard = makeGuard(
    {
      actor,
      protected: false,
      gate,
      priceGate: false,
      finalGate: false,
      limits,
      auditFile: join(state, 'audit.ndjson'),
      commandOf: (words) => ['dray', ...words].join(' '),
      runtime: {
        paths,
        lock: (path, work) => Promise.resolve(withFileLock(path, work)),
        now: world.deps.now,
        pid: process.pid,
        random: world.deps.random,
      },
      warn() {},
    },
    async () => ({ service: world.url, account }),
  )
  const deps: McpDeps = {
    client,
    caller: { accountId: undefined, account, scopes: undefined },
    guard,
    tools: TOOLS,
    outputs: undefined,
    live: false,
    version: '0.0.0-test',
    onError() {},
  }
  const { send, end } = transport === 'stdio' ? openPipes(deps) : openHttp(deps)
  await send({
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'agent', version: '1' },
    },
  })
  return {
    async call(tool, input) {
      const answer = await send({ method: 'tools/call', params: { name: tool, arguments: input } })
      return toToolText(answer)
    },
    forget: () => deleteLedgers({ paths }, world.url),
    async close() {
      await end()
      await close()
    },
  }
}

/** Returns a client that asks with the account's present token. */
function renewedClient(
  world: ServedWorld,
  account: string,
  paths: { config: string; data: string; state: string },
): { client: ServiceClient; close(): Promise<void> } {
  const { deps, url: baseUrl } = world
  const clients = new Map<string, Promise<ServiceClient>>()
  const present = async (): Promise<ServiceClient> => {
    const token = await world.tokenOf(account)
    const target = { kind: 'remote', baseUrl, token, controlToken: undefined, timeoutMs: undefined } as const
    const found =
      clients.get(token) ??
      openRemote(target, {
        env: {},
        paths,
        now: deps.now,
        elapsed: () => 0,
        random: deps.random,
        weakRandomBytes: deps.weakRandomBytes,
        sleep: async () => {},
        debug() {},
        kept: undefined,
      })
    clients.set(token, found)
    return found
  }
  const client = {
    call: async (...given: Parameters<ServiceClient['call']>) => (await present()).call(...given),
    serviceTime: async (limitMs?: number) => (await present()).serviceTime(limitMs),
    latestFacts: () => undefined,
    whoAmI: async () => (await present()).whoAmI(),
  } as unknown as ServiceClient
  return {
    client,
    close: async () => {
      for (const each of clients.values()) await (await each).close()
    },
  }
}

/** The server over pipes, in this process. */
function openPipes(deps: McpDeps): { send: Send; end(): Promise<void> } {
  const input = new PassThrough()
  const stopped = new AbortController()
  const waiting = new Map<number, (message: Record<string, unknown>) => void>()
  let sent = 0
  const write = (line: string): void => {
    const message = JSON.parse(line) as Record<string, unknown>
    waiting.get(Number(message['id']))?.(message)
  }
  const served = serveOverStdio(deps, { input, write }, stopped.signal)
  return {
    send(message) {
      const id = (sent += 1)
      const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>()
      waiting.set(id, resolve)
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`)
      return promise
    },
    async end() {
      stopped.abort()
      await served
    },
  }
}

/** The server over HTTP, in this process: each request is a message of its own. */
function openHttp(deps: McpDeps): { send: Send; end(): Promise<void> } {
  const handler = makeHttpHandler(() => {})
  let sent = 0
  return {
    async send(message) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: (sent += 1), ...message })
      const headers = {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        'MCP-Protocol-Version': '2025-11-25',
      }
      const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body })
      const answer = await handler.answer(request, Buffer.from(body), deps)
      return (await answer.json()) as Record<string, unknown>
    },
    end: () => handler.close(),
  }
}

type ToolAnswer = {
  isError?: boolean
  content?: { type: string; text?: string }[]
  structuredContent?: Record<string, unknown>
  _meta?: Record<string, unknown>
}

function toToolText({ result, error }: Record<string, unknown>): ToolText {
  if (result === undefined) throw new Error(JSON.stringify(error))
  const { isError, content = [], structuredContent = {}, _meta = {} } = result as ToolAnswer
  const text = content.find(({ type }) => type === 'text')?.text ?? '{}'
  return {
    problem: isError === true ? (JSON.parse(text) as { code: string }) : undefined,
    value: structuredContent,
    replayed: _meta['dray/replayed'] === true,
  }
}
