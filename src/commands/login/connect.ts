/** Connections for logging in and out. */
import type { CommandContext } from '../../cli/cli.ts'

const LIMIT_MS = 10_000

/** Connects to a service without a token. Throws AppError('config_error'). */
export async function connect(cli: CommandContext, address: string) {
  const { openOAuth } = await import('../../client/oauth.ts')
  return openOAuth(address, cli.settings.timeoutMs ?? LIMIT_MS, connectionDeps(cli))
}

/** Returns the runtime with functions that report details and warnings. */
export function connectionDeps({ runtime, settings, io, say }: CommandContext) {
  return {
    ...runtime,
    debug: (line: string): void => {
      if (settings.debug) void io.stderr.write(`${line}\n`)
    },
    warn: (line: string): void => void say(`warning: ${line}`),
  }
}
