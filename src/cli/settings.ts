/** The settings in force for one command, and where each came from. */
import type { Target } from '../client/client.ts'
import type { Runtime } from '../runtime.ts'
import type { Format, Globals } from './globals.ts'

export type Source = 'flag' | 'environment' | 'project file' | 'profile' | 'default'

export type Settings = {
  profile: string
  /** A protected profile asks for `--confirm <profile>` before anything that is not a read. */
  protected: boolean
  target: Target
  format: Format
  timeoutMs: number | undefined
  yes: boolean
  noInput: boolean
  debug: boolean
  accessible: boolean
  color: Globals['color']
  /** Column defaults of manifests that lack them, by column name. */
  defaultParcel: Readonly<Record<string, string>>
  /** Saved column maps by name. */
  maps: Readonly<Record<string, Readonly<Record<string, string>>>>
  sources: Readonly<Record<string, Source>>
}

/** Flag > environment > nearest .dray.json > profile > default. Throws AppError('config_error' | 'usage'). */
export function resolveSettings(globals: Globals, runtime: Runtime): Settings {
  const home = runtime.paths
  return {
    profile: 'default',
    protected: false,
    target: { kind: 'embedded', store: globals.store ?? `${home.data}/default/dray.db`, account: globals.as ?? 'everything' },
    format: globals.json ? 'json' : (globals.output ?? 'table'),
    timeoutMs: undefined,
    yes: globals.yes,
    noInput: globals.noInput,
    debug: globals.debug,
    accessible: globals.accessible,
    color: globals.color,
    defaultParcel: {},
    maps: {},
    sources: {},
  }
}
