/** The approval page of the built program: only the holder of the control token may approve. */
import fs from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { askForToken, visitApprovalLink, startLogin } from '../support/devices.ts'
import { createDatabase } from '../support/postgres.ts'
import {
  builtProgram,
  type CommandResult,
  startDray,
  type RunningProcess,
  splitCommandLine,
} from '../support/program.ts'
import { makeTempFolder } from '../support/stores.ts'

beforeAll(builtProgram)

type StartedService = { url: string; approval_link?: string }

/** Makes a machine on which services are started. */
async function makeMachine() {
  const home = await makeTempFolder()
  const env = { HOME: home, DRAY_HOME: home, DRAY_NO_KEYRING: '1' }
  return {
    home,
    dray: (line: string): Promise<CommandResult> => startDray(splitCommandLine(line), { env }).ended,
    async serve(line: string): Promise<StartedService & { stop(): Promise<CommandResult> }> {
      const server = startDray(splitCommandLine(`${line} --port 0 --json --quiet`), { env })
      onTestFinished(() => server.kill('SIGKILL'))
      const told = await readListening(server)
      return {
        ...told,
        url: told.url.replace('0.0.0.0', '127.0.0.1').replace(/\/mcp$/, ''),
        stop() {
          server.kill('SIGTERM')
          return server.ended
        },
      }
    },
  }
}

async function readListening({ onOutput, ended }: RunningProcess): Promise<StartedService> {
  let told = ''
  const listening = new Promise<StartedService>((resolve) => {
    onOutput((more) => {
      told += more
      if (told.includes('}')) resolve(JSON.parse(told) as StartedService)
    })
  })
  const failed = ended.then(({ stderr }): never => {
    throw new Error(`It ended before it listened: ${stderr}`)
  })
  return Promise.race([listening, failed])
}

type ApprovalPageResponse = { status: number; cookie: string; text: string; token: string }

/** Sends one request to the page, with any Host header. */
function ask(
  url: string,
  path: string,
  headers: Record<string, string>,
  form?: Record<string, string>,
): Promise<ApprovalPageResponse> {
  return new Promise((resolve, reject) => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const asking = request(
      new URL(path, url),
      { method: form === undefined ? 'GET' : 'POST', headers: { ...headers, ...(form && type) } },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (more: string) => (text += more))
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
            text,
            token: /name="token" value="(\w+)"/.exec(text)?.[1] ?? '',
          }),
        )
      },
    )
    asking.on('error', reject)
    asking.end(form === undefined ? undefined : new URLSearchParams(form).toString())
  })
}

/** Does what a browser does for a person with the address and the code. */
async function approveOnPage(
  url: string,
  user_code: string,
  headers: Record<string, string> = {},
  cookie?: string,
): Promise<ApprovalPageResponse> {
  const page = await ask(url, '/device', { ...headers, ...(cookie !== undefined && { cookie }) })
  const mine = { origin: url, ...headers, cookie: cookie ?? page.cookie }
  const consent = await ask(url, '/device/check', mine, { token: page.token, user_code })
  return ask(url, '/device/decide', mine, {
    token: consent.token,
    user_code,
    account: 'everything',
    decision: 'approve',
  })
}

describe('a user who only reaches the page approves nothing', () => {
  test.each<[what: string, line: string, headers: Record<string, string>]>([
    ['on the machine itself', 'serve', {}],
    ['of several processes', 'serve --cluster 2', {}],
    [
      'through a proxy',
      'serve --allowed-host api.example.com --trusted-proxy 127.0.0.1',
      {
        host: 'api.example.com',
        origin: 'http://api.example.com',
        'x-forwarded-for': '127.0.0.1',
        via: '1.1 proxy',
      },
    ],
    ['from another machine', 'serve --host 0.0.0.0 --sandbox-control', {}],
    ['of the tools over HTTP', 'mcp --http', {}],
  ])('%s', async (_what, line, headers) => {
    const { serve, home } = await makeMachine()
    const { url, approval_link } = await serve(`${line} --store ${join(home, 'store.db')}`)
    const login = await startLogin({ url })
    const decided = await approveOnPage(url, login.userCode, headers)
    expect([decided.status, decided.text]).toEqual([403, expect.stringContaining('dray sandbox approve')])
    expect(await askForToken({ url }, login)).toMatchObject({ error: 'authorization_pending' })

    // The person who started the login may approve it.
    const cookie = await visitApprovalLink(approval_link ?? '')
    const own = await approveOnPage(url, login.userCode, {}, cookie)
    expect([own.status, own.text]).toEqual([200, expect.stringContaining('The device is logged in')])
  })
})

test('an address has one limit at all processes of a service', async () => {
  const { serve, home } = await makeMachine()
  const { url } = await serve(`serve --cluster 2 --store ${join(home, 'store.db')}`)
  const ask = async (): Promise<number> => {
    const body = new URLSearchParams({ client_id: 'dray-cli', device_name: 'lighthouse' })
    return (await fetch(`${url}/oauth/device_authorization`, { method: 'POST', body })).status
  }
  // At once, over connections of their own, which the processes share among them.
  const statuses = await Promise.all(Array.from({ length: 40 }, ask))
  expect(statuses.filter((status) => status === 429)).toHaveLength(10)
})

test('a link is made on one node and opened at another, once', async () => {
  const [one, two] = [await makeMachine(), await makeMachine()]
  const store = await createDatabase()
  const first = await one.serve(`serve --store ${store}`)
  const second = await two.serve(`serve --store ${store}`)
  const made = (await one.dray(`sandbox approve --base-url ${first.url} --json`)).json<{
    approval_link: string
    expires_in: number
  }>()
  expect(made).toEqual({
    approval_link: expect.stringMatching(/^http:\S+\/device\?ticket=dray_tkt_[\w-]{43}$/),
    expires_in: 600,
  })
  const elsewhere = made.approval_link.replace(first.url, second.url)
  const cookie = await visitApprovalLink(elsewhere)
  expect([await visitApprovalLink(elsewhere), await visitApprovalLink(made.approval_link)]).toEqual(['', ''])
  const login = await startLogin(first)
  const { text } = await approveOnPage(second.url, login.userCode, {}, cookie)
  expect(text).toContain('The device is logged in')
})

describe('`dray sandbox approve` without a code', () => {
  test('finds the service that serves the same sandbox, and says so when there is none', async () => {
    const { serve, dray } = await makeMachine()
    const none = await dray('sandbox approve')
    expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('Start `dray serve`')])

    const { url } = await serve('serve')
    const ran = await dray('sandbox approve')
    const link = /http:\S+/.exec(ran.stdout)?.[0] ?? ''
    expect([ran.exitCode, link.startsWith(`${url}/device?ticket=`)], ran.stderr).toEqual([0, true])
    expect(await visitApprovalLink(link)).not.toBe('')
  })

  test('is rejected with a flag that needs a code', async () => {
    const { dray } = await makeMachine()
    const ran = await dray('sandbox approve --deny')
    expect([ran.exitCode, ran.stderr]).toEqual([2, expect.stringContaining('--deny needs the code')])
  })
})

test('a new control token ends what was approved with the old one, a restart does not', async () => {
  const { serve, home } = await makeMachine()
  const store = join(home, 'store.db')
  const first = await serve(`serve --store ${store}`)
  const cookie = await visitApprovalLink(first.approval_link ?? '')
  const secret = cookie.split('=')[1] ?? ''
  await first.stop()

  const second = await serve(`serve --store ${store}`)
  const page = (url: string) =>
    fetch(`${url}/device`, { headers: { cookie: `dray_device_${new URL(url).port}=${secret}` } })
  expect((await page(second.url)).status).toBe(200)
  await second.stop()

  fs.rmSync(`${store}.control`)
  const third = await serve(`serve --store ${store}`)
  expect((await page(third.url)).status).toBe(403)
})
