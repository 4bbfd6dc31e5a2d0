/** Resolves the settings of one command, and the source of each. */
import type { Target } from '../client/client.ts'
import { AppError } from '../core/errors.ts'
import { parseDuration } from '../core/time.ts'
import {
  type Config,
  configPath,
  isProfileName,
  PROFILE_NAME_RULE,
  type Profile,
  readConfig,
  type Warn,
} from './config-file.ts'
import { type Environment, readEnvironment } from './environment.ts'
import type { Format, Globals } from './globals.ts'
import { shellQuote } from './output/shell.ts'
import { findProjectFile, type ProjectFile } from './project-file.ts'
import type { Runtime } from './runtime.ts'
import { resolveTarget, type ServiceLocation, toService } from './target.ts'

export type SettingSource = 'flag' | 'environment' | 'project file' | 'profile' | 'config' | 'default'

/** Settings with more than one possible source. Times are in milliseconds. */
export type SettingValues = {
  service: ServiceLocation
  account: string
  pay: string
  output: Format
  color: NonNullable<Globals['color']>
  timeout: number
  max_total: string
  one_active_ride: boolean
  /** The seed and the start time of a new store. */
  seed: string
  now: string
  yes: boolean
  no_input: boolean
  debug: boolean
  accessible: boolean
}

export type Settings = {
  profile: string
  /** True if the profile is protected: every change then needs `--confirm <profile>`. */
  protected: boolean
  target: Target
  format: Format
  timeoutMs: number | undefined
  /** The highest price, as in DRAY_MAX_TOTAL: `25.00`, `£25`. */
  maxTotal: string | undefined
  seed: string | undefined
  now: string | undefined
  /** The payment method: `card`, `wallet`, `cash`, `table`. */
  pay: string | undefined
  yes: boolean
  noInput: boolean
  debug: boolean
  accessible: boolean
  color: Globals['color']
  /** Default values for missing columns of manifests, by column name. */
  defaultParcel: Readonly<Record<string, string>>
  /** Saved column maps by name. */
  maps: Readonly<Record<string, Readonly<Record<string, string>>>>
  sources: Readonly<
    Record<'profile' | 'protected' | 'token' | keyof SettingValues, SettingSource | undefined>
  >
  configFile: string
  projectFile: string | undefined
  /** Warnings about ignored or repaired settings, a sentence each. */
  warnings: readonly string[]
}

/** Commands that manage profiles, so the named profile need not exist. */
const MANAGES_PROFILES = /^(?:login|profile)\b/
/** Commands that need no settings and also run when those are invalid. */
const NEEDS_NO_SETTINGS = /^(?:help|completion|doctor)\b/

const DEFAULTS = {
  account: 'everything',
  output: 'table',
  yes: false,
  no_input: false,
  debug: false,
  accessible: false,
} as const satisfies Partial<SettingValues>

/** The resolved values. Those with a default are always present. */
type ResolvedValues = Partial<SettingValues> & Pick<SettingValues, keyof typeof DEFAULTS | 'service'>

/**
 * Resolves each setting by flag > environment > nearest .dray.json > profile > default, for the command with these
 * words. Throws AppError('config_error' | 'usage').
 */
export function resolveSettings(
  globals: Partial<Globals>,
  runtime: Pick<Runtime, 'env' | 'paths' | 'cwd'>,
  words = '',
): Settings {
  if (NEEDS_NO_SETTINGS.test(words))
    return buildSettings(
      globals,
      { paths: runtime.paths, env: {}, folder: undefined },
      { config: {}, mayBeNew: true, warnings: [] },
    )
  const warnings: string[] = []
  const config = readConfig(runtime.paths.config, (text) => void warnings.push(text))
  const place = { paths: runtime.paths, env: runtime.env, folder: currentFolder(runtime) }
  return buildSettings(globals, place, { config, mayBeNew: MANAGES_PROFILES.test(words), warnings })
}

type Surroundings = Pick<Runtime, 'env' | 'paths'> & { folder: string | undefined }

function buildSettings(
  globals: Partial<Globals>,
  { env, paths, folder }: Surroundings,
  { config, mayBeNew, warnings }: { config: Config; mayBeNew: boolean; warnings: string[] },
): Settings {
  const warn: Warn = (text) => void warnings.push(text)
  const environment = readEnvironment(env)
  const project = findProjectFile(folder, warn)
  const chosen = chooseProfile([
    ['flag', globals.profile, '--profile'],
    ['environment', environment.profile, 'DRAY_PROFILE'],
    ['project file', project?.profile, project?.path ?? ''],
    ['config', config.default_profile, `default_profile in ${configPath(paths.config)}`],
  ])
  const profile = findProfile(chosen, config.profiles ?? {}, mayBeNew)
  const settled = mergeLayers([
    ['flag', flagValues(globals, folder)],
    ['environment', environmentValues(environment, folder)],
    ['project file', projectValues(project)],
    ['profile', profileValues(profile)],
    ['default', { ...DEFAULTS, service: { store: `${paths.data}/${chosen.name}/dray.db` } }],
  ])
  const { values, sources } = settled
  const { target, isProtected, token } = findTarget(
    globals,
    environment,
    { chosen, profile, ...settled },
    warn,
  )
  return {
    profile: chosen.name,
    protected: isProtected,
    target,
    format: values.output,
    timeoutMs: values.timeout,
    maxTotal: values.max_total,
    seed: values.seed,
    now: values.now,
    pay: values.pay,
    // DRAY_YES does not count for a protected profile, because it may be in a shell's start-up file.
    yes: values.yes && (sources.yes === 'flag' || !isProtected),
    noInput: values.no_input,
    debug: values.debug,
    accessible: values.accessible,
    color: values.color,
    defaultParcel: profile.default_parcel ?? {},
    maps: config.maps ?? {},
    sources: {
      ...sources,
      profile: chosen.source,
      protected: profile.protected === undefined ? 'default' : 'profile',
      token,
    },
    configFile: configPath(paths.config),
    projectFile: project?.path,
    warnings,
  }
}

function findTarget(
  globals: Partial<Globals>,
  environment: Environment,
  {
    chosen,
    profile,
    values,
    sources,
  }: { chosen: ChosenProfile; profile: Profile; values: ResolvedValues; sources: Sources },
  warn: Warn,
): ReturnType<typeof resolveTarget> {
  return resolveTarget(
    {
      service: values.service,
      from: sources.service ?? 'default',
      name: chosen.name,
      asFlag: chosen.source === 'flag',
      profile,
      account: values.account,
      asked: globals.as,
      token: environment.token,
      oneActiveRide: values.one_active_ride ?? false,
      timeoutMs: values.timeout,
    },
    warn,
  )
}

type ChosenProfile = { name: string; source: SettingSource; where: string }

function chooseProfile(
  candidates: readonly (readonly [SettingSource, string | undefined, where: string])[],
): ChosenProfile {
  for (const [source, name, where] of candidates) {
    if (name === undefined) continue
    if (isProfileName(name)) return { name, source, where }
    const code = source === 'flag' || source === 'environment' ? 'usage' : 'config_error'
    throw new AppError(
      code,
      `${where}: ${JSON.stringify(name.slice(0, 60))} is not a profile name: ${PROFILE_NAME_RULE}.`,
    )
  }
  return { name: 'default', source: 'default', where: '' }
}

function findProfile(
  { name, source, where }: ChosenProfile,
  profiles: Readonly<Record<string, Profile>>,
  mayBeNew: boolean,
): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile !== undefined) return profile
  // `default` always exists: the embedded sandbox.
  if (name === 'default' || mayBeNew) return {}
  const known = [...new Set(['default', ...Object.keys(profiles)])].join(', ')
  throw new AppError(
    source === 'flag' || source === 'environment' ? 'usage' : 'config_error',
    `${where}: no profile ${name}. Profiles: ${known}.`,
    {
      hint: `\`dray profile add ${shellQuote(name)}\` makes it.`,
    },
  )
}

type Layer = readonly [SettingSource, Partial<SettingValues>]
type Sources = Record<keyof SettingValues, SettingSource | undefined>

/** Takes each value from the first layer that has it. */
function mergeLayers(layers: readonly Layer[]): { values: ResolvedValues; sources: Sources } {
  const values: Record<string, unknown> = {}
  const sources: Record<string, SettingSource> = {}
  for (const [source, layer] of layers) {
    for (const [name, value] of Object.entries(layer)) {
      if (value === undefined || name in values) continue
      values[name] = value
      sources[name] = source
    }
  }
  return { values: values as ResolvedValues, sources: sources as Sources }
}

function flagValues(globals: Partial<Globals>, folder: string | undefined): Partial<SettingValues> {
  if (globals.json && globals.output !== undefined && globals.output !== 'json') {
    throw new AppError('usage', `--json and --output ${globals.output} exclude each other; use one of them.`)
  }
  return defined({
    service: toService(globals.baseUrl, globals.store, folder, ['--base-url', '--store']),
    account: globals.as,
    output: globals.json ? 'json' : globals.output,
    color: globals.color,
    timeout: toTimeout(globals.timeout, '--timeout'),
    yes: globals.yes || undefined,
    no_input: globals.noInput || undefined,
    debug: globals.debug || undefined,
    accessible: globals.accessible || undefined,
  })
}

function environmentValues(environment: Environment, folder: string | undefined): Partial<SettingValues> {
  return defined({
    service: toService(environment.baseUrl, environment.store, folder, ['DRAY_BASE_URL', 'DRAY_STORE']),
    output: environment.output,
    timeout: toTimeout(environment.timeout, 'DRAY_TIMEOUT'),
    max_total: environment.maxTotal,
    one_active_ride: environment.oneActiveRide,
    seed: environment.seed,
    now: environment.now,
    yes: environment.yes,
    no_input: environment.noInput,
    debug: environment.debug,
    accessible: environment.accessible,
  })
}

function projectValues(project: ProjectFile | undefined): Partial<SettingValues> {
  return defined({ output: project?.output, color: project?.color })
}

function profileValues(profile: Profile): Partial<SettingValues> {
  return defined({
    service: toService(profile.base_url, profile.store, '/', ['base_url', 'store']),
    account: profile.account,
    pay: profile.pay,
    output: profile.output,
  })
}

function defined(values: {
  [Name in keyof SettingValues]?: SettingValues[Name] | undefined
}): Partial<SettingValues> {
  return values as Partial<SettingValues>
}

const DAY = 86_400_000

function toTimeout(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : parseDuration(text)
  if (ms !== undefined && ms > 0 && ms <= DAY) return ms
  throw new AppError(
    'usage',
    `${name} must be a time such as 30s, 5m or 1h, at most a day, not ${JSON.stringify(text.slice(0, 40))}.`,
  )
}

/** Returns the current folder; undefined if it was deleted, and with it any project file. Throws AppError('usage'). */
function currentFolder(runtime: Pick<Runtime, 'cwd'>): string | undefined {
  try {
    return runtime.cwd
  } catch (error) {
    if (error instanceof AppError && error.code === 'usage') throw error
    return undefined
  }
}
