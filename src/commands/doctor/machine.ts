/** The checks of `dray doctor` on this machine: the program, its folders, the terminal, calls left open. */
import { accessSync, constants, lstatSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { CommandContext } from '../../cli/cli.ts'
import type { Runtime } from '../../cli/runtime.ts'
import { fileReason } from '../../core/file-reason.ts'
import { toZone } from '../../core/machine-zone.ts'
import { errorFile, listErrors } from '../../local-state/error-log.ts'
import { listPendingCalls } from '../../local-state/pending-calls.ts'
import { bytesText, type Check, okCheck, formatShellCommand, warningCheck, failedCheck } from './check.ts'

const MIN_NODE_MAJOR = 26
const MIN_HEALTHY_FREE_BYTES = 500_000_000
const MIN_FREE_BYTES = 20_000_000

export function checkProgram({ version }: Runtime): Check {
  const { node, sqlite } = process.versions
  const detail = `dray ${version}, Node ${node}, SQLite ${String(sqlite)}, ${process.platform} ${process.arch}`
  return Number(node.split('.')[0]) < MIN_NODE_MAJOR
    ? failedCheck(
        'Program',
        `${detail}; it needs Node ${MIN_NODE_MAJOR}`,
        'Install Node 26 from https://nodejs.org',
        'usage',
      )
    : okCheck('Program', detail)
}

/** Returns a finding for each folder that is not as it must be, or one for all of them. */
export function checkFolders({ paths }: Pick<Runtime, 'paths'>): Check[] {
  const folders = [paths.config, paths.data, paths.state]
  const found = folders.map((path) => checkFolder('Folders', path)).filter((check) => check !== undefined)
  // Folders that are not there yet may share the one above them.
  const distinct = found.filter(
    ({ detail }, at) => found.findIndex((other) => other.detail === detail) === at,
  )
  return distinct.length > 0 ? distinct : [okCheck('Folders', folders.join(', '))]
}

/** Returns what is wrong with a folder, or with the nearest one above it where it is not there yet. */
export function checkFolder(name: string, path: string): Check | undefined {
  const there = nearestFolder(path)
  try {
    const stat = statSync(there, { throwIfNoEntry: false })
    if (stat === undefined)
      return failedCheck(name, `${there} is a broken link`, formatShellCommand('rm', there), 'usage')
    if (!stat.isDirectory()) {
      return failedCheck(
        name,
        `${there} is not a folder`,
        formatShellCommand('mv', there, `${there}.old`),
        'usage',
      )
    }
    accessSync(there, constants.R_OK | constants.W_OK | constants.X_OK)
    // A folder that is not there yet will be made closed.
    if (there !== path || process.getuid === undefined) return undefined
    const mode = stat.mode & 0o777
    if ((mode & 0o077) === 0) return undefined
    return warningCheck(
      name,
      `${path} is open to other users (mode ${mode.toString(8).padStart(4, '0')})`,
      formatShellCommand('chmod', '700', path),
    )
  } catch (error) {
    const fix = fixOfAccess(error, there, path)
    return failedCheck(name, `${there} cannot be used: ${fileReason(error)}`, fix, 'usage')
  }
}

/** Returns what gives the user a file or folder that cannot be used, or the nearest folder above the `wanted` one. */
export function fixOfAccess(error: unknown, path: string, wanted = path): string | undefined {
  // No owner can write to a read-only disk, and a folder above the wanted one may belong to the system.
  if ((error as NodeJS.ErrnoException).code === 'EROFS' || path !== wanted)
    return 'Choose a writable folder with DRAY_HOME or --store'
  return process.getuid === undefined
    ? undefined
    : `sudo chown -R "$(id -u)" ${formatShellCommand(path)} && chmod -R u+rwX ${formatShellCommand(path)}`
}

/** Returns whether there is anything at a path; a link that leads nowhere is in the way, too. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    // A folder above it cannot be looked into.
    return false
  }
}

/** Returns the folder, or the nearest one above it that exists. */
function nearestFolder(path: string): string {
  let folder = path
  while (!isThere(folder) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

/** Looks at the disk of a store in a file, or else at that of the data folder. */
export function checkDisk({ paths }: Pick<Runtime, 'paths'>, store: string | undefined): Check {
  const folder = nearestFolder(store === undefined ? paths.data : dirname(store))
  try {
    const { bavail, bsize } = statfsSync(folder)
    const free = bavail * bsize
    const detail = `${bytesText(free)} free at ${folder}`
    if (free < MIN_FREE_BYTES)
      return failedCheck('Disk', detail, formatShellCommand('df', '-h', folder), 'rejected')
    return free < MIN_HEALTHY_FREE_BYTES
      ? warningCheck('Disk', detail, formatShellCommand('df', '-h', folder))
      : okCheck('Disk', detail)
  } catch (error) {
    return warningCheck('Disk', `Cannot read the free space at ${folder}: ${fileReason(error)}`)
  }
}

/** Returns a warning for a TZ that names no zone: its times are then those of UTC, as in every program. */
export function checkZone({ TZ }: Runtime['env']): Check[] {
  if (TZ === undefined || toZone(TZ) !== undefined) return []
  const detail = `TZ is ${JSON.stringify(TZ.slice(0, 40))}, which is not a time zone: times are shown in UTC`
  return [warningCheck('Time zone', detail, 'export TZ=Europe/London')]
}

/** Returns a warning for a terminal that draws names wrongly; nothing is said of a pipe. */
export function checkTerminal({ io }: Pick<CommandContext, 'io'>): Check[] {
  if (!io.stderr.isTTY || process.platform === 'win32') return []
  const locale = [io.env['LC_ALL'], io.env['LC_CTYPE'], io.env['LANG']].find((name) => (name ?? '') !== '')
  if (/utf-?8/i.test(locale ?? '')) return [okCheck('Terminal', `${io.env['TERM'] ?? 'unknown'}, ${locale}`)]
  const detail = `The locale is ${locale ?? 'not set'}: names with accents may be shown wrongly`
  return [warningCheck('Terminal', detail, 'export LANG=C.UTF-8')]
}

/** Names the file of the faults of dray itself, and the last one. */
export function checkErrors(runtime: Runtime): Check {
  const last = listErrors(runtime).at(-1)
  const { path } = errorFile(runtime)
  return last === undefined
    ? okCheck('Error ids', `no internal errors on this machine; ${path} would list them`)
    : okCheck(
        'Error ids',
        `the last is ${last.error_id} of \`dray ${last.command}\` at ${last.at}; ${path} has its details`,
      )
}

export function checkOpenCalls(runtime: Runtime): Check {
  const open = listPendingCalls(runtime).filter(({ running }) => running === undefined)
  const [first] = open
  if (first === undefined) return okCheck('Pending calls', 'no call from here was cut off')
  const count = open.length === 1 ? 'One call was' : `${open.length} calls were`
  return warningCheck(
    'Pending calls',
    `${count} interrupted before the response; the result is unknown`,
    formatShellCommand('dray', 'pending', 'resolve', first.intent.key),
  )
}
