/** The checks of `dray doctor` in an embedded store. */
import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { cellText } from '../../cli/output/cell.ts'
import type { Runtime } from '../../cli/runtime.ts'
import type { Settings } from '../../cli/settings.ts'
import { fileReason } from '../../core/file-reason.ts'
import { isPostgresUrl } from '../../core/network.ts'
import { forPsql, hidePassword } from '../../core/postgres-url.ts'
import { toTimestamp } from '../../core/time.ts'
import { assertSeedable, inspectStore, isStoreHeld, type StoreFacts } from '../../host/inspect.ts'
import { removeStaleFiles } from '../../host/stale-files.ts'
import { type PostgresFindings, checkPostgres } from '../postgres.ts'
import {
  bytesText,
  type Check,
  okCheck,
  formatShellCommand,
  toFailedCheck,
  unsetRefused,
  warningCheck,
  failedCheck,
} from './check.ts'
import { checkFolder, fixOfAccess } from './machine.ts'

type EmbeddedTarget = Extract<Settings['target'], { kind: 'embedded' }>

/** Returns the findings, and whether commands can open the store as it is. */
export async function checkStore(
  { store }: EmbeddedTarget,
  isInEnvironment: boolean,
  runtime: Runtime,
): Promise<{ checks: Check[]; canOpen: boolean }> {
  const place = isInEnvironment && forPsql(store) === store ? '"$DRAY_STORE"' : withoutPassword(store)
  if (store === ':memory:')
    return { checks: [okCheck('Store', 'in memory: it is deleted when the command ends')], canOpen: false }
  let facts: StoreFacts
  try {
    facts = await inspectStore(store)
  } catch (error) {
    return { checks: [toFailedCheck('Store', error, fixOf(store, place, error))], canOpen: false }
  }
  const unmakable = isNew(facts) ? await checkSeed(runtime) : undefined
  const { checks, version } =
    facts.kind === 'sqlite' ? ofSqlite(store, facts, unmakable) : checkPostgres(facts, place, unmakable)
  const left = sweepLeft(store, runtime)
  if (left !== undefined) checks.push(left)
  const isWrong = checks.some(({ status }) => status === 'wrong')
  const canOpen = !isWrong && version === facts.known
  if (canOpen && isStoreHeld(store))
    checks.push(
      warningCheck(
        'Store',
        'locked by another process, so nothing can be changed',
        formatShellCommand('fuser', '-v', store),
      ),
    )
  return { checks, canOpen }
}

/** Removes the copies that killed restores, back-ups and services left; returns the finding if there were some. */
function sweepLeft(store: string, runtime: Pick<Runtime, 'now' | 'paths'>): Check | undefined {
  const { files, bytes } = removeStaleFiles(store, runtime)
  if (files === 0) return undefined
  const what = files === 1 ? '1 file' : `${files} files`
  return okCheck('Copies', `${what} left by killed commands, ${bytesText(bytes)}, removed`)
}

function isNew(found: StoreFacts): boolean {
  return found.kind === 'sqlite' ? found.facts === undefined : found.facts.schemaVersion === 0
}

/** Returns what keeps the first command from making a store. */
async function checkSeed({ now, weakRandomBytes, env }: Runtime): Promise<Check | undefined> {
  try {
    await assertSeedable({ now, random: weakRandomBytes, env })
    return undefined
  } catch (error) {
    return toFailedCheck('Store', error, unsetRefused(error))
  }
}

/** Returns the command after which commands work again; undefined where the message says all there is. */
function fixOf(store: string, place: string, error: unknown): string | undefined {
  if (isPostgresUrl(store)) return createdb(store, error) ?? `pg_isready --dbname ${place}`
  // Neither a folder nor a device may be moved out of the way.
  if (error instanceof Error && /: it is (?:a folder|no plain file)\./.test(error.message))
    return 'Choose a file with DRAY_HOME or --store'
  if (error instanceof Error && /\b(?:damaged|empty|not a store)\b/.test(error.message))
    return formatShellCommand('mv', store, `${store}.broken`)
  return checkFolder('Store', dirname(store))?.fix ?? fixOfAccess(error, store)
}

/** Returns the command that makes a database which its server does not have; undefined for another fault. */
function createdb(store: string, error: unknown): string | undefined {
  const [, name] = (error instanceof Error && /: database "(.*)" does not exist\./.exec(error.message)) || []
  if (name === undefined) return undefined
  const maintenance = store.replace(/^([^/]*\/\/[^/?#]*)(?:\/[^?#]*)?/, '$1/postgres')
  return `createdb --maintenance-db ${withoutPassword(maintenance)} ${formatShellCommand(name)}`
}

/** The name of the database for a shell in which DRAY_STORE is not set; `psql` asks for the password itself. */
function withoutPassword(store: string): string {
  return formatShellCommand(isPostgresUrl(store) ? forPsql(hidePassword(store, '')) : store)
}

function ofSqlite(
  store: string,
  { known, facts }: Extract<StoreFacts, { kind: 'sqlite' }>,
  unmakable: Check | undefined,
): PostgresFindings {
  if (facts === undefined) {
    const problem = checkFolder('Store', dirname(store))
    const coming = okCheck('Store', `${store} does not exist yet; the first command creates it`)
    return { checks: [problem?.status === 'wrong' ? problem : (unmakable ?? coming)], version: 0 }
  }
  const { bytes, walBytes, mode, isStore, schemaVersion: version, damage, wasRead, difference } = facts
  const aside = formatShellCommand('mv', store, `${store}.broken`)
  if (!isStore)
    return {
      checks: [failedCheck('Store', `${store} is another program's database`, aside, 'usage')],
      version,
    }
  if (damage !== undefined)
    return { checks: [failedCheck('Store', `${store} is damaged: ${damage}`, aside, 'usage')], version }
  if (difference !== undefined)
    return {
      checks: [
        failedCheck('Store', `${store} was changed by another program: ${difference}`, aside, 'usage'),
      ],
      version,
    }
  if (version > known) return { checks: [newer(store, version, known)], version }
  const locked = checkWritable(store)
  if (locked !== undefined) return { checks: [locked], version }
  const size = bytesText(bytes + walBytes)
  const age =
    version < known ? `, schema ${version}; the next command upgrades it to ${known}` : `, schema ${version}`
  const read = wasRead ? '' : '; too large for a full check'
  const checks = [okCheck('Store', `${store}, ${size}${age}${read}`)]
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    const detail = `${store} is open to other users (mode ${mode.toString(8).padStart(4, '0')})`
    checks.push(warningCheck('Store', detail, formatShellCommand('chmod', '600', store)))
  }
  return { checks, version }
}

/** Returns what keeps every change from a store that can be read. */
function checkWritable(store: string): Check | undefined {
  try {
    accessSync(store, constants.R_OK | constants.W_OK)
  } catch (error) {
    return failedCheck(
      'Store',
      `${store} cannot be written: ${fileReason(error)}`,
      fixOfAccess(error, store),
      'usage',
    )
  }
  const folder = checkFolder('Store', dirname(store))
  return folder?.status === 'wrong' ? folder : undefined
}

function newer(store: string, version: number, known: number): Check {
  const detail = `${store} was written by a newer dray (schema ${version}; this one knows ${known})`
  return failedCheck('Store', detail, 'npm install --global dray@latest', 'usage')
}

/** Looks at the sandbox clock of a store that can be opened. */
export async function checkClock(target: EmbeddedTarget, runtime: Runtime): Promise<Check> {
  const warnings: string[] = []
  const client = await runtime.openClient(target, {
    firstRun() {},
    debug() {},
    warn: (line) => void warnings.push(line),
  })
  try {
    const { now, frozen } = await client.serviceTime()
    const at = cellText(toTimestamp(now), 'at', { tty: true, width: 80, colour: false })
    const [stall] = warnings
    if (stall !== undefined)
      return warningCheck('Clock', stall.split('. `')[0] ?? stall, 'dray sandbox clock run')
    return okCheck(
      'Clock',
      `the sandbox is at ${at}, ${frozen ? 'frozen: `dray sandbox clock run` lets it run' : 'running'}`,
    )
  } catch (error) {
    return toFailedCheck('Clock', error)
  } finally {
    await client.close()
  }
}
