/** The checks of `dray doctor` in the configuration and the keyring. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { CommandContext } from '../../cli/cli.ts'
import { configPath, readConfig } from '../../cli/config-file.ts'
import type { Runtime } from '../../cli/runtime.ts'
import { resolveSettings, type Settings } from '../../cli/settings.ts'
import { AppError } from '../../core/errors.ts'
import {
  type Check,
  okCheck,
  formatShellCommand,
  toFailedCheck,
  unsetRefused,
  warningCheck,
  failedCheck,
} from './check.ts'
import { checkFolder, isThere } from './machine.ts'

/** Resolves the settings of other commands. Undefined settings cannot be used, and the findings say why. */
export function checkSettings({ globals, runtime }: Pick<CommandContext, 'globals' | 'runtime'>): {
  settings: Settings | undefined
  checks: Check[]
} {
  const path = configPath(runtime.paths.config)
  try {
    const settings = resolveSettings(globals, runtime, 'profile show')
    const { profile, warnings, projectFile } = settings
    const isKnown =
      profile === 'default' ||
      Object.hasOwn(readConfig(runtime.paths.config, () => {}).profiles ?? {}, profile)
    if (!isKnown) {
      const fix = formatShellCommand('dray', 'profile', 'add', profile)
      return { settings, checks: [failedCheck('Settings', `No profile ${profile}`, fix, 'usage')] }
    }
    const file = existsSync(path) ? path : `no ${path}: using defaults`
    const detail = `profile ${profile}, ${file}${projectFile === undefined ? '' : `, ${projectFile}`}`
    return {
      settings,
      checks: [okCheck('Settings', detail), ...warnings.map((text) => warningCheck('Settings', text))],
    }
  } catch (error) {
    return { settings: undefined, checks: [toFailedCheck('Settings', error, fixOf(error, path))] }
  }
}

function fixOf(error: unknown, path: string): string | undefined {
  if (!(error instanceof AppError)) return undefined
  if (error.message.startsWith(path))
    // A file that cannot even be seen lies in a folder that cannot be used.
    return isThere(path)
      ? formatShellCommand('mv', path, `${path}.broken`)
      : (checkFolder('Settings', dirname(path))?.fix ?? undefined)
  const address = /^DRAY_BASE_URL must end before \/v1: (\S+?)\.?$/.exec(error.message)?.[1]
  return address === undefined ? unsetRefused(error) : `export DRAY_BASE_URL=${formatShellCommand(address)}`
}

const KEYRING_MS = 3000

/** Looks whether the system's keyring answers, and whether the login needs it. */
export async function checkKeyring(settings: Settings | undefined, runtime: Runtime): Promise<Check> {
  const profile = settings?.profile ?? 'default'
  const isNeeded = settings?.target.kind === 'remote' && needsKeyring(runtime, profile)
  const stop = new AbortController()
  try {
    const late = runtime.sleep(KEYRING_MS, stop.signal).then(() => {
      throw new Error(`it did not respond within ${KEYRING_MS / 1000} s`)
    })
    await Promise.race([runtime.keyring().then((keyring) => keyring.read('doctor')), late])
    return okCheck('Keyring', 'it answers')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (!isNeeded) return okCheck('Keyring', `none (${reason}); logins are stored in a file with mode 0600`)
    const fix = formatShellCommand('dray', 'login', '--profile', profile)
    return failedCheck('Keyring', `The login of ${profile} is in it, but ${reason}`, fix, 'auth')
  } finally {
    stop.abort()
  }
}

function needsKeyring({ paths }: Runtime, profile: string): boolean {
  return readConfig(paths.config, () => {}).profiles?.[profile]?.keyring === true
}
