/** `dray mcp` on standard input and output, until whoever started it is done. */
import type { Cli } from '../../cli/cli.ts'
import type { Client, Identity } from '../../client/client.ts'
import { AppError } from '../../core/errors.ts'
import { TOOLS } from '../../generated/tools.ts'
import { makeGuard } from '../../mcp/guard.ts'
import type { GuardOptions } from '../../mcp/guarded.ts'
import type { PictureAddress } from '../../mcp/pictures.ts'
import type { McpDeps } from '../../mcp/server.ts'
import { speak } from '../../mcp/stdio.ts'
import { withinScopes } from '../../mcp/toolsets.ts'
import { purseOf } from './guard.ts'

/** What was chosen at the start, for every caller. */
export type Chosen = Pick<McpDeps, 'tools' | 'outputs' | 'live'> & { guard: GuardOptions }

/** Returns once standard input has ended and what was asked is answered, or at the first signal likewise. */
export async function speakStdio(cli: Cli, chosen: Chosen): Promise<void> {
  const { io, runtime } = cli
  const stopped = runtime.interruption()
  const client = await cli.client()
  const known = await identify(cli, client)
  const caller = known ?? NOBODY
  const tools = withinScopes(chosen.tools, caller.scopes)
  if (tools.length === 0) throw useless(caller)
  const { actor } = chosen.guard
  // An account of this machine goes by its handle and by its id, and has one purse.
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
    onError: (error) => void note(cli, error),
  }
  if (io.stdin.isTTY) await cli.say(AT_A_TERMINAL)
  const streams = { input: io.terminal().input, write: (line: string) => io.stdout.write(line) }
  await speak(parts, streams, stopped)
}

/** Where a service elsewhere keeps a picture; a store of this machine serves nothing. */
function addressOf({ settings: { target } }: Cli): PictureAddress | undefined {
  return target.kind === 'remote' ? (mediaId) => `${target.baseUrl}/media/${mediaId}` : undefined
}

/** A server without a tool would only look broken. */
function useless({ account, scopes }: Identity): AppError {
  const areas = [...new Set(withinScopes(TOOLS, scopes).map(({ area }) => area))].join(', ')
  return new AppError(
    'usage',
    `The ${account === undefined ? 'login' : `account ${account}`} may use none of the tools that were chosen.`,
    { hint: areas === '' ? 'It may use no tool at all.' : `It may use tools of these areas: ${areas}.` },
  )
}

const AT_A_TERMINAL =
  'dray mcp reads the messages of an agent’s program from standard input. `dray mcp install` sets such programs up; Ctrl-C ends this.'

/** Who calls are made as; undefined of a service that cannot be asked now and may answer later: nothing is hidden then. */
async function identify(cli: Cli, client: Client): Promise<Identity | undefined> {
  try {
    return await client.whoAmI()
  } catch (error) {
    if (!(error instanceof AppError) || cli.settings.target.kind === 'embedded') throw error
    const hint = error.hint === undefined ? '' : ` ${error.hint}`
    await cli.say(`warning: ${error.message}${hint} Until it can be asked, every tool is listed.`)
    return undefined
  }
}

/** A caller of whom nothing is known. */
export const NOBODY: Identity = { accountId: undefined, account: undefined, scopes: undefined }

/** What went wrong beside the answers, for whoever looks: never on standard output. */
async function note({ io, globals, settings }: Cli, error: unknown): Promise<void> {
  if (!globals.verbose && !settings.debug) return
  const text = error instanceof Error && settings.debug ? error.stack : String(error)
  await io.stderr.write(`${text ?? String(error)}\n`)
}
