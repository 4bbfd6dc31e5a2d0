import { AppError } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { defineCommand } from '../command.ts'
import { shownTarget } from '../explain.ts'
import { printResult } from '../print.ts'
import { currentConfig } from '../profiles.ts'
import { listAccounts, type SandboxAccount } from '../sandbox.ts'

/** Null is what the service does not tell. */
type Who = {
  profile: string
  environment: 'sandbox' | 'live'
  kind: 'embedded' | 'remote'
  address: string
  account: string | null
  account_id: string | null
  name: string | null
  entitlements: { service_one: boolean | null; carrier_agreement: boolean | null; business_agreement: boolean | null }
  scopes: readonly string[] | null
}

export const whoami = defineCommand({
  words: 'whoami',
  summary: 'Who commands act as, and where',
  description: 'Asks the service, so that it also tells whether the token still counts.',
  examples: ['dray whoami', 'dray whoami --profile work --json'],
  async run(cli) {
    const who = await find(cli)
    await printResult(cli, who, { next: who.environment === 'sandbox' ? 'dray sandbox account list' : 'dray profile show' })
    return 0
  },
})

async function find(cli: Cli): Promise<Who> {
  const { target, profile } = cli.settings
  const place = { profile, ...shownTarget(target) }
  if (target.kind === 'embedded') return describe({ ...place, environment: 'sandbox' }, await findAccount(cli, target.account))
  const active = await membershipActive(cli)
  const inSandbox = (target.account ?? target.token ?? '').length > 0 && isSandbox(target.baseUrl, target.token)
  const name = target.account ?? currentConfig(cli).profiles?.[profile]?.account
  const account = inSandbox && name !== undefined ? await findAccount(cli, name).catch(() => undefined) : undefined
  const who = describe({ ...place, environment: inSandbox ? 'sandbox' : 'live' }, account)
  return { ...who, account: who.account ?? name ?? null, entitlements: { ...who.entitlements, service_one: active } }
}

/** Undefined when the token's scopes do not let it ask. Throws when the token does not count. */
async function membershipActive(cli: Cli): Promise<boolean | null> {
  try {
    const { value } = await (await cli.client()).call('get_membership_status', {})
    return (value as { active: boolean }).active
  } catch (error) {
    if (error instanceof AppError && error.code === 'insufficient_scope') return null
    throw error
  }
}

/** `live` is somebody else's address: `dray serve` is always a sandbox, and its tokens say so. */
function isSandbox(baseUrl: string, token: string | undefined): boolean {
  return token?.startsWith('dray_sbx_') === true || /^https?:\/\/(?:localhost|127\.|\[::1\])/.test(baseUrl)
}

async function findAccount(cli: Cli, asked: string): Promise<SandboxAccount> {
  const accounts = await listAccounts(await cli.client())
  const found = accounts.find(({ handle, account_id }) => handle === asked || account_id === asked)
  if (found !== undefined) return found
  throw new AppError('account_not_found', `The sandbox has no account ${asked.slice(0, 60)}; it has ${accounts.map(({ handle }) => handle).join(', ')}.`)
}

type Place = Pick<Who, 'profile' | 'environment' | 'kind' | 'address'>

function describe({ profile, environment, kind, address }: Place, account: SandboxAccount | undefined): Who {
  return {
    profile,
    environment,
    kind,
    address,
    account: account?.handle ?? null,
    account_id: account?.account_id ?? null,
    name: account?.name ?? null,
    entitlements: {
      service_one: account?.entitlements.service_one ?? null,
      carrier_agreement: account?.entitlements.carrier_agreement ?? null,
      business_agreement: account?.entitlements.business_agreement ?? null,
    },
    scopes: account?.scopes ?? null,
  }
}
