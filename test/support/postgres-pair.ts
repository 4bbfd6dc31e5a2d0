/**
 * Two PostgreSQL servers, each in a network namespace of its own: one follows the other and confirms each commit. They
 * can be killed, frozen or cut off, and change roles. Needs root, and `ip` and `setpriv` of Debian.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chownSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type Host, makeNetwork } from './networks.ts'
import { initOwn, signalAll } from './postgres-server.ts'

/** The fault of the primary before the other server is promoted. */
export type PrimaryFault = 'crash' | 'freeze' | 'cut' | 'stop'

export type PostgresPair = {
  /** The address of a database on both servers. */
  url: string
  /** The address of the database on the primary, and on the other server. */
  primaryUrl(): string
  otherUrl(): string
  /** Does something to the primary. */
  fault(fault: PrimaryFault): Promise<void>
  /** Makes the other server the primary. */
  promote(): Promise<void>
  /** Ends the fault: the old primary goes on, where it still runs, and takes itself for the primary. */
  heal(fault: PrimaryFault): void
  /** Makes the old primary a follower of the new one. Returns when it confirms commits. */
  rejoin(): Promise<void>
  stop(): Promise<void>
}

type Side = Host & { data: string; child: ChildProcess | undefined }

const SETTINGS = [
  'max_connections=100',
  'io_method=sync',
  'shared_buffers=64MB',
  'listen_addresses=*',
  'unix_socket_directories=',
  'lc_messages=C',
  'wal_retrieve_retry_interval=100ms',
  'wal_receiver_timeout=5s',
  'wal_sender_timeout=5s',
  'wal_keep_size=512MB',
]

/** Commits wait for one standby, whichever it is. */
const EVERY = 'ANY 1 (*)'

export async function startPostgresPair(): Promise<PostgresPair> {
  const { base, bin, data, run, password } = await initOwn()
  const { prefix, hosts, remove } = makeNetwork(2)
  const sides = hosts.map((host, at): Side => ({
    ...host,
    data: at === 0 ? data : join(base, 'copy'),
    child: undefined,
  }))
  let [primary, other] = sides as [Side, Side]
  const urlTo = ({ address }: Side, database = 'dray'): string =>
    `postgres://dray:${password}@${address}:5432/${database}`

  function begin(side: Side): void {
    const user = ['setpriv', `--reuid=${run.uid}`, `--regid=${run.gid}`, '--clear-groups']
    const settings = SETTINGS.flatMap((setting) => ['-c', setting])
    const words = ['netns', 'exec', side.name, ...user, join(bin, 'postgres'), '-D', side.data, ...settings]
    side.child = spawn('ip', words, { cwd: base, env: run.env, stdio: 'ignore' })
  }

  async function end(side: Side, signal: NodeJS.Signals): Promise<void> {
    const { child } = side
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    if (signal === 'SIGKILL') signalAll(child.pid ?? 0, signal)
    else child.kill(signal)
    await exit
  }

  /** Copies the files of a running server, as a base back-up does. */
  async function copy(from: Side, to: Side): Promise<void> {
    rmSync(to.data, { recursive: true, force: true })
    const client = await connect(urlTo(from, 'postgres'))
    await client.query(`select pg_backup_start('copy', true)`)
    // Files may go while they are copied; what they held is in the log.
    execFileSync('sh', ['-c', `cp -a '${from.data}' '${to.data}' 2>/dev/null; true`])
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
    await client.end()
    for (const left of ['postmaster.pid', 'postmaster.opts', 'standby.signal', 'postgresql.auto.conf'])
      rmSync(join(to.data, left), { force: true })
    const conninfo = `host=${from.address} port=5432 user=dray password=${password} application_name=${to.name}`
    const files = {
      backup_label: (rows[0] as { labelfile: string }).labelfile,
      'standby.signal': '',
      'postgresql.auto.conf': `primary_conninfo = '${conninfo}'\nsynchronous_standby_names = '${EVERY}'\n`,
    }
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(to.data, name), text)
      chownSync(join(to.data, name), run.uid ?? 0, run.gid ?? 0)
    }
  }

  /** Sets which standbys a commit waits for, as a manager of failovers does: for none while none is there. */
  async function waitFor(side: Side, names: string): Promise<void> {
    const client = await connect(urlTo(side, 'postgres'))
    await client.query(`alter system set synchronous_standby_names = '${names}'`)
    await client.query('select pg_reload_conf()')
    await client.end()
  }

  /** Waits until a query on a server has a row. */
  async function until(side: Side, query: string): Promise<void> {
    for (let left = 600; ; left--) {
      const client = await connect(urlTo(side, 'postgres')).catch(() => undefined)
      const found = await client?.query(query).catch(() => undefined)
      await client?.end().catch(() => {})
      if ((found?.rowCount ?? 0) > 0) return
      if (left === 0) throw new Error(`${side.name} never answered: ${query}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  const kill = (): void => {
    for (const { child } of sides) if (child?.exitCode === null) child.kill('SIGKILL')
  }
  process.prependOnceListener('exit', kill)

  const hba = ['all', 'replication'].map((what) => `host ${what} all ${prefix}.0/24 scram-sha-256\n`)
  appendFileSync(join(data, 'pg_hba.conf'), hba.join(''))
  begin(primary)
  await until(primary, 'select 1')
  await copy(primary, other)
  begin(other)
  const follows = `select 1 from pg_stat_replication where sync_state in ('sync', 'quorum')`
  const client = await connect(urlTo(primary, 'postgres'))
  await client.query(`create database dray template template0 encoding 'UTF8'`)
  await client.end()
  await waitFor(primary, EVERY)
  await until(primary, follows)

  return {
    url: urlTo(primary).replace(':5432/', `:5432,${other.address}:5432/`),
    primaryUrl: () => urlTo(primary),
    otherUrl: () => urlTo(other),
    async fault(fault) {
      const pid = primary.child?.pid ?? 0
      if (fault === 'crash') await end(primary, 'SIGKILL')
      if (fault === 'stop') await end(primary, 'SIGINT')
      if (fault === 'freeze') signalAll(pid, 'SIGSTOP')
      if (fault === 'cut') primary.setConnected(false)
    },
    async promote() {
      const to = await connect(urlTo(other, 'postgres'))
      await to.query('select pg_promote(true, 60)')
      await to.end()
      await waitFor(other, '')
      ;[primary, other] = [other, primary]
    },
    heal(fault) {
      if (fault === 'freeze') signalAll(other.child?.pid ?? 0, 'SIGCONT')
      if (fault === 'cut') other.setConnected(true)
    },
    async rejoin() {
      await end(other, 'SIGQUIT')
      await copy(primary, other)
      begin(other)
      await waitFor(primary, EVERY)
      await until(primary, follows)
    },
    async stop() {
      for (const side of sides) await end(side, 'SIGKILL')
      process.off('exit', kill)
      remove()
      rmSync(base, { recursive: true, force: true })
    },
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  await client.connect()
  return client
}
