/** The agents' programs that `dray mcp install` knows: where each stores its servers and how an entry looks. */
import { join } from 'node:path'
import { AppError } from '../../core/errors.ts'

type AnyProgram = {
  name: string
  title: string
  /** The most tools that it takes, of all its servers together; absent where its makers name none. */
  toolLimit?: number
  /** The next step for the user after the program has its new server. */
  next: string
}

/** A program with a JSON file as its configuration. dray changes one field of it. */
export type FileProgram = AnyProgram & {
  /** The field that contains the servers. */
  section: string
  /** True if an entry names its transport. */
  typed: boolean
  file(place: UserEnvironment): string
}

/** A program that changes its own configuration, in a form that dray does not write. */
export type CommandProgram = AnyProgram & {
  /** The words of its command that adds a server; name, `--env` and `--` with the server's command follow. */
  addCommand: readonly string[]
}

export type KnownMcpClient = FileProgram | CommandProgram

/** The user's folders and system, which locate a program's files. */
type UserEnvironment = {
  home: string
  platform: string
  env: Readonly<Record<string, string | undefined>>
}

const MCP_CLIENTS: readonly KnownMcpClient[] = [
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    section: 'mcpServers',
    typed: false,
    file: (place) => join(configFolder(place), 'Claude', 'claude_desktop_config.json'),
    next: 'Quit Claude Desktop completely and start it again.',
  },
  {
    name: 'claude-code',
    title: 'Claude Code',
    section: 'mcpServers',
    typed: true,
    file: ({ home, env }) => join(env['CLAUDE_CONFIG_DIR'] ?? home, '.claude.json'),
    next: 'Start a new session of Claude Code; `/mcp` shows whether it is connected.',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    section: 'mcpServers',
    typed: false,
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    // Its settings warn above 40 tools, and the model may not see the others (forum.cursor.com/t/74196).
    toolLimit: 40,
    next: 'Restart Cursor, then look under Settings, MCP.',
  },
  {
    name: 'vscode',
    title: 'VS Code',
    section: 'servers',
    typed: true,
    file: (place) => join(configFolder(place), 'Code', 'User', 'mcp.json'),
    // "Cannot have more than 128 tools per request" (github.com/microsoft/vscode-copilot-release/issues/11653).
    toolLimit: 128,
    next: 'In VS Code run `MCP: List Servers` and start it.',
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    section: 'mcpServers',
    typed: false,
    file: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    // "Cascade has a limit of 100 total tools" (docs.windsurf.com/windsurf/cascade/mcp).
    toolLimit: 100,
    next: 'Refresh the MCP servers in the settings of Cascade.',
  },
  {
    name: 'codex',
    title: 'Codex',
    // It keeps TOML (developers.openai.com/codex/mcp).
    addCommand: ['codex', 'mcp', 'add'],
    next: 'Start a new session of Codex; `/mcp` shows its tools.',
  },
  {
    name: 'gemini-cli',
    title: 'Gemini CLI',
    section: 'mcpServers',
    typed: false,
    file: ({ home, env }) => join(env['GEMINI_CLI_HOME'] ?? home, '.gemini', 'settings.json'),
    next: 'Restart Gemini CLI; `/mcp` shows its tools.',
  },
]

export const MCP_CLIENT_NAMES = MCP_CLIENTS.map(({ name }) => name)

/** Finds a program by name. Throws AppError('usage'). */
export function resolveMcpClient(name: string): KnownMcpClient {
  const program = MCP_CLIENTS.find((each) => each.name === name)
  if (program !== undefined) return program
  throw new AppError('usage', `dray mcp install knows no ${JSON.stringify(name.slice(0, 60))}.`, {
    hint: `Known clients: ${MCP_CLIENT_NAMES.join(', ')}. Configure other clients by hand to run \`dray mcp\`.`,
  })
}

/** Returns the user's home folder. Throws AppError('usage') without one: files elsewhere may belong to someone else. */
export function userEnvironment(env: UserEnvironment['env'], platform: string): UserEnvironment {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? ''
  if (/^(?:\/|\\\\|[a-z]:)/i.test(home)) return { home, platform, env }
  throw new AppError('usage', 'HOME is not set, so the configuration file is unknown.', {
    hint: 'Set it with --file.',
  })
}

function configFolder({ home, platform, env }: UserEnvironment): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return env['APPDATA'] ?? join(home, 'AppData', 'Roaming')
  const given = env['XDG_CONFIG_HOME']
  return given?.startsWith('/') === true ? given : join(home, '.config')
}
