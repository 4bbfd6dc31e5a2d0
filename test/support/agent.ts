/** an MCP client: the official client, connected by pipes to our server in this process, over a real store. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/client'
import type { ElicitRequest, JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import type { Client as ServiceClient } from '../../src/client/client.ts'
import { TOOLS } from '../../src/generated/tools.ts'
import type { SpendAccount } from '../../src/local-state/ledger.ts'
import type { GuardOptions } from '../../src/mcp/guard-types.ts'
import { makeGuard } from '../../src/mcp/guard.ts'
import type { McpDeps } from '../../src/mcp/server.ts'
import { serveOverStdio } from '../../src/mcp/stdio.ts'
import { afterFile } from './after-file.ts'
import { embeddedIn } from './embedded-client.ts'
import { type Home, makeHome } from './home.ts'

/** The response of a tool. */
export type ToolAnswer<T = Record<string, unknown>> = {
  /** The problem document of a failure. */
  problem: Record<string, unknown> | undefined
  value: T
  /** The complete text. */
  text: string
  replayed: boolean
  /** The time of the service, whether its clock runs, whether it is a sandbox. */
  facts: unknown
  /** The bytes of the pictures, in base64. */
  images: { data: string; mimeType: string }[]
}

export type Agent = {
  call<T = Record<string, unknown>>(tool: string, args: Record<string, unknown>): Promise<ToolAnswer<T>>
  /** The questions that a person was asked. */
  asked: string[]
  warnings: string[]
  client: Client
}

/** A person's answer to a question. */
export type ElicitationAnswer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, boolean> }

export type AgentOptions = Partial<Omit<GuardOptions, 'runtime' | 'warn'>> & {
  service: ServiceClient
  /** Answers a question for the person. A program without it cannot ask. */
  answer?: ((message: string) => ElicitationAnswer | Promise<ElicitationAnswer>) | undefined
  revision?: '2025-11-25' | '2026-07-28'
  /** The paying account; by default each profile has its own. */
  purse?: SpendAccount
  /** The server's tools, and those of the sandbox; all without the latter by default. */
  tools?: Pick<McpDeps, 'tools' | 'sandbox'>
  /** True if the schemas of answers are listed. */
  outputs?: boolean
  /** The lock between processes; that of the home by default. */
  lock?: Home['lock']
}

export const YES: ElicitationAnswer = { action: 'accept', content: { agree: true } }

/**
 * Opens the service that the commands of a home use, by the name under which its quotes are recorded. It is closed after
 * the tests of the file.
 */
export async function openTestService(home: Home, account = 'everything'): Promise<ServiceClient> {
  const client = await embeddedIn(home)({ kind: 'embedded', store: toStorePath(home), account, via: 'agent' })
  afterFile(() => client.close())
  return client
}

/** Makes a home for the tests of a file, and opens the service of its sandbox. */
export async function openHome(
  env: Record<string, string> = {},
): Promise<{ home: Home; service: ServiceClient }> {
  const home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00.000Z', DRAY_SEED: '20261120', ...env })
  afterFile(async () => home[Symbol.dispose]())
  return { home, service: await openTestService(home) }
}

export function toStorePath(home: Home): string {
  return join(home.paths.data, 'default/dray.db')
}

export function guardOptions(home: Home, warnings: string[] = []): GuardOptions {
  return {
    actor: { profile: 'default', service: toStorePath(home), account: 'everything' },
    protected: false,
    gate: false,
    priceGate: true,
    finalGate: false,
    limits: [],
    auditFile: join(home.paths.state, 'mcp/audit.ndjson'),
    commandOf: (words) => ['dray', ...words].join(' '),
    runtime: {
      paths: home.paths,
      lock: home.lock,
      now: () => Date.parse('2026-11-20T09:00:00Z'),
      pid: process.pid,
      random: (count) => new Uint8Array(randomBytes(count)),
    },
    warn: (line) => void warnings.push(line),
  }
}

/** Starts a server for that home, and a connected client. Both end after the tests of the file. */
export async function startAgent(
  home: Home,
  {
    service,
    answer,
    revision = '2025-11-25',
    lock = home.lock,
    purse,
    tools = { tools: TOOLS },
    outputs = false,
    ...given
  }: AgentOptions,
): Promise<Agent> {
  const [up, down] = [new PassThrough(), new PassThrough()]
  const stopped = new AbortController()
  const [warnings, asked]: [string[], string[]] = [[], []]
  const guard = guardOptions(home, warnings)
  const caller = { accountId: undefined, account: 'everything', scopes: undefined }
  const options = { ...guard, ...given, runtime: { ...guard.runtime, lock } }
  const { profile, service: address } = options.actor
  const own = purse ?? { service: address, account: profile }
  const parts = {
    client: service,
    caller,
    guard: makeGuard(options, async () => own),
    ...tools,
    outputs: outputs ? (await import('../../src/generated/tool-outputs.ts')).TOOL_OUTPUTS : undefined,
    live: false,
    version: '0.0.0-test',
    onError: (error: unknown) => void warnings.push(String(error)),
  }
  const served = serveOverStdio(parts, { input: up, write: (line) => void down.write(line) }, stopped.signal)
  const client = new Client(
    { name: 'agent-of-the-tests', version: '1.0' },
    {
      capabilities: answer === undefined ? {} : { elicitation: {} },
      versionNegotiation: { mode: revision === '2026-07-28' ? { pin: revision } : 'legacy' },
    },
  )
  if (answer !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }: ElicitRequest) => {
      asked.push(params.message)
      return answer(params.message)
    })
  }
  afterFile(async () => {
    await client.close()
    stopped.abort()
    await served
  })
  await client.connect(pipes(up, down))
  return {
    client,
    asked,
    warnings,
    async call<T>(name: string, args: Record<string, unknown>): Promise<ToolAnswer<T>> {
      return toToolAnswer<T>(await client.callTool({ name, arguments: args }))
    },
  }
}

/** The answer to a call that may be a question. */
export type OpenAnswer = { resultType?: string; requestState: string; isError?: boolean }

/** Calls until the question, whose name then is `requestState`; with one, says yes to that question. */
export async function callOpenly(
  { client }: Pick<Agent, 'client'>,
  name: string,
  args: Record<string, unknown>,
  requestState?: string,
): Promise<OpenAnswer> {
  const answered = requestState === undefined ? {} : { inputResponses: { agree: YES }, requestState }
  const params = { name, arguments: args, ...answered }
  const asked: unknown = await client.request({ method: 'tools/call', params }, { allowInputRequired: true })
  return asked as OpenAnswer
}

/** Converts a result to the response that an agent reads. */
export function toToolAnswer<T = Record<string, unknown>>(
  result: Awaited<ReturnType<Client['callTool']>>,
): ToolAnswer<T> {
  const texts = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const [first = '{}'] = texts
  return {
    problem: result.isError === true ? (JSON.parse(first) as Record<string, unknown>) : undefined,
    value: result.structuredContent as T,
    text: texts.join('\n'),
    replayed: result._meta?.['dray/replayed'] === true,
    facts: result._meta?.['dray/service'],
    images: result.content.flatMap((part) => (part.type === 'image' ? [part] : [])),
  }
}

function pipes(up: PassThrough, down: PassThrough): Transport {
  let rest = ''
  const transport: Transport = {
    async start() {
      down.on('data', (chunk: Buffer) => {
        rest += chunk.toString()
        const lines = rest.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) transport.onmessage?.(JSON.parse(line) as JSONRPCMessage)
      })
    },
    async send(message) {
      up.write(`${JSON.stringify(message)}\n`)
    },
    async close() {
      up.end()
      transport.onclose?.()
    },
  }
  return transport
}
