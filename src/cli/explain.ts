/** Settings as people and scripts see them: never a token, never a database's password. */
import type { Settings, Source } from './settings.ts'

/** The address of a store without its password. */
export function shownStore(store: string): string {
  if (!/^postgres(?:ql)?:\/\//.test(store)) return store
  const url = URL.parse(store)
  if (url === null) return 'postgres://***'
  if (url.password !== '') url.password = '***'
  if (url.searchParams.has('password')) url.searchParams.set('password', '***')
  return url.href
}

/** Where a target's calls go: the address of a service, or of a store. */
export function shownTarget(target: Settings['target']): { kind: 'remote' | 'embedded'; address: string } {
  if (target.kind === 'remote') return { kind: 'remote', address: target.baseUrl }
  return { kind: 'embedded', address: shownStore(target.store) }
}

export type Explained = { setting: string; value: unknown; source: Source; from: string | null }

/** Every setting in force, its value, and the place that decided it. */
export function explain(settings: Settings, flags: { json: boolean }): Explained[] {
  const { target, sources, profile } = settings
  const remote = target.kind === 'remote'
  const service = remote ? 'base_url' : 'store'
  const values: readonly (readonly [setting: string, value: unknown, source: Source | undefined])[] = [
    ['profile', profile, sources.profile],
    [service, shownTarget(target).address, sources.service],
    [
      'account',
      remote ? (target.account ?? null) : target.account,
      remote && target.account === undefined ? 'default' : sources.account,
    ],
    ...(remote
      ? [['token', target.token === undefined ? null : 'set, not shown', sources.token] as const]
      : []),
    ['protected', settings.protected, sources.protected],
    ['output', settings.format, sources.output],
    ['color', settings.color ?? 'auto', sources.color],
    ['pay', settings.pay ?? null, sources.pay],
    ['max_total', settings.maxTotal ?? null, sources.max_total],
    ['timeout_seconds', settings.timeoutMs === undefined ? null : settings.timeoutMs / 1000, sources.timeout],
    ['yes', settings.yes, sources.yes],
    ['no_input', settings.noInput, sources.no_input],
    ['debug', settings.debug, sources.debug],
    ['accessible', settings.accessible, sources.accessible],
    ...(remote
      ? []
      : [
          ['seed', settings.seed ?? null, sources.seed] as const,
          ['now', settings.now ?? null, sources.now] as const,
        ]),
    [
      'default_parcel',
      pairs(settings.defaultParcel),
      Object.keys(settings.defaultParcel).length === 0 ? 'default' : 'profile',
    ],
    ['maps', Object.keys(settings.maps), Object.keys(settings.maps).length === 0 ? 'default' : 'config'],
  ]
  return values.map(([setting, value, source = 'default']) => ({
    setting,
    value,
    source,
    from: placeOf(setting === 'output' && flags.json ? 'json' : setting, source, settings),
  }))
}

function pairs(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).map(([key, value]) => `${key}=${value}`)
}

const FLAGS: Readonly<Record<string, string>> = { account: '--as', timeout_seconds: '--timeout' }
const VARIABLES: Readonly<Record<string, string>> = { timeout_seconds: 'DRAY_TIMEOUT' }

function placeOf(
  setting: string,
  source: Source,
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
