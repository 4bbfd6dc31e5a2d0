/** Settings for people and scripts, without any token or database password. */
import { isPostgresUrl } from '../core/network.ts'
import { hidePassword } from '../core/postgres-url.ts'
import type { Settings, SettingSource } from './settings.ts'

/** Returns the address of a store without its password. */
export function shownStore(store: string): string {
  return isPostgresUrl(store) ? hidePassword(store) : store
}

/** Returns the address of a target: that of a service, or of a store. */
export function shownTarget(target: Settings['target']): { kind: 'remote' | 'embedded'; address: string } {
  if (target.kind === 'remote') return { kind: 'remote', address: target.baseUrl }
  return { kind: 'embedded', address: shownStore(target.store) }
}

export type ExplainedSetting = { setting: string; value: unknown; source: SettingSource; from: string | null }

type Row = readonly [setting: string, value: unknown, source: SettingSource | undefined]

/** Returns every setting with its value and its source. */
export function explainSettings(settings: Settings, flags: { json: boolean }): ExplainedSetting[] {
  const { sources } = settings
  const parcel = pairs(settings.defaultParcel)
  const maps = Object.keys(settings.maps)
  const rows: readonly Row[] = [
    ['profile', settings.profile, sources.profile],
    ...serviceRows(settings),
    ['protected', settings.protected, sources.protected],
    ['output', settings.format, sources.output],
    ['color', settings.color ?? 'auto', sources.color],
    ['pay', settings.pay, sources.pay],
    ['max_total', settings.maxTotal, sources.max_total],
    ['timeout_seconds', settings.timeoutMs && settings.timeoutMs / 1000, sources.timeout],
    ['yes', settings.yes, sources.yes],
    ['no_input', settings.noInput, sources.no_input],
    ['debug', settings.debug, sources.debug],
    ['accessible', settings.accessible, sources.accessible],
    ['default_parcel', parcel, parcel.length === 0 ? 'default' : 'profile'],
    ['maps', maps, maps.length === 0 ? 'default' : 'config'],
  ]
  return rows.map(([setting, value = null, source = 'default']) => ({
    setting,
    value,
    source,
    from: placeOf(setting === 'output' && flags.json ? 'json' : setting, source, settings),
  }))
}

/** Returns the rows of service and account; for an embedded store also its creation settings. */
function serviceRows({ target, sources, seed, now }: Settings): Row[] {
  const { address } = shownTarget(target)
  if (target.kind === 'embedded') {
    return [
      ['store', address, sources.service],
      ['account', target.account, sources.account],
      ['seed', seed, sources.seed],
      ['now', now, sources.now],
      ['one_active_ride', target.oneActiveRide ?? false, sources.one_active_ride],
    ]
  }
  return [
    ['base_url', address, sources.service],
    ['account', target.account, target.account === undefined ? 'default' : sources.account],
    ['token', shownToken(target), sources.token],
  ]
}

function shownToken({ token, login }: { token: string | undefined; login?: unknown }): string | null {
  if (token !== undefined) return 'set, not shown'
  return login === undefined ? null : 'in the keyring, not shown'
}

function pairs(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).map(([key, value]) => `${key}=${value}`)
}

const FLAGS: Readonly<Record<string, string>> = { account: '--as', timeout_seconds: '--timeout' }
const VARIABLES: Readonly<Record<string, string>> = { timeout_seconds: 'DRAY_TIMEOUT' }

function placeOf(
  setting: string,
  source: SettingSource,
  { configFile, projectFile, profile }: Settings,
): string | null {
  switch (source) {
    case 'flag':
      return FLAGS[setting] ?? `--${setting.replaceAll('_', '-')}`
    case 'environment':
      return VARIABLES[setting] ?? `DRAY_${setting.toUpperCase()}`
    case 'project file':
      return projectFile ?? null
    case 'profile':
      return `profiles.${profile}.${setting} in ${configFile}`
    case 'config':
      return `${setting === 'profile' ? 'default_profile' : setting} in ${configFile}`
    case 'default':
      return null
  }
}
