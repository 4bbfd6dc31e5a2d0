import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import type { Target } from '../../client/client.ts'
import { AppError } from '../../core/errors.ts'
import { isLoopback } from '../../core/network.ts'
import { TOOLSETS } from '../../generated/toolsets.ts'
import type { Tool } from '../../mcp/tools.ts'
import type { ToolFilter } from '../../mcp/toolsets.ts'
import {
  ALLOWED_HOST_FLAG,
  ALLOWED_ORIGIN_FLAG,
  HOST_FLAG,
  KEEP_ALIVE_FLAG,
  LOG_FLAG,
  PORT_FLAG,
  TRUSTED_PROXY_FLAG,
} from '../hosting/listening.ts'
import { LIMIT_FLAGS, readLimits } from '../hosting/rate-limits.ts'
import { GUARD_FLAGS } from './guard-flags.ts'
import { readNames } from './names.ts'

const FLAGS = [
  {
    flag: 'read-only',
    kind: 'boolean',
    description: 'read-only tools: search, track and quote',
  },
  {
    flag: 'toolsets',
    kind: 'text',
    value: 'AREA,…',
    description: `only these toolsets: ${TOOLSETS.join(', ')}`,
  },
  {
    flag: 'tools',
    kind: 'text',
    value: 'NAME,…',
    description: 'only these tools, or in addition to --toolsets',
  },
  { flag: 'exclude', kind: 'text', value: 'NAME,…', description: 'all but these tools' },
  {
    flag: 'output-schemas',
    kind: 'boolean',
    description: 'include output schemas (about 8 times more text)',
  },
  {
    flag: 'sandbox-tools',
    kind: 'boolean',
    description:
      'for developers: tools to read and advance the sandbox clock, step a resource and run scenarios',
  },
  ...GUARD_FLAGS,
  ...LIMIT_FLAGS,
  {
    flag: 'http',
    kind: 'boolean',
    description: 'serve streamable HTTP at /mcp instead, for clients with a token',
  },
  { ...HOST_FLAG, description: 'with --http: address to listen on. Default: 127.0.0.1' },
  { ...PORT_FLAG, description: 'with --http: port. Default: 8081; 0 picks a free port' },
  { ...ALLOWED_HOST_FLAG, description: `with --http: ${ALLOWED_HOST_FLAG.description}` },
  { ...ALLOWED_ORIGIN_FLAG, description: `with --http: ${ALLOWED_ORIGIN_FLAG.description}` },
  { ...TRUSTED_PROXY_FLAG, description: `with --http: ${TRUSTED_PROXY_FLAG.description}` },
  { ...KEEP_ALIVE_FLAG, description: `with --http: ${KEEP_ALIVE_FLAG.description}` },
  { ...LOG_FLAG, description: 'with --http: append the log to FILE. Default: stderr' },
] as const satisfies readonly Flag[]

type Flags = FlagValues<typeof FLAGS>

/** `dray mcp`: every operation as a tool of the same name, for agents. */
export const mcp = defineCommand({
  words: 'mcp',
  summary: 'Run the MCP server: every operation as a tool for agents',
  description:
    'Speaks the Model Context Protocol on standard input and output; an MCP client starts it. Tools that the ' +
    'account or the token cannot use are not listed.',
  flags: FLAGS,
  examples: [
    'dray mcp',
    'dray mcp --read-only',
    'dray mcp --toolsets food,rides --exclude cancel_ride',
    'dray mcp --http --port 8081',
  ],
  async run(cli, args) {
    const [{ TOOLS }, { chooseTools }] = await Promise.all([
      import('../../generated/tools.ts'),
      import('../../mcp/toolsets.ts'),
    ])
    const all = chooseTools(TOOLS, readChoice(args))
    const outputs =
      args['output-schemas'] === true
        ? (await import('../../generated/tool-outputs.ts')).TOOL_OUTPUTS
        : undefined
    const target = limited(cli, args)
    cli.settings.target = target
    const live = target.kind === 'remote' && (await (await import('../live.ts')).isLive(cli, target))
    const { readGuard } = await import('./guard.ts')
    const sandbox = args['sandbox-tools'] === true ? await openSandboxTools(cli, args) : undefined
    const tools = sandbox === undefined ? all : sandbox.play(all)
    const chosen = { tools, outputs, live, sandbox, guard: readGuard(cli, args) }
    if (args.http === true) {
      const { serveTools } = await import('./http.ts')
      return serveTools(cli, args, chosen)
    }
    assertNoAddress(args)
    const { runMcpStdio } = await import('./stdio.ts')
    await runMcpStdio(cli, chosen)
    return 0
  },
})

/**
 * Returns the tools of the sandbox. Throws where this command line may not control one: at a service without a control
 * token, with a protected profile, and for callers of other machines.
 */
async function openSandboxTools(cli: CommandContext, { host }: Flags) {
  const { profile, protected: isProtected, target } = cli.settings
  if (isProtected)
    throw new AppError('usage', `The profile ${profile} is protected: agents cannot control its sandbox.`)
  if (host !== undefined && !isLoopback(host))
    throw new AppError('usage', '--sandbox-tools works only on this machine: leave out --host.')
  // A store of this machine is a sandbox. A service elsewhere says whether it is one, and whether it is ours.
  if (target.kind === 'remote') await (await cli.client()).control('get_clock', {})
  const [{ SANDBOX_TOOLS, SCENARIOS }, { withScenarios }] = await Promise.all([
    import('../../generated/sandbox-tools.ts'),
    import('../../mcp/sandbox-tools.ts'),
  ])
  return {
    tools: SANDBOX_TOOLS,
    scenarios: SCENARIOS,
    play: (tools: readonly Tool[]) => withScenarios(tools, SCENARIOS),
  }
}

/** Applies the rate limits to an embedded store. A remote service has its own limits. */
function limited({ settings: { target } }: CommandContext, args: Flags): Target {
  const limits = readLimits(args)
  if (target.kind === 'embedded') return { ...target, limits, via: 'agent' }
  if (limits === undefined) return { ...target, via: 'agent' }
  throw new AppError('usage', '--rate-limit and --spend-limit require a store on this machine.')
}

const ADDRESS_FLAGS = [
  'host',
  'port',
  'allowed-host',
  'allowed-origin',
  'trusted-proxy',
  'keep-alive',
  'log',
] as const

/** Throws when a flag about an address is used without --http. */
function assertNoAddress(args: Flags): void {
  const given = ADDRESS_FLAGS.filter((flag) => args[flag] !== undefined)
  if (given.length === 0) return
  throw new AppError(
    'usage',
    `${given.map((flag) => `--${flag}`).join(' and ')} ${given.length === 1 ? 'needs' : 'need'} --http.`,
  )
}

function readChoice(args: Flags): ToolFilter {
  return {
    readOnly: args['read-only'] === true,
    toolsets: readNames('toolsets', args.toolsets),
    tools: readNames('tools', args.tools),
    exclude: readNames('exclude', args.exclude),
  }
}
