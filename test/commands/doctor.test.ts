/** `dray doctor`: findings with the command that fixes each, also where other commands cannot start. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { readCertificate } from '../../src/client/probe.ts'
import { findProxy, formatProxySuffix } from '../../src/client/proxy.ts'
import type { Check } from '../../src/commands/doctor/check.ts'
import { doctor } from '../../src/commands/doctor/doctor.command.ts'
import { checkFolders, checkZone } from '../../src/commands/doctor/machine.ts'
import { checkPostgres, readWarnings } from '../../src/commands/postgres.ts'
import { AppError } from '../../src/core/errors.ts'
import { inspectPostgres } from '../../src/db/inspect.ts'
import { openStore } from '../../src/db/open.ts'
import type { Service } from '../../src/host/embedded.ts'
import { assertReady } from '../../src/host/hosting.ts'
import { makeCertificate } from '../support/certificate.ts'
import { embeddedIn } from '../support/embedded-client.ts'
import { type Home, makeHome } from '../support/home.ts'
import { memoryIo } from '../support/memory-io.ts'
import { statementsBackTo } from '../support/older-store.ts'
import { startReplicated } from '../support/postgres-server.ts'
import { createDatabase } from '../support/postgres.ts'
import { runCommand } from '../support/run-command.ts'
import { FROZEN } from '../support/sandbox-commands.ts'
import { makeTempFolder } from '../support/stores.ts'

type DoctorResult = { code: number; checks: Check[]; problems: string[] }

async function examine(home: Home, ...argv: string[]): Promise<DoctorResult> {
  const ran = await runCommand(home, doctor, [...argv, '--json'], {
    openClient: async (target) => {
      if (target.kind === 'embedded') return embeddedIn(home)(target)
      throw new AppError('invalid_token', 'The token is not valid.')
    },
  })
  const { data: checks } = ran.json() as { data: Check[] }
  const problems = checks
    .filter(({ check, status }) => status !== 'ok' && check !== 'Disk')
    .map(({ check, status, detail, fix }) => `${status} ${check}: ${detail} → ${fix ?? ''}`)
  return { code: ran.code, checks, problems }
}

test('finds nothing wrong in a new home, and makes nothing there', async () => {
  using home = makeHome()
  const { code, checks, problems } = await examine(home)
  expect({ code, problems }).toEqual({ code: 0, problems: [] })
  expect(checks.map(({ check }) => check)).toEqual([
    'Program',
    'Settings',
    'Folders',
    'Disk',
    'Store',
    'Keyring',
    'Pending calls',
    'Error ids',
  ])
  expect([home.paths.config, home.paths.data, home.paths.state].filter((path) => existsSync(path))).toEqual(
    [],
  )
})

test('removes the copies that killed commands left next to the store, and says so', async () => {
  using home = makeHome(FROZEN)
  const folder = `${home.paths.data}/default`
  const client = await embeddedIn(home)({
    kind: 'embedded',
    store: `${folder}/dray.db`,
    account: 'everything',
  })
  await client.close()
  const left = ['part', 'part-wal', 'lock'].map((ending) => `${folder}/.dray-${'7'.repeat(24)}.${ending}`)
  for (const path of left.slice(0, 2)) writeFileSync(path, 'x'.repeat(1_500_000))
  writeFileSync(left[2] ?? '', '')
  const { checks } = await examine(home)
  expect(checks.find(({ check }) => check === 'Copies')).toMatchObject({
    status: 'ok',
    detail: '2 files left by killed commands, 3.0 MB, removed',
  })
  expect(left.filter((path) => existsSync(path))).toEqual([])
  expect((await examine(home)).checks.map(({ check }) => check)).not.toContain('Copies')
})

test('says how a store differs from one of dray', async () => {
  using home = makeHome(FROZEN)
  const store = `${home.paths.data}/default/dray.db`
  await (await embeddedIn(home)({ kind: 'embedded', store, account: 'everything' })).close()
  {
    using db = new DatabaseSync(store)
    db.exec('create trigger gift after insert on events begin update wallets set balance = balance + 1; end')
  }
  const { problems } = await examine(home)
  expect(problems).toEqual([
    expect.stringContaining('was changed by another program: it has the trigger gift on events') as string,
  ])
})

test('reports a process that locks the store, so that every change waits', async () => {
  using home = makeHome(FROZEN)
  const store = `${home.paths.data}/default/dray.db`
  await (await embeddedIn(home)({ kind: 'embedded', store, account: 'everything' })).close()
  using db = new DatabaseSync(store)
  db.exec('begin immediate')
  const { code, problems } = await examine(home)
  expect([code, problems]).toEqual([
    0,
    [`warning Store: locked by another process, so nothing can be changed → fuser -v ${store}`],
  ])
})

test('works with settings that no other command starts with, and names the file', async () => {
  using home = makeHome()
  home.writeConfig('{"profiles": {')
  const { code, problems } = await examine(home)
  expect(code).toBe(2)
  expect(problems).toEqual([
    `wrong Settings: ${home.configFile}, line 1 is not JSON → mv ${home.configFile} ${home.configFile}.broken`,
  ])

  home.writeConfig({ profiles: { work: { base_url: 'http://127.0.0.1:9', keyring: true } } })
  expect((await examine(home, '--profile', 'wrok')).problems).toEqual([
    'wrong Settings: No profile wrok → dray profile add wrok',
  ])
})

test('tells of each fault of a store, with the command after which commands work', async () => {
  using home = makeHome(FROZEN)
  const store = `${home.paths.data}/default/dray.db`
  await (await embeddedIn(home)({ kind: 'embedded', store, account: 'everything' })).close()
  chmodSync(store, 0o644)
  chmodSync(home.paths.data, 0o755)
  expect(await examine(home)).toMatchObject({
    code: 0,
    problems: [
      `warning Folders: ${home.paths.data} is open to other users (mode 0755) → chmod 700 ${home.paths.data}`,
      `warning Store: ${store} is open to other users (mode 0644) → chmod 600 ${store}`,
    ],
  })
  chmodSync(home.paths.data, 0o700)

  const copy = `${home.cwd}/copy.db`
  const change = (work: (db: DatabaseSync) => void): void => {
    copyFileSync(store, copy)
    chmodSync(copy, 0o600)
    using db = new DatabaseSync(copy)
    work(db)
  }
  const aside = `mv ${copy} ${copy}.broken`
  const look = async (): Promise<string[]> => (await examine(home, '--store', copy)).problems
  change((db) => db.exec('pragma user_version = 99'))
  expect(await look()).toEqual([
    expect.stringMatching(
      /^wrong Store: .* was written by a newer dray \(schema 99; .* npm install --global dray@latest$/,
    ) as string,
  ])
  change((db) => db.exec('pragma application_id = 7'))
  expect(await look()).toEqual([`wrong Store: ${copy} is another program's database → ${aside}`])
  const bytes = readFileSync(store)
  writeFileSync(copy, bytes.fill(7, 8192, 40_960))
  expect(await look()).toEqual([expect.stringMatching(/^wrong Store: .* is damaged.* → mv /) as string])
  writeFileSync(copy, '')
  expect(await look()).toEqual([expect.stringContaining('is empty (0 bytes)') as string])
  change((db) => db.exec(statementsBackTo(14).join(';\n')))
  expect(
    (await examine(home, '--store', copy)).checks.find(({ check }) => check === 'Store')?.detail,
  ).toContain('schema 14; the next command upgrades it to')
})

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'tells of a read-only disk once, with what mends it, and of a store that cannot be made there',
  async () => {
    using home = makeHome()
    const disk = await makeTempFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', disk])
    onTestFinished(() => void execFileSync('umount', ['-l', disk]))
    const fault = `${disk} cannot be used: the disk is read-only → Choose a writable folder with DRAY_HOME or --store`
    expect(await examine(home, '--store', `${disk}/x.db`)).toMatchObject({
      code: 2,
      problems: [`wrong Store: ${fault}`],
    })
    const paths = { ...home.paths, config: `${disk}/config`, data: `${disk}/data`, state: `${disk}/state` }
    expect(checkFolders({ paths })).toMatchObject([{ check: 'Folders', detail: fault.split(' → ')[0] }])
  },
)

test('checks the connection to a service: none running, not ready, another time, a login that is gone', async () => {
  using home = makeHome({ DRAY_TOKEN: 'dray_sbx_test' })
  const io = memoryIo({ tty: true, columns: 60, env: { ...home.env, NO_COLOR: '1', LANG: 'C' } })
  const ran = await runCommand(home, doctor, ['--base-url', 'http://127.0.0.1:9'], { io })
  expect(ran.code).toBe(11)
  expect(io.out()).toContain(
    '✖ Service        http://127.0.0.1:9 cannot be reached:\n                 connection refused\n                 Fix: dray serve --port 9\n',
  )
  expect(io.out()).toContain('- Login')
  expect(io.out()).toContain('Fix: export LANG=C.UTF-8')
  expect(io.out()).toMatch(/One thing is wrong\. One warning\.\n$/)

  let ready = 503
  let body = '{"status":"ready"}'
  const server = createServer((_, response) => {
    response.writeHead(ready, { Date: 'Fri, 20 Nov 2026 08:50:00 GMT' }).end(body)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => void server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    expect((await examine(home, '--base-url', url)).problems).toEqual([
      expect.stringContaining('wrong Service:') as string,
      expect.stringMatching(
        /^warning Clock: This machine's clock is 600 s ahead of the service's → /,
      ) as string,
      'skipped Login: not checked: the server cannot be reached → ',
    ])
    ready = 200
    home.writeConfig({ profiles: { work: { base_url: url, keyring: true } } })
    delete home.env['DRAY_TOKEN']
    const { code, problems } = await examine(home, '--profile', 'work')
    expect(code).toBe(4)
    expect(problems).toContain('wrong Login: The token is not valid → dray login --profile work')
    // A page of another program is no service that is ready.
    body = '<html>Welcome</html>'
    for (ready of [200, 404])
      expect((await examine(home, '--profile', 'work')).problems).toContainEqual(
        expect.stringMatching(
          new RegExp(
            `^warning Service: .* /readyz does not report that it is ready \\(status ${ready}\\) → curl`,
          ),
        ),
      )
    expect(problems.at(-1)).toMatch(
      /^wrong Keyring: The login of work is in it, but .* → dray login --profile work$/,
    )
  } finally {
    server.close()
  }
})

test('gives the command that mends a variable, a proxy, an address or a folder', async () => {
  using home = makeHome()
  const first = async (env: Record<string, string>, ...argv: string[]): Promise<string | undefined> => {
    const kept = { ...home.env }
    Object.assign(home.env, env)
    const { problems } = await examine(home, ...argv)
    for (const name of Object.keys(env)) delete home.env[name]
    Object.assign(home.env, kept)
    return problems[0]
  }
  const must = (name: string): unknown =>
    expect.stringMatching(new RegExp(`^wrong \\w+: ${name} must be .* → unset ${name}$`))
  for (const name of ['DRAY_TIMEOUT', 'DRAY_OUTPUT', 'DRAY_SEED', 'DRAY_NOW'])
    expect(await first({ [name]: 'soon' })).toEqual(must(name))
  expect(await first({ DRAY_BASE_URL: 'http://127.0.0.1:9/v1' })).toMatch(
    / → export DRAY_BASE_URL=http:\/\/127\.0\.0\.1:9$/,
  )
  expect(
    await first({ HTTPS_PROXY: 'http://127.0.0.1:9' }, '--base-url', 'https://dray.example.com'),
  ).toMatch(/^wrong Service: .* connection refused → unset HTTPS_PROXY$/)

  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => void server.once('listening', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await first({ DRAY_BASE_URL: `https://${host}` })).toBe(
    `wrong Service: https://${host} cannot be reached: it does not use TLS → export DRAY_BASE_URL=http://${host}`,
  )
  server.close()

  writeFileSync(home.paths.data, 'a file')
  expect(await first({})).toBe(
    `wrong Folders: ${home.paths.data} is not a folder → mv ${home.paths.data} ${home.paths.data}.old`,
  )
})

test('tells of a home behind a link that leads nowhere, and looks at the disk of the store', async () => {
  using home = makeHome()
  symlinkSync(`${home.cwd}/gone`, home.paths.data)
  const found = await examine(home)
  expect(found.code).toBe(2)
  expect(found.problems[0]).toBe(`wrong Folders: ${home.paths.data} is a broken link → rm ${home.paths.data}`)
  const { checks } = await examine(home, '--store', '/tmp/dray-elsewhere/x.db')
  expect(checks.find(({ check }) => check === 'Disk')?.detail).toMatch(/ free at \/tmp$/)
})

test('does not call a login good that a service tells nothing of', async () => {
  using home = makeHome({ DRAY_TOKEN: 'dray_sbx_test' })
  const server = createServer((_, response) => void response.end('{"status":"ready"}')).listen(0, '127.0.0.1')
  await new Promise((resolve) => void server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ran = await runCommand(home, doctor, ['--base-url', url, '--json'], {
    openClient: async () =>
      ({
        whoAmI: async () => ({ accountId: undefined, account: undefined, scopes: undefined }),
        close: async () => {},
      }) as Partial<Client> as Client,
  })
  const { data: checks } = ran.json() as { data: Check[] }
  expect(checks.filter(({ check }) => ['Service', 'Login'].includes(check))).toMatchObject([
    { status: 'ok', detail: expect.stringMatching(/ms and is ready$/) as string },
    { status: 'skipped', detail: 'not checked: the server does not report the owner of the token' },
  ])
})

test('moves no folder or device out of the way of a store, and removes a link that leads nowhere', async () => {
  using home = makeHome()
  for (const place of [home.cwd, '/dev/full'])
    expect((await examine(home, '--store', place)).problems).toContainEqual(
      expect.stringMatching(/^wrong Store: .* → Choose a file with DRAY_HOME or --store$/) as string,
    )
  home.writeConfig({})
  unlinkSync(home.configFile)
  symlinkSync('nowhere', home.configFile)
  expect((await examine(home)).problems).toEqual([
    `wrong Settings: ${home.configFile} is a broken link → mv ${home.configFile} ${home.configFile}.broken`,
  ])
})

test('warns of a TZ that names no zone, and knows those of POSIX', () => {
  expect(['CET-1CEST', ':Europe/London', 'UTC0', ''].flatMap((TZ) => checkZone({ TZ }))).toEqual([])
  expect(checkZone({ TZ: 'Europe/Londn' })).toMatchObject([
    { check: 'Time zone', status: 'warning', fix: 'export TZ=Europe/London' },
  ])
})

test('tells of a store that cannot be looked at, and is no fault of dray itself', async () => {
  using home = makeHome()
  const circle = `${home.cwd}/circle`
  symlinkSync(circle, circle)
  const { code, problems } = await examine(home, '--store', `${circle}/dray.db`)
  expect(code).toBe(2)
  expect(problems).toEqual([
    expect.stringMatching(/^wrong Store: The store .* cannot be opened: its links lead in a circle/),
  ])
})

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'tells of a store that can be read, and not changed',
  async () => {
    using home = makeHome(FROZEN)
    const disk = await makeTempFolder()
    const store = `${disk}/dray.db`
    await (await embeddedIn(home)({ kind: 'embedded', store, account: 'everything' })).close()
    execFileSync('mount', ['--bind', store, store])
    execFileSync('mount', ['-o', 'remount,ro,bind', store])
    onTestFinished(() => void execFileSync('umount', ['-l', store]))
    expect((await examine(home, '--store', store)).problems).toEqual([
      `wrong Store: ${store} cannot be written: the disk is read-only → Choose a writable folder with DRAY_HOME or --store`,
    ])
  },
)

test('knows the proxy of an address, without its password, and the certificate of a service', async () => {
  const env = { HTTPS_PROXY: 'http://me:secret@proxy.example:3128', NO_PROXY: 'localhost, .inside.example' }
  const through = formatProxySuffix(new URL('https://api.example.com'), env)
  expect(through).toBe(' through the proxy proxy.example:3128 (HTTPS_PROXY)')
  expect(findProxy(new URL('https://api.inside.example'), env)).toBeUndefined()
  expect(findProxy(new URL('http://127.0.0.1:8080'), env)).toBeUndefined()
  expect(findProxy(new URL('https://api.example.com'), { https_proxy: '::' })).toEqual({
    variable: 'https_proxy',
    url: undefined,
  })

  const until = new Date('2049-01-01T00:00:00Z')
  const server = createSecureServer(makeCertificate('127.0.0.1', { from: new Date(0), until })).listen(
    0,
    '127.0.0.1',
  )
  await new Promise((resolve) => void server.once('listening', resolve))
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await readCertificate(url, 5000)).toMatchObject({ validTo: until.getTime(), trusted: false })
  server.close()
})

test('names the settings of PostgreSQL that risk a commit, and the statement for each', async () => {
  using home = makeHome()
  const url = await createDatabase()
  const client = new pg.Client(url)
  await client.connect()
  const name = new URL(url).pathname.slice(1)
  await client.query(`alter database ${name} set synchronous_commit = off`)
  await client.query(`alter database ${name} set default_transaction_read_only = on`)
  await client.end()
  home.env['DRAY_STORE'] = url
  const { code, problems } = await examine(home)
  expect(code).toBe(2)
  const found = problems.filter((line) => !line.includes('fsync') && !line.includes('full_page_writes'))
  expect(found).toEqual([
    `wrong PostgreSQL: default_transaction_read_only is on: writing is impossible → psql "$DRAY_STORE" -c 'alter database "${name}" set default_transaction_read_only = off'`,
    `warning PostgreSQL: synchronous_commit is off: a crash of the server can lose calls that were answered → psql "$DRAY_STORE" -c 'alter database "${name}" set synchronous_commit = on'`,
  ])

  delete home.env['DRAY_STORE']
  const wrong = new URL(url)
  wrong.password = 'secret'
  const bare = url.replace(/:[^:@/]*@/, '@')
  const missing = Object.assign(new URL(url), { pathname: '/not_made' }).href
  const server = Object.assign(new URL(bare), { pathname: '/postgres' }).href
  for (const [named, fix] of [
    [missing, `createdb --maintenance-db ${server} not_made`],
    [url, `psql ${bare} -c 'alter database`],
    [wrong.href, `pg_isready --dbname ${bare}`],
  ] as const) {
    const [first] = (await examine(home, '--store', named)).problems
    expect(first).toContain(`→ ${fix}`)
  }
})

test('tells of a standby that lacks the last commits, by figure and setting, and of a standby as the store', async () => {
  using home = makeHome(FROZEN)
  const server = await startReplicated()
  onTestFinished(() => server.stop())
  const url = await server.createDatabase()
  await (await embeddedIn(home)({ kind: 'embedded', store: url, account: 'everything' })).close()
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  const set = async (statement: string): Promise<void> => {
    await client.query(statement)
    await client.query('select pg_reload_conf()')
  }
  const look = async (): Promise<DoctorResult> => examine(home, '--store', url)
  const problems = async (): Promise<string[]> => (await look()).problems
  const setting = async (): Promise<string | undefined> =>
    (await look()).checks.find(({ check }) => check === 'PostgreSQL')?.detail
  await expect.poll(problems).toHaveLength(1)

  server.freeze()
  await client.query('create table more as select generate_series(1, 5000)')
  const late = await look()
  server.thaw()
  expect(late.code).toBe(0)
  expect(late.problems).toEqual([
    expect.stringMatching(
      /^warning PostgreSQL: A standby is asynchronous \(synchronous_standby_names is empty; \d[\d.]* [kM]B behind now\): a failover to it loses the latest changes → psql .*'alter system set synchronous_standby_names = .*ANY 1 \(\*\).*select pg_reload_conf/,
    ),
  ])
  expect(await readWarnings(url)).toEqual([
    expect.stringMatching(/^PostgreSQL: A standby is asynchronous .*\. `dray doctor` shows how to fix it\.$/),
  ])

  await set(`alter system set synchronous_standby_names = 'ANY 1 (*)'`)
  await expect.poll(problems).toEqual([])
  expect(await setting()).toBe(
    'a commit is written to the disk of this server and confirmed by a synchronous standby before its response',
  )
  await set('alter system set synchronous_commit = local')
  await expect
    .poll(problems)
    .toEqual([expect.stringContaining('A standby is asynchronous (synchronous_commit is local;')])
  await set('alter system reset synchronous_commit')
  await set(`alter system set synchronous_standby_names = 'elsewhere'`)
  await expect.poll(async () => (await look()).code).toBe(11)
  expect(await setting()).toBe(
    'No standby of synchronous_standby_names (elsewhere) is connected: every change waits for one',
  )
  await set('alter system reset synchronous_standby_names')

  const standby = server.onStandby(url)
  const found = await examine(home, '--store', standby)
  expect(found.problems).toEqual([
    'wrong PostgreSQL: This server is a standby and cannot write → Name the primary, by DRAY_STORE or --store; of several hosts in one address the primary is used',
  ])
  const db = await openStore(standby, { random: () => 0.5, seed: async () => {} })
  onTestFinished(() => db.close())
  await expect(assertReady({ db } as Service, { now: () => 0 })).rejects.toThrow('its server is a standby')
})

test('says of a lone server what its settings keep, and what they do not', async () => {
  const url = await createDatabase()
  const [lasting] = checkPostgres(
    { kind: 'postgres', known: 0, facts: { ...(await inspectPostgres(url)), settings: {} } },
    'x',
    undefined,
  ).checks.slice(1)
  expect(lasting?.detail).toBe(
    'a commit is written to the disk of this server before its response; no standby is connected, so the last backup is the latest copy',
  )
})
