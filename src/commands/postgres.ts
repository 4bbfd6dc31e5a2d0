/** The checks of `dray doctor` in a PostgreSQL store: what keeps it from writing, and which failures lose commits. */
import { AppError } from '../core/errors.ts'
import { inspectStore, STANDBY, type StoreFacts } from '../host/inspect.ts'
import {
  bytesText,
  type Check,
  okCheck,
  formatShellCommand,
  warningCheck,
  failedCheck,
} from './doctor/check.ts'

export type PostgresFindings = { checks: Check[]; version: number }

/** The settings that must not be off, and the risk when they are. */
const SETTINGS: readonly (readonly [name: string, risk: string])[] = [
  ['fsync', 'a crash of the machine can damage the whole database'],
  ['full_page_writes', 'a crash of the machine can damage the whole database'],
  ['synchronous_commit', 'a crash of the server can lose calls that were answered'],
  ['autovacuum', 'tables grow and calls become slow'],
]
/** One process of `dray serve` takes up to ten connections. */
const MIN_CONNECTIONS = 20

type PostgresStore = Extract<StoreFacts, { kind: 'postgres' }>

/** Returns the findings of a store that was looked at. `place` names it for a shell. */
export function checkPostgres(
  store: PostgresStore,
  place: string,
  unmakable: Check | undefined,
): PostgresFindings {
  const { version, schemaVersion, isEncrypted } = store.facts
  const encrypted = isEncrypted ? ', encrypted connection' : ''
  const server = okCheck('Store', `PostgreSQL ${version}, ${schemaText(store)}${encrypted}`)
  const found = [...findObstacles(store, place), ...findRisks(store.facts, place)]
  const settings = found.length === 0 ? [okCheck('PostgreSQL', durabilityText(store.facts))] : found
  const obstacle = unmakable === undefined ? [] : [unmakable]
  return { checks: [server, ...obstacle, ...settings], version: schemaVersion }
}

function schemaText({ known, facts: { schemaVersion } }: PostgresStore): string {
  if (schemaVersion === 0) return 'empty; the first command creates the tables'
  const next = schemaVersion < known ? `; the next command upgrades it to ${known}` : ''
  return `schema ${schemaVersion}${next}`
}

/** Returns what keeps every command from writing. */
function findObstacles({ known, facts }: PostgresStore, place: string): Check[] {
  const checks: Check[] = []
  const add = (detail: string, fix: string): void =>
    void checks.push(failedCheck('PostgreSQL', detail, fix, 'usage'))
  if (facts.isStandby) add(STANDBY.detail, STANDBY.fix)
  if (facts.settings['default_transaction_read_only']?.value === 'on')
    add(
      'default_transaction_read_only is on: writing is impossible',
      alter(facts, place, 'default_transaction_read_only', 'off'),
    )
  if (!facts.mayCreate && facts.schemaVersion < known)
    add(
      'This user cannot create tables in its schema',
      psql(place, 'grant create on schema public to current_user'),
    )
  return checks
}

/** Returns what works until something fails: settings, and standbys that lack the last commits. */
function findRisks(facts: PostgresStore['facts'], place: string): Check[] {
  const { settings } = facts
  const checks = SETTINGS.filter(([name]) => settings[name]?.value === 'off').map(([name, risk]) =>
    warningCheck('PostgreSQL', `${name} is off: ${risk}`, alter(facts, place, name, 'on')),
  )
  const behind = findLateStandbys(facts, place)
  if (behind !== undefined) checks.push(behind)
  const connections = Number(settings['max_connections']?.value ?? MIN_CONNECTIONS)
  if (connections >= MIN_CONNECTIONS) return checks
  const detail = `max_connections is ${connections}; each process of dray serve takes up to 10`
  const fix = `${psql(place, 'alter system set max_connections = 100')}   # then restart the server`
  return [...checks, warningCheck('PostgreSQL', detail, fix)]
}

type Standbys = PostgresStore['facts']['standbys']

/** Returns the names of the settings by which commits wait for no standby; nothing where they wait. */
function whyNoneIsAwaited({ settings }: PostgresStore['facts']): string | undefined {
  const commit = settings['synchronous_commit']?.value ?? 'on'
  if ((settings['synchronous_standby_names']?.value ?? '') === '') return 'synchronous_standby_names is empty'
  return commit === 'off' || commit === 'local' ? `synchronous_commit is ${commit}` : undefined
}

function isSynchronous({ state }: Standbys[number]): boolean {
  return state === 'sync' || state === 'quorum'
}

/** Returns a finding where a failover would lose calls that were answered, or where calls wait for a missing standby. */
function findLateStandbys(facts: PostgresStore['facts'], place: string): Check | undefined {
  const { standbys, settings } = facts
  if (facts.isStandby) return undefined
  const why = whyNoneIsAwaited(facts)
  if (why === undefined) {
    const names = settings['synchronous_standby_names']?.value ?? ''
    const isMissing = standbys.every((standby) => standby.state !== null && !isSynchronous(standby))
    const detail = `No standby of synchronous_standby_names (${names}) is connected: every change waits for one`
    return isMissing ? failedCheck('PostgreSQL', detail, 'Start such a standby', 'unavailable') : undefined
  }
  if (standbys.length === 0) return undefined
  const many = standbys.length > 1
  const lags = standbys.map(({ behindBytes }) => behindBytes).filter((bytes) => bytes !== null)
  const lag = lags.length === 0 ? '' : `; ${bytesText(Math.max(...lags))} behind now`
  const fix =
    why === 'synchronous_standby_names is empty'
      ? psql(place, `alter system set synchronous_standby_names = 'ANY 1 (*)'`, 'select pg_reload_conf()')
      : alter(facts, place, 'synchronous_commit', 'on')
  const who = many ? `${standbys.length} standbys are` : 'A standby is'
  const detail = `${who} asynchronous (${why}${lag}): a failover to ${many ? 'one' : 'it'} loses the latest changes`
  return warningCheck('PostgreSQL', detail, fix)
}

/** Returns what the settings promise for a commit, and what they do not. */
function durabilityText(facts: PostgresStore['facts']): string {
  const { standbys } = facts
  const disk = 'a commit is written to the disk of this server'
  if (whyNoneIsAwaited(facts) !== undefined)
    return `${disk} before its response; no standby is connected, so the last backup is the latest copy`
  const late = standbys.filter(({ state }) => state === 'async' || state === 'potential')
  const names = late.map(({ name }) => name ?? 'unnamed').join(', ')
  const others = late.length === 0 ? '' : `; a failover to ${names} would lose the latest changes`
  return `${disk} and confirmed by a synchronous standby before its response${others}`
}

/** Returns the warnings of a store that `dray serve` tells at its start. Says nothing of a server that does not answer. */
export async function readWarnings(location: string): Promise<string[]> {
  const found = await inspectStore(location).catch((error: unknown) => {
    if (error instanceof AppError) return undefined
    throw error
  })
  if (found?.kind !== 'postgres') return []
  const checks = [...findObstacles(found, ''), ...findRisks(found.facts, '')]
  return checks.map(({ detail }) => `PostgreSQL: ${detail}. \`dray doctor\` shows how to fix it.`)
}

/** Returns the command that changes a setting where it was made: that of a database or a user hides the server's. */
function alter(
  { settings, database }: PostgresStore['facts'],
  place: string,
  name: string,
  value: string,
): string {
  const inDatabase = `database "${database.replaceAll('"', '""')}"`
  const places: Readonly<Record<string, string>> = {
    database: inDatabase,
    user: 'role current_user',
    'database user': `role current_user in ${inDatabase}`,
  }
  const own = places[settings[name]?.source ?? '']
  if (own !== undefined) return psql(place, `alter ${own} set ${name} = ${value}`)
  return psql(place, `alter system set ${name} = ${value}`, 'select pg_reload_conf()')
}

function psql(place: string, ...statements: string[]): string {
  return ['psql', place, ...statements.flatMap((statement) => ['-c', formatShellCommand(statement)])].join(
    ' ',
  )
}
