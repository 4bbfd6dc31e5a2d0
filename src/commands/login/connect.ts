/** The connections over which people log in and out. */
import type { Cli } from '../../cli/cli.ts'

const LIMIT_MS = 10_000

/** To a service, without a token of its own. Throws AppError('config_error'). */
export async function connect(cli: Cli, address: string) {
  const { openOAuth } = await import('../../client/oauth.ts')
  return openOAuth(address, cli.settings.timeoutMs ?? LIMIT_MS, partsOf(cli))
}

/** What a connection is handed: the world, and where it tells what it does. */
export function partsOf({ runtime, settings, io, say }: Cli) {
  return {
    ...runtime,
    debug: (line: string): void => {
      if (settings.debug) void io.stderr.write(`${line}\n`)
    },
    warn: (line: string): void => void say(`warning: ${line}`),
  }
}
