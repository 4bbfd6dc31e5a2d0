/** `dray mcp` on standard input and output, until the program that started it closes the input. */
import type { CommandContext } from '../../cli/cli.ts'
import type { Client, Identity } from '../../client/client.ts'
import { AppError } from '../../core/errors.ts'
import { TOOLS } from '../../generated/tools.ts'
import type { GuardOptions } from '../../mcp/guard-types.ts'
import { makeGuard } from '../../mcp/guard.ts'
import type { PictureAddress } from '../../mcp/pictures.ts'
import type { McpDeps } from '../../mcp/server.ts'
import { serveOverStdio } from '../../mcp/stdio.ts'
import { filterToolsByScopes } from '../../mcp/toolsets.ts'
import { purseOf } from './guard.ts'

/** The options chosen at the start, the same for every caller. */
export type McpStartOptions = Pick<McpDeps, 'tools' | 'outputs' | 'live' | 'sandbox'> & {
  guard: GuardOptions
}

/** Returns when standard input has ended, or at the first signal; requests are answered before. */
export async function runMcpStdio(cli: CommandContext, chosen: McpStartOptions): Promise<void> {
  const { io, runtime } = cli
  const stopped = runtime.interruption()
  const client = await cli.client()
  const known = await identify(cli, client)
  const caller = known ?? NOBODY
  const tools = filterToolsByScopes(chosen.tools, caller.scopes)
  if (tools.length === 0) throw useless(caller)
  const { actor } = chosen.guard
  // A local account has a handle and an id: both must share one spending limit.
  const account = cli.settings.target.kind === 'embedded' ? (caller.account ?? null) : actor.account
  const parts: McpDeps = {
    ...chosen,
    client,
    caller,
    guard: makeGuard(
      { ...chosen.guard, actor: { ...actor, account } },
      purseOf(cli.settings.target, client, { caller: known, named: account, state: runtime.paths.state }),
    ),
    tools,
    version: runtime.version,
    pictureAddress: addressOf(cli),
    onError: (error) => void logUnansweredError(cli, error),
  }
  if (io.stdin.isTTY) await cli.say(AT_A_TERMINAL)
  const streams = { input: io.terminal().input, write: (line: string) => io.stdout.write(line) }
  await serveOverStdio(parts, streams, stopped)
}

/** Returns the address of a remote service's picture; undefined for an embedded store, which serves none. */
function addressOf({ settings: { target } }: CommandContext): PictureAddress | undefined {
  return target.kind === 'remote' ? (mediaId) => `${target.baseUrl}/media/${mediaId}` : undefined
}

/** Returns the error for a server without tools, which would seem broken. */
function useless({ account, scopes }: Identity): AppError {
  const areas = [...new Set(filterToolsByScopes(TOOLS, scopes).map(({ area }) => area))].join(', ')
  return new AppError(
    'usage',
    `The ${account === undefined ? 'login' : `account ${account}`} cannot use any of the chosen tools.`,
    {
      hint:
        areas === '' ? 'It has no permission for any tool.' : `It can use tools of these areas: ${areas}.`,
    },
  )
}

const AT_A_TERMINAL =
  'dray mcp reads the messages of an agent’s program from standard input. `dray mcp install` sets such programs up; Ctrl-C ends this.'

/** Returns the caller's identity; undefined when a remote service cannot answer now. Then all tools are shown. */
async function identify(cli: CommandContext, client: Client): Promise<Identity | undefined> {
  try {
    return await client.whoAmI()
  } catch (error) {
    if (!(error instanceof AppError) || cli.settings.target.kind === 'embedded') throw error
    const hint = error.hint === undefined ? '' : ` ${error.hint}`
    await cli.say(`warning: ${error.message}${hint} Until the server can be reached, all tools are listed.`)
    return undefined
  }
}

/** A caller without a known identity. */
export const NOBODY: Identity = { accountId: undefined, account: undefined, scopes: undefined }

/** Writes an error that has no response to stderr, for --verbose and --debug; standard output carries messages only. */
async function logUnansweredError({ io, globals, settings }: CommandContext, error: unknown): Promise<void> {
  if (!globals.verbose && !settings.debug) return
  const text = error instanceof Error && settings.debug ? error.stack : String(error)
  await io.stderr.write(`${text ?? String(error)}\n`)
}
