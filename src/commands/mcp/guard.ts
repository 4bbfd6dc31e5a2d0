/** The rules for purchases by agents, from the flags of `dray mcp` and the profile. */
import { resolve } from 'node:path'
import type { CommandContext } from '../../cli/cli.ts'
import type { FlagValues } from '../../cli/command.ts'
import { shownTarget } from '../../cli/explain.ts'
import { serviceIdentity } from '../../cli/identity.ts'
import { commandLine } from '../../cli/output/shell.ts'
import type { Client, Identity, Target } from '../../client/client.ts'
import { AppError } from '../../core/errors.ts'
import { assertAudit } from '../../local-state/audit.ts'
import type { SpendAccount } from '../../local-state/ledger.ts'
import type { GuardOptions } from '../../mcp/guard-types.ts'
import { parseSpendLimit } from '../../mcp/spend.ts'
import type { GUARD_FLAGS } from './guard-flags.ts'

/**
 * Returns the rules of one server, equal for every caller except the account. Throws AppError('usage' | 'file_error' |
 * 'storage_full').
 */
export function readGuard(cli: CommandContext, args: FlagValues<typeof GUARD_FLAGS>): GuardOptions {
  const { settings, runtime } = cli
  const { target } = settings
  const [confirm, allow] = [args.confirm === true, args['allow-confirm'] === true]
  if (confirm && allow)
    throw new AppError('usage', '--confirm and --allow-confirm contradict each other; give one of them.')
  const { audit } = args
  if (audit === '') throw new AppError('usage', '--audit needs a file name.')
  const auditFile =
    audit === undefined ? `${runtime.paths.state}/mcp/audit.ndjson` : resolve(runtime.cwd, audit)
  assertAudit(auditFile)
  return {
    actor: {
      profile: settings.profile,
      service: shownTarget(target).address,
      account: target.account ?? null,
    },
    protected: settings.protected,
    gate: confirm || (!allow && (target.kind === 'remote' || settings.protected)),
    // Commands in a sandbox ask for a price, too, so the tools do the same.
    priceGate: !allow,
    finalGate: confirm,
    limits: (args['max-spend'] ?? []).map(parseSpendLimit),
    auditFile,
    commandOf: (words) => commandLine(['dray', ...words, ...flagsOf(cli)]),
    runtime,
    warn: (line) => void cli.say(`warning: ${line}`),
  }
}

/** Returns the flags that make a command in another terminal use the same service. */
function flagsOf({ settings: { profile, sources, target } }: CommandContext): string[] {
  const isNamed = sources.service === 'flag' || sources.service === 'environment'
  return [
    ...(sources.profile === 'default' ? [] : ['--profile', profile]),
    ...(isNamed ? [target.kind === 'remote' ? '--base-url' : '--store', shownTarget(target).address] : []),
  ]
}

/**
 * Returns the account of a caller's spending. A caller without a known account is looked up again before a purchase: under
 * another name it would get a limit of its own. Then throws the service's AppError.
 */
export function purseOf(
  target: Target,
  client: Pick<Client, 'whoAmI'>,
  { caller, named, state }: { caller: Identity | undefined; named: string | null; state: string },
): () => Promise<SpendAccount> {
  const service = serviceIdentity(target, state)
  let known = caller
  return async () => {
    known ??= await client.whoAmI()
    return { service, account: known.accountId ?? known.account ?? named }
  }
}
