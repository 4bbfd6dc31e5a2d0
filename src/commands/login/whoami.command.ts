import type { CommandContext } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { shownTarget } from '../../cli/explain.ts'
import { pickField } from '../../cli/output/fields.ts'
import { printResult } from '../../cli/print.ts'
import { currentConfig } from '../../cli/profiles.ts'
import type { Client } from '../../client/client.ts'
import { AppError } from '../../core/errors.ts'
import type { Column } from '../../core/operation.ts'
import { resolveAccount, loadSandboxAccounts, type SandboxAccount } from '../accounts.ts'
import { addressColumn, CREDENTIAL_COLUMN } from '../address-column.ts'
import { isLive } from '../live.ts'

/** Null for what the service does not return. */
type Who = {
  profile: string
  environment: 'sandbox' | 'live'
  kind: 'embedded' | 'remote'
  address: string
  account: string | null
  account_id: string | null
  name: string | null
  entitlements: {
    service_one: boolean | null
    carrier_agreement: boolean | null
    business_agreement: boolean | null
  }
  scopes: readonly string[] | null
  /** The place where the credential is stored. */
  credential: 'environment' | 'keyring' | 'config file' | null
}

export const whoami = defineCommand({
  words: 'whoami',
  summary: 'Show the current account and server',
  description: 'Asks the server, so it also checks that the token is still valid.',
  examples: ['dray whoami', 'dray whoami --profile work --json'],
  async run(cli) {
    const who = await find(cli)
    await printResult(cli, who, {
      columns: columnsOf(who),
      next: who.environment === 'sandbox' ? 'dray sandbox account list' : 'dray profile show',
    })
    return 0
  },
})

/** Returns the columns of the known facts: an agreement that the service does not report may still exist. */
function columnsOf(who: Who): Column[] {
  const columns: Column[] = [
    { field: 'profile' },
    { field: 'environment' },
    addressColumn(who.kind),
    { field: 'account' },
    { field: 'account_id', label: 'Account ID' },
    { field: 'name' },
    { field: 'entitlements.service_one' },
    { field: 'entitlements.carrier_agreement' },
    { field: 'entitlements.business_agreement' },
    { field: 'scopes' },
    CREDENTIAL_COLUMN,
  ]
  return columns.filter(({ field }) => pickField(who, field) !== null)
}

async function find(cli: CommandContext): Promise<Who> {
  const { target, profile } = cli.settings
  const place = { profile, ...shownTarget(target) }
  const client = await cli.client()
  if (target.kind === 'embedded') {
    const account = await readAccount(client, target.account)
    return describe({ ...place, environment: 'sandbox' }, account, await membershipActive(client))
  }
  const identity = await client.whoAmI()
  const active = await membershipActive(client)
  const environment = (await isLive(cli, target)) ? 'live' : 'sandbox'
  const name = identity.account ?? target.account ?? savedName(cli)
  const account =
    name === undefined || environment === 'live'
      ? undefined
      : await readAccount(client, name).catch(() => undefined)
  const { accountId: account_id, scopes } = identity
  return {
    ...describe({ ...place, environment }, account, active),
    ...(name !== undefined && { account: account?.handle ?? name }),
    ...(account_id !== undefined && { account_id }),
    ...(scopes !== undefined && { scopes }),
    credential: credentialOf(cli),
  }
}

/** Returns the name stored with the token, for a service that does not return it. */
function savedName(cli: CommandContext): string | undefined {
  const { profile, sources } = cli.settings
  return sources.token === 'profile' ? currentConfig(cli).profiles?.[profile]?.account : undefined
}

function credentialOf(cli: CommandContext): Who['credential'] {
  const { target, profile, sources } = cli.settings
  // `--as` uses a token of its own, which is not stored.
  if (target.kind === 'embedded' || target.account !== undefined) return null
  if (sources.token === 'environment') return 'environment'
  return currentConfig(cli).profiles?.[profile]?.keyring === true ? 'keyring' : 'config file'
}

/** Returns whether the membership is active; null without the scope to ask. Throws when the token is not valid. */
async function membershipActive(client: Client): Promise<boolean | null> {
  try {
    const { value } = await client.call('get_membership_status', {})
    return (value as { active: boolean }).active
  } catch (error) {
    if (error instanceof AppError && error.code === 'insufficient_scope') return null
    throw error
  }
}

async function readAccount(client: Client, asked: string): Promise<SandboxAccount> {
  return resolveAccount(await loadSandboxAccounts(client), asked)
}

type TargetFields = Pick<Who, 'profile' | 'environment' | 'kind' | 'address'>

function describe(
  { profile, environment, kind, address }: TargetFields,
  account: SandboxAccount | undefined,
  service_one: boolean | null,
): Who {
  const holds = (agreement: 'carrier_agreement' | 'business_agreement'): boolean | null =>
    account === undefined ? null : account[agreement]?.status === 'active'
  return {
    profile,
    environment,
    kind,
    address,
    account: account?.handle ?? null,
    account_id: account?.account_id ?? null,
    name: account?.name ?? null,
    entitlements: {
      service_one,
      carrier_agreement: holds('carrier_agreement'),
      business_agreement: holds('business_agreement'),
    },
    scopes: account?.scopes ?? null,
    credential: null,
  }
}
