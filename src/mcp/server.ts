/** The tools as an MCP server. It compiles no schemas and validates nothing, because the gateway does. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import type { JsonSchemaValidatorResult, ServerOptions } from '@modelcontextprotocol/server'
import type { ServiceFacts } from '../client/client.ts'
import { TEST_CARD_NOTE } from '../core/test-cards.ts'
import { callTool } from './call-tool.ts'
import type { CallExtra, ToolDeps, ToolResult } from './call-tool.ts'
import type { McpClientSession } from './elicitation.ts'
import { instructionsNow } from './instructions.ts'
import { labelLink, listTemplates, readResource } from './resources.ts'
import type { SandboxTool, Scenarios } from './sandbox-tools.ts'
import type { ObjectSchema } from './schemas.ts'
import type { ListedTool, Tool } from './tools.ts'

/** The parts of a server for one caller. */
export type McpDeps = ToolDeps & {
  version: string
  /** The caller's tools, in the order of the list. */
  tools: readonly Tool[]
  /** The tools of the sandbox, and the scenarios of tools; undefined where they were not asked for. */
  sandbox?: { tools: readonly SandboxTool[]; scenarios: Scenarios } | undefined
  /** The output schema of each tool, listed if it was requested. */
  outputs: Readonly<Record<string, ObjectSchema>> | undefined
  /** True if to assume a live service when it does not report its environment. */
  live: boolean
}

/**
 * The time that the lists hold. Those of one caller change only with another dray, or with another service behind it; whoever
 * has an old list by then gets an error that says what is missing.
 */
const LIST_HOLDS = { ttlMs: 300_000, cacheScope: 'private' } as const
const CACHE_HINTS: NonNullable<ServerOptions['cacheHints']> = {
  'tools/list': LIST_HOLDS,
  'resources/list': LIST_HOLDS,
  'resources/templates/list': LIST_HOLDS,
}

/** Accepts every answer of a person; the gate that asked checks it. */
const PASS_THROUGH: NonNullable<ServerOptions['jsonSchemaValidator']> = {
  getValidator<T>() {
    return (input: unknown): JsonSchemaValidatorResult<T> => ({
      valid: true,
      data: input as T,
      errorMessage: undefined,
    })
  },
}

/**
 * Makes a server for one connection, or for a single request, with the service's current facts. Of the library's two
 * server classes it uses the one that compiles no validators.
 */
export function makeServer(deps: McpDeps, facts: ServiceFacts | undefined): Server {
  const { version, tools, sandbox } = deps
  const instructions = instructionsNow(facts)
  const live = facts?.environment === undefined ? deps.live : facts.environment === 'live'
  const server = new Server(
    { name: 'dray', title: 'Dray', version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      instructions,
      jsonSchemaValidator: PASS_THROUGH,
      cacheHints: CACHE_HINTS,
    },
  )
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  server.setRequestHandler(
    'tools/list',
    onePage(() => ({
      tools: [
        ...tools.map((tool) => list(tool, { ...deps, live })),
        ...(sandbox?.tools ?? []).map(({ listed }) => listed),
      ],
    })),
  )
  server.setRequestHandler('tools/call', async ({ params }, extra: CallExtra): Promise<ToolResult> => {
    const control = sandbox?.tools.find(({ name }) => name === params.name)
    if (sandbox !== undefined && control !== undefined) {
      const { callSandboxTool } = await import('./call-sandbox-tool.ts')
      const called = { tool: control, scenarios: sandbox.scenarios }
      return callSandboxTool(deps, called, params.arguments ?? {}, programOf(server, extra))
    }
    const tool = byName.get(params.name)
    if (tool === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Unknown tool: ${params.name.slice(0, 60)}. tools/list lists the available tools; others need a login with more scopes, or a server with more toolsets.`,
      )
    }
    const linksOf = (value: unknown) => labelLink(byName, tool.name, value)
    return callTool({ ...deps, linksOf }, tool, params.arguments ?? {}, programOf(server, extra))
  })
  // Their addresses are made from numbers that the tools answer with.
  server.setRequestHandler(
    'resources/list',
    onePage(() => ({ resources: [] })),
  )
  server.setRequestHandler(
    'resources/templates/list',
    onePage(() => ({ resourceTemplates: listTemplates(byName) })),
  )
  server.setRequestHandler('resources/read', ({ params }, { mcpReq }) =>
    readResource(deps, byName, params.uri, mcpReq.signal),
  )
  addPrompts(server, deps, byName)
  return server
}

/** Adds prompts, and completions of arguments. They are loaded on demand, because few programs ask for them. */
function addPrompts(server: Server, deps: McpDeps, byName: ReadonlyMap<string, Tool>): void {
  server.setRequestHandler('prompts/list', async (request) => {
    const { listPrompts } = await import('./prompts.ts')
    return onePage(() => ({ prompts: listPrompts(byName) }))(request)
  })
  server.setRequestHandler('prompts/get', async ({ params: { name, arguments: given = {} } }) => {
    const { fillPrompt, findPrompt } = await import('./prompts.ts')
    return fillPrompt(findPrompt(name, byName), given)
  })
  server.setRequestHandler('completion/complete', async ({ params }, { mcpReq }) => {
    const { completeArgument } = await import('./completions.ts')
    return completeArgument(deps, byName, params, mcpReq.signal)
  })
}

/** Returns the handler of a list that has one page. It rejects every cursor, because this server gives none. */
function onePage<R>(
  answer: () => R,
): (request: { params?: { cursor?: string | undefined } | undefined }) => R {
  return ({ params }) => {
    if (params?.cursor === undefined) return answer()
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'Invalid cursor: the list has one page. Leave the cursor out.',
    )
  }
}

/** Returns the MCP client, as named by the request or at the start of the connection. */
function programOf(server: Server, { mcpReq }: CallExtra): McpClientSession & CallExtra {
  const told = (mcpReq.envelope ?? {}) as Readonly<Record<string, unknown>>
  const { name, version } = (told[CLIENT_INFO_META_KEY] ?? server.getClientVersion() ?? {}) as Readonly<
    Record<string, unknown>
  >
  const { elicitation } = (told[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities() ?? {}) as {
    elicitation?: { form?: unknown; url?: unknown }
  }
  const words = [name, version].filter((word) => typeof word === 'string').join(' ')
  return {
    name: words === '' ? null : words.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').slice(0, 100),
    // In older protocol versions a form was the only way to ask.
    canAsk: elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
    mcpReq,
  }
}

function list(
  { name, listed, spends }: Tool,
  { outputs, live }: McpDeps,
): ListedTool & { outputSchema?: ObjectSchema } {
  const outputSchema = outputs?.[name]
  return {
    ...(live && spends !== undefined ? withoutTestCards(listed) : listed),
    ...(outputSchema !== undefined && { outputSchema }),
    annotations: { ...listed.annotations, openWorldHint: live },
  }
}

/** Removes the test card from a description, because a live service has none. */
function withoutTestCards(listed: ListedTool): ListedTool {
  return JSON.parse(JSON.stringify(listed).replaceAll(TEST_CARD_NOTE, '')) as ListedTool
}
