/** Runs `dray mcp` for an MCP client: the built program in its own process, and the official client. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { ClientOptions, ElicitRequest, Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { toToolAnswer } from './agent.ts'
import type { ElicitationAnswer, ToolAnswer } from './agent.ts'
import { environment, LAUNCHER, readServerUrl, startDray } from './program.ts'
import type { RunningProcess } from './program.ts'

/** The supported revisions of the protocol. */
export const REVISIONS = ['2025-06-18', '2025-11-25', '2026-07-28'] as const
export type Revision = (typeof REVISIONS)[number]

export type McpClient = {
  client: Client
  call<T = Record<string, unknown>>(tool: string, args?: Record<string, unknown>): Promise<ToolAnswer<T>>
  /** Returns the server's stderr; empty over HTTP. */
  stderr(): string
  /** Kills the server, like a crash. */
  kill(): void
  close(): Promise<void>
}

/** Starts `dray mcp` with these words and connects to it. */
export async function openStdio(
  words: readonly string[],
  env: Record<string, string>,
  revision?: Revision,
  answer?: (message: string) => ElicitationAnswer,
): Promise<McpClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [LAUNCHER, 'mcp', ...words],
    env: environment(env) as Record<string, string>,
    stderr: 'pipe',
  })
  let text = ''
  transport.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const opened = await connect(transport, revision, () => text, answer)
  const { pid } = transport
  return { ...opened, kill: () => void (pid !== null && process.kill(pid, 'SIGKILL')) }
}

/** Connects to a server at an address. */
export async function openHttp(
  url: string,
  token: string,
  revision?: Revision,
  answer?: (message: string) => ElicitationAnswer,
): Promise<McpClient> {
  const headers = { Authorization: `Bearer ${token}` }
  return connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
    revision,
    () => '',
    answer,
  )
}

async function connect(
  transport: Transport,
  revision: Revision | undefined,
  stderr: () => string,
  answer?: (message: string) => ElicitationAnswer,
): Promise<McpClient> {
  const client = new Client(
    { name: 'agent-of-the-tests', version: '1.0' },
    { ...speaking(revision), capabilities: answer === undefined ? {} : { elicitation: {} } },
  )
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }: ElicitRequest) => answer(params.message))
  await client.connect(transport)
  return {
    client,
    async call<T>(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer<T>> {
      return toToolAnswer<T>(await client.callTool({ name, arguments: args }))
    },
    stderr,
    kill() {
      throw new Error('only a server of this client can be killed')
    },
    close: () => client.close(),
  }
}

function speaking(revision: Revision | undefined): ClientOptions {
  if (revision === undefined) return {}
  if (revision === '2026-07-28') return { versionNegotiation: { mode: { pin: revision } } }
  return { supportedProtocolVersions: [revision] }
}

/** Starts `dray mcp --http` on a free port. */
export async function serveMcp(
  words: readonly string[],
  env: Record<string, string>,
): Promise<{ url: string; server: RunningProcess }> {
  const server = startDray(['mcp', '--http', '--port', '0', '--json', ...words], { env })
  return { url: await readServerUrl(server), server }
}
