import type { Paths } from './core/machine.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The user's own folder, never the working one: a configuration found there could be a stranger's. */
function findHome(env: Environment): string {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? ''
  if (/^(?:\/|\\\\|[a-z]:)/i.test(home)) return home.replace(/\/+$/, '')
  try {
    return process.getBuiltinModule('node:os').userInfo().homedir
  } catch {
    // A user without an entry in the system's list, as in some containers.
    return ''
  }
}

/** Returns the place where configuration, stores and journals live: DRAY_HOME for all, else what the platform expects. */
export function resolvePaths(env: Environment, platform: string): Paths {
  if (env['DRAY_HOME'])
    return {
      config: `${env['DRAY_HOME']}/config`,
      data: `${env['DRAY_HOME']}/data`,
      state: `${env['DRAY_HOME']}/state`,
    }
  const home = findHome(env)
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA'] ?? `${home}/AppData/Local`
    return {
      config: `${env['APPDATA'] ?? `${home}/AppData/Roaming`}/dray`,
      data: `${local}/dray/data`,
      state: `${local}/dray/state`,
    }
  }
  if (platform === 'darwin') {
    const support = `${home}/Library/Application Support/dray`
    return { config: `${home}/Library/Preferences/dray`, data: `${support}/data`, state: `${support}/state` }
  }
  const under = (name: string, fallback: string): string => {
    const value = env[name]
    // The XDG specification: a relative path is ignored.
    return `${value?.startsWith('/') ? value : `${home}/${fallback}`}/dray`
  }
  return {
    config: under('XDG_CONFIG_HOME', '.config'),
    data: under('XDG_DATA_HOME', '.local/share'),
    state: under('XDG_STATE_HOME', '.local/state'),
  }
}
