/**
 * The cluster of `docs/postgresql.md`: two servers of PostgreSQL 15, Patroni and etcd of Debian, which change roles under load
 * while two nodes of the built program write.
 */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { afterFile } from '../support/after-file.ts'
import { iterations, seed } from '../support/battery.ts'
import { installProgram } from '../support/debian.ts'
import { type Host, makeNetwork, signalHost } from '../support/networks.ts'
import { blocksOf, readPage } from '../support/pages.ts'
import { fc } from '../support/properties.ts'
import { ROOT } from '../support/sources.ts'
import { ALL_RIGHT, describeGaps, startWriters, type StoreWriters } from '../support/store-writers.ts'
import { makeTempFolder } from '../support/stores.ts'

const execute = promisify(execFile)
const BIN = '/usr/lib/postgresql/15/bin'
/** The path of the configuration in the guide. */
const CONFIG = '/etc/patroni/dray.yml'
/** Each is played once in every round, in an order that is drawn. */
const FAULTS = ['switchover', 'crash', 'kill', 'freeze', 'cut', 'etcd'] as const
type Fault = (typeof FAULTS)[number]
const ROUNDS = iterations(1, 3)
const MAX_PATRONI_TEST_MS = 3_600_000

/** A database server: Patroni, and the PostgreSQL that it starts. */
type Member = Host & { folder: string; config: string }

type Cluster = { members: [Member, Member]; etcd: Host; commands: string[] }

test(
  `${ROUNDS} rounds of failures lose nothing that was answered and double nothing (seed ${seed})`,
  async () => {
    const cluster = await startCluster()
    const [{ address: first }, { address: second }] = cluster.members
    const urlOf = (hosts: string): string =>
      `postgres://dray:change-me-4@${hosts}/dray?target_session_attrs=read-write`
    const writers = await startWriters(urlOf(`${first},${second}`))
    afterFile(writers.stop)
    const gaps = new Map<Fault, number[]>(FAULTS.map((fault) => [fault, []]))
    const orders = fc.sample(fc.shuffledSubarray([...FAULTS], { minLength: FAULTS.length }), {
      seed,
      numRuns: ROUNDS,
    })
    for (const fault of orders.flat()) {
      await writers.waitForAnswer()
      gaps.get(fault)?.push(await play(fault, cluster, writers))
    }
    const note = `${ROUNDS * FAULTS.length} failures; longest time without an answer: ${describeGaps(gaps)}`
    const { leader } = await rolesOf(cluster)
    expect(await writers.check(urlOf(leader.address), note)).toEqual(ALL_RIGHT)
  },
  MAX_PATRONI_TEST_MS,
)

/** Plays one failure of the leader, and its end. Returns how long no call was answered, in milliseconds. */
async function play(fault: Fault, cluster: Cluster, writers: StoreWriters): Promise<number> {
  const { begin, isSeen, resume, end } = makeFailure(fault, cluster, await rolesOf(cluster))
  const endGap = writers.watchGap()
  begin()
  await expect.poll(isSeen).toBe(true)
  resume?.()
  const gap = await endGap()
  end?.()
  // An old primary that runs again may take itself for one: a command that starts now must not use it.
  await writers.createAnew()
  await waitUntilSafe(cluster)
  return gap
}

type Failure = {
  begin(): void
  /** Returns whether it had its effect: another leader, a server that started again, or no leader at all. */
  isSeen(): boolean | Promise<boolean>
  /** Brings back something without which no call is answered. */
  resume?(): void
  /** Brings back the old leader, after calls were answered without it. */
  end?(): void
}

function makeFailure(fault: Fault, cluster: Cluster, { leader, other }: Roles): Failure {
  const isSeen = async (): Promise<boolean> => (await statusOf(other, 'leader')) === 200
  const postmaster = postmasterOf(leader)
  const failures: Readonly<Record<Fault, Failure>> = {
    switchover: { begin: () => runLine(cluster, 'switchover', leader), isSeen },
    crash: {
      begin: () => process.kill(postmaster, 'SIGKILL'),
      isSeen: () => ![0, postmaster].includes(postmasterOf(leader)),
    },
    kill: { begin: () => signalHost(leader, 'KILL'), isSeen, end: () => beginMember(leader) },
    freeze: { begin: () => signalHost(leader, 'STOP'), isSeen, end: () => signalHost(leader, 'CONT') },
    cut: { begin: () => leader.setConnected(false), isSeen, end: () => leader.setConnected(true) },
    etcd: {
      begin: () => signalHost(cluster.etcd, 'STOP'),
      isSeen: async () => (await statusOf(leader, 'leader')) !== 200,
      resume: () => signalHost(cluster.etcd, 'CONT'),
    },
  }
  return failures[fault]
}

async function startCluster(): Promise<Cluster> {
  await installProgram('ip', 'iproute2')
  await installProgram(join(BIN, 'initdb'), 'postgresql-15')
  await installProgram('patroni', 'patroni')
  await installProgram('etcd', 'etcd-server')
  const base = await makeTempFolder()
  chmodSync(base, 0o755)
  const { hosts, remove } = makeNetwork(3)
  afterFile(async () => remove())
  const [etcd, ...servers] = hosts as [Host, Host, Host]
  startEtcd(base, etcd)
  const members = servers.map((host, at) => makeMember(host, join(base, `db${at + 1}`), etcd))
  for (const member of members) beginMember(member)
  const [commands = ''] = blocksOf(readPage('docs/postgresql.md')).flatMap(({ text }) =>
    text.includes('patronictl') ? [text] : [],
  )
  const cluster = { members: members as [Member, Member], etcd, commands: commands.split('\n') }
  await waitUntilSafe(cluster)
  runLine(cluster, 'create database', (await rolesOf(cluster)).leader)
  return cluster
}

function startEtcd(base: string, { name, address }: Host): void {
  const clients = `http://${address}:2379`
  const flags = [
    `--data-dir=${join(base, 'etcd')}`,
    `--listen-client-urls=${clients}`,
    `--advertise-client-urls=${clients}`,
  ]
  spawn('ip', ['netns', 'exec', name, 'etcd', ...flags], { cwd: base, stdio: 'ignore' })
}

/** Writes the file of the guide with the addresses and folders of a field. */
function makeMember(host: Host, folder: string, etcd: Host): Member {
  const { uid, gid } = statSync('/var/lib/postgresql')
  mkdirSync(folder)
  chownSync(folder, uid, gid)
  const config = join(folder, 'dray.yml')
  const ours: readonly (readonly [string, string])[] = [
    ['name: db1', `name: ${host.name}`],
    ['db1', host.address],
    ['etcd1:2379,etcd2:2379,etcd3:2379', `${etcd.address}:2379`],
    ['10.0.0.0/24', etcd.address.replace(/\d+$/, '0/24')],
    ['/var/lib/postgresql', folder],
    ['/var/run/postgresql', folder],
  ]
  const shown = readFileSync(join(ROOT, 'examples/service/patroni.yml'), 'utf8')
  const text = ours.reduce((fitted, [from, to]) => {
    expect(fitted).toContain(from)
    return fitted.replaceAll(from, to)
  }, shown)
  writeFileSync(config, text)
  return { ...host, folder, config }
}

/** Returns the words of a program on the host of a field, as the user of the database. */
function wordsOf({ name }: Member, words: readonly string[]): string[] {
  return [
    'netns',
    'exec',
    name,
    'setpriv',
    '--reuid=postgres',
    '--regid=postgres',
    '--clear-groups',
    ...words,
  ]
}

function beginMember(member: Member): void {
  const log = openSync(join(member.folder, 'log'), 'a')
  const env = { PATH: process.env['PATH'], HOME: member.folder, LC_ALL: 'C.UTF-8' }
  const words = wordsOf(member, ['patroni', member.config])
  spawn('ip', words, { cwd: member.folder, env, stdio: ['ignore', log, log] })
}

/** Runs the line of the guide that has these words, on a field. */
function runLine({ commands }: Cluster, has: string, member: Member): void {
  const env = { PATH: process.env['PATH'], HOME: member.folder, PGHOST: member.folder, LC_ALL: 'C.UTF-8' }
  const script = lineOf(commands, has).replace(CONFIG, member.config)
  execFileSync('ip', wordsOf(member, ['sh', '-ec', script]), { cwd: member.folder, env, stdio: 'pipe' })
}

function lineOf(commands: readonly string[], has: string): string {
  const line = commands.find((command) => command.includes(has))
  if (line === undefined) throw new Error(`The guide has no line with ${has}`)
  return line
}

/** Asks the Patroni of a field. Returns the status, and 0 without a response. */
async function statusOf({ address }: Member, path: string): Promise<number> {
  try {
    return (await fetch(`http://${address}:8008/${path}`, { signal: AbortSignal.timeout(2000) })).status
  } catch {
    return 0
  }
}

type Roles = { leader: Member; other: Member }

async function rolesOf({ members: [first, second] }: Cluster): Promise<Roles> {
  return (await statusOf(first, 'leader')) === 200
    ? { leader: first, other: second }
    : { leader: second, other: first }
}

type ListedMember = { Role: string; State: string }

/** Waits until one field leads and the other one has every answered commit. Before, none would be promoted. */
async function waitUntilSafe({ members: [{ config }], commands }: Cluster): Promise<void> {
  const list = `${lineOf(commands, 'list').replace(/ *#.*/, '')} --format json`.replace(CONFIG, config)
  const roles = async (): Promise<string[]> => {
    const { stdout } = await execute('sh', ['-c', list], { timeout: 30_000 }).catch(() => ({ stdout: '[]' }))
    return (JSON.parse(stdout) as ListedMember[])
      .filter(({ State }) => ['running', 'streaming'].includes(State))
      .map(({ Role }) => Role)
      .toSorted()
  }
  await expect.poll(roles, { timeout: 300_000, interval: 200 }).toEqual(['Leader', 'Sync Standby'])
}

/** Returns the number of the first process of a member's PostgreSQL; 0 while none runs. */
function postmasterOf({ folder }: Member): number {
  try {
    return Number(readFileSync(join(folder, '15/dray/postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return 0
  }
}
