import fs from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseBaseUrl } from '../../../src/cli/base-url.ts'
import type { CommandContext } from '../../../src/cli/cli.ts'
import { printListening } from '../../../src/commands/hosting/listening.ts'
import { startInline } from '../../support/inline.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { createDatabase } from '../../support/postgres.ts'
import { builtProgram, readServerUrl, startDray, splitCommandLine } from '../../support/program.ts'
import type { CommandResult } from '../../support/program.ts'
import { makeTempFolder } from '../../support/stores.ts'

beforeAll(builtProgram)

/** Makes a home, and functions that run `dray` in it: in this process, or as one of its own. */
async function makeUser() {
  const home = await makeTempFolder()
  const env = { HOME: home, DRAY_HOME: join(home, 'dray') }
  const dray = (line: string, more: Record<string, string> = {}): Promise<CommandResult> =>
    startInline(splitCommandLine(line), { env: { ...env, ...more } }).ended
  return { home, dray, start: (line: string) => startDray(splitCommandLine(line), { env }) }
}

type User = Awaited<ReturnType<typeof makeUser>>

/** `dray serve` of a user, listening. */
async function serve(user: User, flags = '') {
  const server = user.start(`serve --port 0 --json ${flags}`)
  const { kill, ended } = server
  const url = await readServerUrl(server)
  return {
    url,
    port: Number(new URL(url).port),
    kill,
    ended,
  }
}

test.each([
  ['http://127.0.0.1:8080', '127.0.0.1', 'http://127.0.0.1:8080', ''],
  [
    'http://10.0.0.5:8080',
    '10.0.0.5',
    null,
    /^`--base-url` does not take http:\/\/10\.0\.0\.5:8080: give .*https/,
  ],
])('says of %s whether it can be given to --base-url', async (url, host, base_url, sentence) => {
  const io = memoryIo()
  let said = ''
  const cli = {
    io,
    runtime: { pid: 7 },
    settings: { format: 'json' },
    say: async (text: string) => void (said = text),
  }
  await printListening(cli as unknown as CommandContext, url, host, { link: undefined })
  expect(JSON.parse(io.out())).toEqual({ url, base_url, pid: 7 })
  expect(typeof parseBaseUrl(url) === 'string').toBe(base_url === null)
  expect(said).toMatch(sentence)
})

describe('dray serve', () => {
  test('says where it listens, and stops at a signal', async () => {
    const user = await makeUser()
    const { onOutput, kill, pid, ended } = user.start('serve --port 0')
    onOutput(() => kill('SIGTERM'))
    const { exitCode, stdout, stderr } = await ended
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^Listening on http:\/\/127\.0\.0\.1:\d+ \(process \d+\)\n$/)
    expect(stdout).toContain(`(process ${pid})`)
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('closes its store on %s', async (signal) => {
    const user = await makeUser()
    const served = await serve(user)
    expect((await fetch(`${served.url}/readyz`)).status).toBe(200)
    served.kill(signal)
    expect((await served.ended).exitCode).toBe(0)
    const folder = join(user.home, 'dray/data/default')
    expect(fs.readdirSync(folder).toSorted()).toEqual(['dray.db', 'dray.db.control'])
    expect(fs.readdirSync(join(user.home, 'dray/state/served'))).toEqual([])
  })

  test('stops at once at a second signal, whatever runs', async () => {
    const user = await makeUser()
    const served = await serve(user)
    const { token } = (
      await user.dray(`sandbox account token everything --base-url ${served.url} --json`)
    ).json<{ token: string }>()
    const socket = connect(served.port, '127.0.0.1')
    const head = `Host: 127.0.0.1:${served.port}\r\nAuthorization: Bearer ${token}\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 10\r\n`
    socket.write(`POST /v1/shipments HTTP/1.1\r\n${head}\r\n`)
    // The server waits for the body now.
    await new Promise((resolve) => socket.once('data', resolve))
    served.kill('SIGTERM')
    await expect
      .poll(() =>
        fetch(`${served.url}/healthz`).then(
          () => 'listens',
          () => 'closed',
        ),
      )
      .toBe('closed')
    served.kill('SIGTERM')
    expect((await served.ended).signal).toBe('SIGTERM')
    socket.destroy()
  })

  test('serves the sandbox’s own commands to its user, with no token to copy', async () => {
    const user = await makeUser()
    const served = await serve(user)
    const clock = await user.dray(`sandbox clock advance 2h --base-url ${served.url} --json`)
    expect(clock.exitCode).toBe(0)
    const stranger = await makeUser()
    const refused = await stranger.dray(`sandbox clock advance 2h --base-url ${served.url} --json`)
    expect([refused.exitCode, refused.json<{ code: string }>().code]).toEqual([4, 'not_logged_in'])
    // A store of this size is replaced by a thread.
    const store = new DatabaseSync(join(user.home, 'dray/data/default/dray.db'))
    const count = (): unknown => store.prepare('select count(*) as blobs from blobs').get()?.['blobs']
    store.prepare('insert into blobs (sha256, bytes) values (?, zeroblob(?))').run('a', 17 << 20)
    expect(count()).toBe(1)
    const reset = await user.dray(
      `sandbox reset --seed 2 --confirm sandbox --base-url ${served.url} --json --query seed`,
    )
    expect([reset.json(), reset.stderr, count()]).toEqual(['2', '', 0])
    store.close()
    served.kill('SIGTERM')
    await served.ended
  })

  test('keeps the token of a database apart from its address, and off the log', async () => {
    const user = await makeUser()
    const database = await createDatabase()
    const served = await serve(user, `--store ${database}`)
    const [file = ''] = fs.readdirSync(join(user.home, 'dray/state/control'))
    const path = join(user.home, 'dray/state/control', file)
    expect(file).toMatch(/^[0-9a-f]{16}\.control$/)
    expect((fs.statSync(path).mode & 0o777).toString(8)).toBe('600')
    await fetch(`${served.url}/v1/hubs?postal_code=canary`, { headers: { Authorization: 'Bearer canary' } })
    served.kill('SIGTERM')
    const { exitCode, stderr } = await served.ended
    expect(exitCode).toBe(0)
    expect(stderr).toContain('"operation":"list_hubs"')
    expect(stderr).not.toContain('canary')
    expect(stderr).not.toContain(fs.readFileSync(path, 'utf8').trim())
  })

  test('writes its log to a file for its owner, a line for each request, and is quiet about it', async () => {
    const user = await makeUser()
    const log = join(user.home, 'service.log')
    const served = await serve(user, `--log ${log} --quiet`)
    await fetch(`${served.url}/healthz`)
    await fetch(`${served.url}/nothing`)
    served.kill('SIGTERM')
    expect((await served.ended).stderr).toBe('')
    const lines = fs.readFileSync(log, 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { method: 'GET', path: '/healthz', operation: 'healthz', status: 200, code: null },
      { method: 'GET', path: null, operation: null, status: 404, code: 'route_not_found' },
    ])
    expect((fs.statSync(log).mode & 0o777).toString(8)).toBe('600')
  })

  test('writes only the requested lines of the log', async () => {
    const user = await makeUser()
    const log = join(user.home, 'service.log')
    const served = await serve(user, `--log ${log} --status 4xx --account shipper`)
    const mint = async (account: string): Promise<string> =>
      (await user.dray(`sandbox account token ${account} --base-url ${served.url} --json`)).json<{
        token: string
      }>().token
    const [shipper, other] = [await mint('shipper'), await mint('everything')]
    for (const token of [shipper, other]) {
      for (const path of ['/v1/shipments', '/v1/shipments/ZZ123456785GB'])
        await fetch(`${served.url}${path}`, { headers: { Authorization: `Bearer ${token}` } })
    }
    served.kill('SIGTERM')
    await served.ended
    const lines = fs.readFileSync(log, 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      {
        method: 'GET',
        path: '/v1/shipments/{tracking_number}',
        operation: 'get_shipment',
        status: 404,
        code: 'shipment_not_found',
      },
    ])
  })

  test('warns where others can listen in, and denies them its control plane by default', async () => {
    const user = await makeUser()
    const [open, controlled] = await Promise.all([
      serve(user, '--host 0.0.0.0'),
      serve(await makeUser(), '--host 0.0.0.0 --sandbox-control'),
    ])
    const ask = async ({ port }: { port: number }): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}/sandbox/clock`)).status
    expect(await Promise.all([ask(open), ask(controlled)])).toEqual([404, 401])
    // --base-url takes the printed address.
    expect(open.url).toBe(`http://127.0.0.1:${open.port}`)
    for (const { kill } of [open, controlled]) kill('SIGTERM')
    const [{ stderr }] = await Promise.all([open.ended, controlled.ended])
    expect(stderr).toMatch(
      /^warning: 0\.0\.0\.0 is open to other machines, and tokens are sent unencrypted unless a proxy in front uses TLS\.$/m,
    )
  })

  test.each([
    ['serve --port 70000', '--port must be a number from 0 to 65535, not 70000.'],
    ['serve --base-url http://127.0.0.1:1', 'dray serve serves a store of this machine'],
    ['serve --port 0 --host 192.0.2.1', '192.0.2.1 is not an address of this machine.'],
    [
      'serve --port 0 --log /nowhere/at/all.log',
      '--log /nowhere/at/all.log cannot be written: there is no such folder.',
    ],
    ['serve --port 0 --status 6xx', '--status must be an HTTP status such as 404'],
    ['serve --port 0 --slower soon', '--slower must be'],
    ['serve --port 0 --operation list_hub', 'not "list_hub"; did you mean --operation list_hubs?'],
    ['sandbox log --operation nope', '--operation must be a logged operation, not "nope"'],
    ['sandbox log --status 4x', '--status must be an HTTP status such as 404'],
    ['sandbox log --slower -4', '--slower must be a number of milliseconds.'],
    ["sandbox approve ''", '<code> is empty'],
    ['sandbox approve BCDF-GHJK --deny --account member', 'leave out --account or --deny'],
    ['serve --port 0 --keep-alive 0', '--keep-alive must be a number of seconds from 1 to 3600, not 0.'],
    ['serve --port 0 --cluster 2 --keep-alive 1m', '--keep-alive must be a number of seconds'],
    ['mcp --http --port 0 --keep-alive 3601', '--keep-alive must be a number of seconds'],
    ['serve --port 0 --cluster 2 --allowed-host *.example.com', '--allowed-host must be one name, such as'],
    [
      'mcp --http --port 0 --allowed-host https://api.example.com',
      '--allowed-host must be one name, such as',
    ],
    [
      'serve --port 0 --allowed-origin *',
      '--allowed-origin must be an origin, such as http://localhost:5173',
    ],
    ['mcp --http --port 0 --allowed-origin localhost:5173', '--allowed-origin must be an origin, such as'],
    ['mcp --allowed-origin http://localhost:5173', '--allowed-origin needs --http.'],
    ['mcp --keep-alive 90', '--keep-alive needs --http.'],
    ['serve --port 0 --cluster 2 --metrics 9464', '--metrics must be an address and a port, such as'],
    ['serve --port 0 --metrics 192.0.2.1:9464', '192.0.2.1 is not an address of this machine.'],
    ['serve --port 0 --rate-limit often', '--rate-limit must be a number of requests'],
  ])('refuses with one sentence: %s', async (line, sentence) => {
    const { exitCode, stderr, stdout } = await (await makeUser()).dray(line)
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain(sentence)
  })

  test('tells its metrics to this machine, or at an address of their own, which it prints', async () => {
    const [user, own] = [await makeUser(), await makeUser()]
    const served = await serve(user)
    const apart = own.start('serve --port 0 --json --metrics 127.0.0.1:0')
    const { url, metrics_url: address } = await new Promise<{ url: string; metrics_url: string }>((resolve) =>
      apart.onOutput((text) => resolve(JSON.parse(text) as { url: string; metrics_url: string })),
    )
    const ask = async (at: string): Promise<[number, boolean]> => {
      const answer = await fetch(at)
      return [answer.status, (await answer.text()).includes('dray_store_up 1\n')]
    }
    expect(await Promise.all([`${served.url}/metrics`, address, `${url}/metrics`].map(ask))).toEqual([
      [200, true],
      [200, true],
      [404, false],
    ])
    expect(await ask(new URL('/v1/me/membership', address).href)).toEqual([404, false])
    for (const { kill } of [served, apart]) kill('SIGTERM')
    expect((await Promise.all([served.ended, apart.ended])).map(({ exitCode }) => exitCode)).toEqual([0, 0])
  })

  test('rejects an unknown account to log', async () => {
    const { exitCode, stderr } = await (await makeUser()).dray('serve --port 0 --account nobody')
    expect([exitCode, stderr.includes('The sandbox has no account nobody; it has ')]).toEqual([5, true])
  })

  test('rejects a port that is taken', async () => {
    const user = await makeUser()
    const served = await serve(user)
    const { exitCode, stderr } = await (await makeUser()).dray(`serve --port ${served.port}`)
    expect([exitCode, stderr.includes('is already in use')]).toEqual([2, true])
    served.kill('SIGTERM')
    await served.ended
  })
})

describe('dray openapi', () => {
  test('prints what a service serves', async () => {
    const user = await makeUser()
    const served = await serve(user)
    const printed = (await user.dray('openapi')).json()
    expect(await (await fetch(`${served.url}/openapi.json`)).json()).toEqual(printed)
    const sandbox = (await user.dray('openapi --sandbox')).json()
    expect(await (await fetch(`${served.url}/sandbox/openapi.json`)).json()).toEqual(sandbox)
    expect(sandbox).not.toEqual(printed)
    served.kill('SIGTERM')
    await served.ended
  })

  test('as YAML, and in parts', async () => {
    const user = await makeUser()
    expect((await user.dray('openapi --output yaml')).stdout).toMatch(/^openapi: 3\.1\.0\n/)
    const { stdout } = await user.dray('openapi --query "values(paths)[].get.operationId"')
    expect(JSON.parse(stdout)).toContain('list_shipments')
  })
})
