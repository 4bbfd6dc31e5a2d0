/** Functions that the `profile` commands, `login` and `logout` share. */
import { AppError } from '../core/errors.ts'
import { parseBaseUrl } from './base-url.ts'
import type { CommandContext } from './cli.ts'
import { type Config, isProfileName, PROFILE_NAME_RULE, type Profile, readConfig } from './config-file.ts'
import { shownStore } from './explain.ts'

export type ProfileRow = {
  name: string
  in_use: boolean
  kind: 'embedded' | 'remote'
  address: string
  account: string | null
  protected: boolean
  has_token: boolean
}

/** The fields of a profile's answer. */
export const PROFILE_FIELDS = [
  'name',
  'in_use',
  'kind',
  'address',
  'account',
  'protected',
  'has_token',
] as const satisfies readonly (keyof ProfileRow)[]

/** Reads the configuration again, without the warnings that the command's start has printed. */
export function currentConfig({ runtime }: CommandContext): Config {
  return readConfig(runtime.paths.config, () => undefined)
}

/** Returns every profile, `default` first. */
export function listProfiles(cli: CommandContext): ProfileRow[] {
  const { profiles = {} } = currentConfig(cli)
  const { default: builtIn = {}, ...others } = profiles
  return Object.entries({ default: builtIn, ...others }).map(([name, profile]) => toRow(cli, name, profile))
}

function toRow({ runtime, settings }: CommandContext, name: string, profile: Profile): ProfileRow {
  const base = profile.base_url === undefined ? undefined : parseBaseUrl(profile.base_url)
  const live = base !== undefined && (typeof base === 'string' || !base.loopback)
  return {
    name,
    in_use: name === settings.profile,
    kind: profile.base_url === undefined ? 'embedded' : 'remote',
    address: profile.base_url ?? shownStore(profile.store ?? `${runtime.paths.data}/${name}/dray.db`),
    account: profile.account ?? (profile.base_url === undefined ? 'everything' : null),
    protected: profile.protected ?? live,
    has_token: profile.token !== undefined || profile.keyring === true,
  }
}

/** Throws AppError('usage') for an invalid profile name. */
export function assertProfileName(name: string): void {
  if (!isProfileName(name))
    throw new AppError(
      'usage',
      `${JSON.stringify(name.slice(0, 60))} is not a profile name: ${PROFILE_NAME_RULE}.`,
    )
}

/** Throws AppError('usage') unless the profile exists; `default` always does. */
export function assertProfile(config: Config, name: string): void {
  if (name === 'default' || Object.hasOwn(config.profiles ?? {}, name)) return
  const known = [...new Set(['default', ...Object.keys(config.profiles ?? {})])].join(', ')
  throw new AppError('usage', `No profile ${JSON.stringify(name.slice(0, 60))}. Profiles: ${known}.`, {
    hint: '`dray profile add --help` shows how to add one.',
  })
}

/** Returns the profile to change; creates it if needed. */
export function profileOf(config: Config, name: string): Profile {
  config.profiles ??= {}
  const profile = Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined
  return profile ?? (config.profiles[name] = {})
}

/** Returns the normalized address. Throws AppError('usage'). */
export function requireBaseUrl(text: string): string {
  const base = parseBaseUrl(text)
  if (typeof base === 'string') throw new AppError('usage', `--base-url ${base}.`)
  return base.url
}
