import { dirname } from 'node:path'
import type { Runtime } from '../../cli/runtime.ts'
/** The checks of `dray doctor` in an embedded store. */
import type { Settings } from '../../cli/settings.ts'
import { isPostgresUrl } from '../../core/network.ts'
import { inspectStore, type StoreFacts } from '../../host/inspect.ts'
import { bytesText, type Check, ok, shell, toWrong, warning, wrong } from './check.ts'
import { checkFolder } from './machine.ts'

type Embedded = Extract<Settings['target'], { kind: 'embedded' }>

/** Returns the findings, and whether commands can open the store as it is. */
export async function checkStore(
  { store }: Embedded,
  isInEnvironment: boolean,
): Promise<{ checks: Check[]; canOpen: boolean }> {
  const place = isInEnvironment ? '"$DRAY_STORE"' : withoutPassword(store)
  if (store === ':memory:')
    return { checks: [ok('Store', 'in memory: it ends with the command')], canOpen: false }
  let facts: StoreFacts
  try {
    facts = await inspectStore(store)
  } catch (error) {
    return { checks: [toWrong('Store', error, fixOf(store, place, error))], canOpen: false }
  }
  const { checks, version } = facts.kind === 'sqlite' ? ofSqlite(store, facts) : ofPostgres(facts, place)
  const isWrong = checks.some(({ status }) => status === 'wrong')
  return { checks, canOpen: !isWrong && version === facts.known }
}

/** Returns the command after which commands work again; undefined where the message says all there is. */
function fixOf(store: string, place: string, error: unknown): string | undefined {
  if (isPostgresUrl(store)) return createdb(store, error) ?? `pg_isready --dbname ${place}`
  return error instanceof Error && /\b(?:damaged|empty|not a store)\b/.test(error.message)
    ? shell('mv', store, `${store}.broken`)
    : undefined
}

/** Returns the command that makes a database which its server does not have; undefined for another fault. */
function createdb(store: string, error: unknown): string | undefined {
  const url = URL.parse(store)
  if (url === null || !(error instanceof Error && /: database ".*" does not exist\./.test(error.message)))
    return undefined
  const name = decodeURIComponent(url.pathname.slice(1))
  url.pathname = '/postgres'
  return `createdb --maintenance-db ${withoutPassword(url.href)} ${shell(name)}`
}

/** The name of the database for a shell in which DRAY_STORE is not set; `psql` asks for the password itself. */
function withoutPassword(store: string): string {
  const url = URL.parse(store)
  if (url === null) return shell(store)
  url.password = ''
  return shell(url.href)
}

type Found = { checks: Check[]; version: number }

function ofSqlite(store: string, { known, facts }: Extract<StoreFacts, { kind: 'sqlite' }>): Found {
  if (facts === undefined) {
    const problem = checkFolder('Store', dirname(store))
    const coming = ok('Store', `${store} is not there yet; the first command makes it`)
    return { checks: [problem?.status === 'wrong' ? problem : coming], version: 0 }
  }
  const { bytes, walBytes, mode, isStore, schemaVersion: version, damage, wasRead } = facts
  const aside = shell('mv', store, `${store}.broken`)
  if (!isStore)
    return { checks: [wrong('Store', `${store} is another program's database`, aside, 'usage')], version }
  if (damage !== undefined)
    return { checks: [wrong('Store', `${store} is damaged: ${damage}`, aside, 'usage')], version }
  if (version > known) return { checks: [newer(store, version, known)], version }
  const size = bytesText(bytes + walBytes)
  const age =
    version < known ? `, schema ${version}; the next command brings it to ${known}` : `, schema ${version}`
  const read = wasRead ? '' : '; too long to be read whole here'
  const checks = [ok('Store', `${store}, ${size}${age}${read}`)]
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    const detail = `${store} is open to other users (mode ${mode.toString(8).padStart(4, '0')})`
    checks.push(warning('Store', detail, shell('chmod', '600', store)))
  }
  return { checks, version }
}

function newer(store: string, version: number, known: number): Check {
  const detail = `${store} was written by a newer dray (schema ${version}; this one knows ${known})`
  return wrong('Store', detail, 'npm install --global dray@latest', 'usage')
}

/** The value that each setting must have, and the risk of other values. */
const SETTINGS: readonly (readonly [name: string, wanted: string, risk: string])[] = [
  ['fsync', 'on', 'a crash of the machine can damage the whole database'],
  ['full_page_writes', 'on', 'a crash of the machine can damage the whole database'],
  ['synchronous_commit', 'on', 'a crash of the server can lose calls that were answered'],
  ['autovacuum', 'on', 'tables grow, and calls become slow'],
]
/** One process of `dray serve` takes up to ten connections. */
const FEW_CONNECTIONS = 20

type PostgresStore = Extract<StoreFacts, { kind: 'postgres' }>

function ofPostgres(store: PostgresStore, place: string): Found {
  const { version, schemaVersion, isEncrypted } = store.facts
  const encrypted = isEncrypted ? ', encrypted connection' : ''
  const server = ok('Store', `PostgreSQL ${version}, ${schemaText(store)}${encrypted}`)
  const found = [...findObstacles(store, place), ...findRisks(store.facts.settings, place)]
  const settings = found.length === 0 ? [ok('PostgreSQL', 'its settings keep every commit')] : found
  return { checks: [server, ...settings], version: schemaVersion }
}

function schemaText({ known, facts: { schemaVersion } }: PostgresStore): string {
  if (schemaVersion === 0) return 'empty; the first command fills it'
  const next = schemaVersion < known ? `; the next command brings it to ${known}` : ''
  return `schema ${schemaVersion}${next}`
}

/** Returns what keeps every command from writing. */
function findObstacles({ known, facts }: PostgresStore, place: string): Check[] {
  const checks: Check[] = []
  const add = (detail: string, fix: string): void =>
    void checks.push(wrong('PostgreSQL', detail, fix, 'usage'))
  if (facts.isStandby)
    add('This server is a standby and cannot write', 'Name the primary, by DRAY_STORE or --store')
  if (facts.settings['default_transaction_read_only'] === 'on')
    add(
      'default_transaction_read_only is on: nothing can be written',
      alter(place, 'default_transaction_read_only', 'off'),
    )
  if (!facts.mayCreate && facts.schemaVersion < known)
    add(
      'This user may not create tables in its schema',
      `psql ${place} -c 'grant create on schema public to current_user'`,
    )
  return checks
}

/** Returns the settings that work until something fails. */
function findRisks(settings: Readonly<Record<string, string>>, place: string): Check[] {
  const checks = SETTINGS.flatMap(([name, wanted, risk]) => {
    const value = settings[name] ?? wanted
    const isGood = value === wanted || (name === 'synchronous_commit' && value.startsWith('remote_'))
    return isGood ? [] : [warning('PostgreSQL', `${name} is ${value}: ${risk}`, alter(place, name, wanted))]
  })
  const connections = Number(settings['max_connections'] ?? FEW_CONNECTIONS)
  if (connections >= FEW_CONNECTIONS) return checks
  const detail = `max_connections is ${connections}; each process of dray serve takes up to 10`
  return [...checks, warning('PostgreSQL', detail, alter(place, 'max_connections', '100', false))]
}

function alter(place: string, name: string, value: string, isReloaded = true): string {
  const reload = isReloaded ? ` -c 'select pg_reload_conf()'` : '   # then restart the server'
  return `psql ${place} -c 'alter system set ${name} = ${value}'${reload}`
}

/** Looks at the sandbox clock of a store that can be opened. */
export async function checkClock(target: Embedded, runtime: Runtime): Promise<Check> {
  const warnings: string[] = []
  const client = await runtime.openClient(target, {
    firstRun() {},
    debug() {},
    warn: (line) => void warnings.push(line),
  })
  try {
    const { now, frozen } = await client.serviceTime()
    const at = new Date(now).toISOString().slice(0, 16).replace('T', ' ')
    const [stall] = warnings
    if (stall !== undefined) return warning('Clock', stall.split('. `')[0] ?? stall, 'dray sandbox clock run')
    return ok(
      'Clock',
      `the sandbox is at ${at} UTC, ${frozen ? 'frozen: `dray sandbox clock run` lets it run' : 'running'}`,
    )
  } catch (error) {
    return toWrong('Clock', error)
  } finally {
    await client.close()
  }
}
