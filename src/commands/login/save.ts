/** Stores a login and reports it. */
import type { CommandContext } from '../../cli/cli.ts'
import type { Profile } from '../../cli/config-file.ts'
import { printResult } from '../../cli/print.ts'
import { requireBaseUrl, currentConfig, profileOf } from '../../cli/profiles.ts'
import type { Login } from '../../client/session.ts'
import { AppError } from '../../core/errors.ts'
import { addressColumn, CREDENTIAL_COLUMN } from '../address-column.ts'
import type { CredentialStore } from '../login-store.ts'

/** Throws when the address is not the profile's: its token, protection and name belong to one address. */
export function assertSuits(cli: CommandContext, baseUrl: string | undefined): void {
  const { profile: name } = cli.settings
  const profile = currentConfig(cli).profiles?.[name]
  if (profile === undefined) return
  const hint = 'Choose another profile, new or existing, with --profile NAME.'
  if (baseUrl !== undefined && profile.store !== undefined) {
    throw new AppError('usage', `The profile ${name} is for an embedded store.`, { hint })
  }
  if (profile.base_url === undefined) return
  if (baseUrl === undefined)
    throw new AppError('usage', `The profile ${name} is for the server at ${profile.base_url}.`, { hint })
  if (requireBaseUrl(profile.base_url) !== baseUrl) {
    throw new AppError('usage', `The profile ${name} is for ${profile.base_url}, not for ${baseUrl}.`, {
      hint,
    })
  }
}

/** Stores a service's login in the announced place and reports it. Returns the previous login. */
export async function saveLogin(
  cli: CommandContext,
  address: string,
  place: CredentialStore,
  found: Login,
): Promise<Login | undefined> {
  const { profile, sources } = cli.settings
  const { replaceLogin } = await import('../login-store.ts')
  const wasSandbox = currentConfig(cli).profiles?.[profile]?.base_url === undefined
  const replaced = await replaceLogin(cli.runtime, profile, {
    login: found,
    place,
    settings: { base_url: address },
  })
  if (replaced !== undefined)
    await cli.say(
      `It replaces the login${replaced.account === undefined ? '' : ` as ${replaced.account}`} saved before.`,
    )
  if (profile === 'default' && wasSandbox) {
    await cli.say(
      'Commands without a profile now use this server; `dray profile remove default` returns to the sandbox.',
    )
  }
  if (sources.token === 'environment')
    await cli.say('DRAY_TOKEN is set and overrides this login: unset it in your shell.')
  const credential = 'keyring' in place ? 'keyring' : 'config file'
  await printLogin(cli, { profile, kind: 'remote', address, account: found.account ?? null, credential })
  return replaced
}

/** Stores the account with which commands act in an embedded sandbox. */
export async function saveAccount(cli: CommandContext, settings: Profile): Promise<void> {
  const { updateConfig } = await import('../../cli/config.ts')
  await updateConfig(cli.runtime, (config) => {
    Object.assign(profileOf(config, cli.settings.profile), settings)
  })
}

type Result = {
  profile: string
  kind: 'remote' | 'embedded'
  address: string
  account: string | null
  /** The place where the secret is stored; null when there is none. */
  credential: 'keyring' | 'config file' | null
}

/** Prints the account and the service that commands now use. */
export async function printLogin(cli: CommandContext, result: Result): Promise<void> {
  // Later commands find the service by the profile alone.
  const later = { ...cli, globals: { ...cli.globals, baseUrl: undefined, store: undefined } }
  await printResult(later, result, {
    columns: [
      { field: 'profile' },
      addressColumn(result.kind),
      { field: 'account' },
      ...(result.credential === null ? [] : [CREDENTIAL_COLUMN]),
    ],
    done: result.account === null ? 'Logged in to {address}.' : 'Logged in as {account}.',
    next: 'dray whoami',
  })
}
