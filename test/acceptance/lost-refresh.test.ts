/**
 * Interrupted renewals of a login: the service dies before its response arrives, or the command before it stores it.
 */
import fs from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, type TestContext, test } from 'vitest'
import { openStore } from '../../src/db/open.ts'
import { limit, recordTally, iterations } from '../support/battery.ts'
import { type ProxyFault, startFaultProxy } from '../support/fault-proxy.ts'
import {
  builtProgram,
  readServerUrl,
  startDray,
  type RunningProcess,
  splitCommandLine,
} from '../support/program.ts'
import { type Engine, ENGINES, makeTempFolder } from '../support/stores.ts'

beforeAll(builtProgram)

/** Makes a service that can be killed, a logged-in user, and a proxy between them. */
async function logIn(engine: Engine, { expect, onTestFinished }: TestContext) {
  const home = await makeTempFolder()
  const env = { HOME: home, DRAY_HOME: home, DRAY_NO_KEYRING: '1' }
  const store = await engine.locate()
  const dray = (line: string): RunningProcess => startDray(splitCommandLine(line), { env })
  let server: RunningProcess
  let url = ''
  const serve = async (): Promise<void> => {
    server = dray(`serve --port 0 --json --quiet --store ${store}`)
    url = await readServerUrl(server)
  }
  await serve()
  onTestFinished(() => server.kill('SIGKILL'))

  const proxy = await startFaultProxy(url)
  const pass: ProxyFault = async ({ asked, forward, pass: answer }) => answer(await forward(url + asked.url))
  const onRenewal = (fault: ProxyFault): void =>
    proxy.choose(({ url: path }) => (path === '/oauth/token' ? fault : pass))
  proxy.choose(() => pass)

  const config = join(home, 'config')
  const login = dray(`login --base-url ${proxy.url} --profile local --json`)
  const code = await new Promise<string>((resolve) => {
    let told = ''
    login.onNotice((more) => {
      const found = /"user_code":\s*"([\w-]+)"/.exec((told += more))
      if (found !== null) resolve(found[1] ?? '')
    })
  })
  await dray(`sandbox approve ${code} --account shipper --base-url ${url}`).ended
  expect((await login.ended).exitCode).toBe(0)
  return {
    dray,
    config,
    pass,
    onRenewal,
    url: () => url,
    async killServer() {
      server.kill('SIGKILL')
      await server.ended
      await serve()
    },
    /** Expires the access token. */
    async outlive() {
      const token = fs.readFileSync(join(home, 'state/served', `${new URL(url).port}.control`), 'utf8').trim()
      const answer = await fetch(`${url}/sandbox/clock/advance`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{"by":"2h"}',
      })
      expect(answer.status).toBe(200)
    },
    kept: (): Record<string, string> =>
      (
        JSON.parse(fs.readFileSync(join(config, 'config.json'), 'utf8')) as {
          profiles: { local: Record<string, string> }
        }
      ).profiles.local,
    async grants() {
      const db = await openStore(store, { seed: async () => {}, random: () => 0.5 })
      const rows = await db.read((tx) => tx.all('select grant_id from grants'))
      await db.close()
      return rows.length
    },
    refresh: (token: string | undefined) =>
      fetch(`${url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: 'dray-cli',
          refresh_token: token ?? '',
        }),
      }),
  }
}

/** Each kill costs the start of a service or of two commands. */
const PATIENCE = limit(180_000, 1_800_000)

const COMMAND = 'carrier list --profile local --json'

describe.concurrent.each(ENGINES)('on $name', (engine) => {
  test(
    'a service that dies between its commit and its answer ends no login',
    async (context) => {
      const { expect } = context
      const { dray, outlive, onRenewal, killServer, grants, pass, url } = await logIn(engine, context)
      const kills = iterations(4, 150)
      recordTally({ tries: kills })
      for (let kill = 0; kill < kills; kill += 1) {
        await outlive()
        let killed = false
        onRenewal(async (way) => {
          if (killed) {
            await pass(way)
            return
          }
          killed = true
          await way.forward(url() + way.asked.url)
          await killServer()
          way.response.destroy()
        })
        const { exitCode, stderr } = await dray(COMMAND).ended
        expect([kill, exitCode, killed], stderr).toEqual([kill, 0, true])
      }
      expect(await grants()).toBe(1)
    },
    PATIENCE,
  )

  test(
    'a command that dies before it kept the new tokens ends no login',
    async (context) => {
      const { expect } = context
      const { dray, outlive, onRenewal, config, grants, pass, url } = await logIn(engine, context)
      const kills = iterations(6, 300)
      recordTally({ tries: kills })
      for (let kill = 0; kill < kills; kill += 1) {
        await outlive()
        const command = dray(COMMAND)
        let watcher: fs.FSWatcher | undefined
        onRenewal(async (way) => {
          const answered = await way.forward(url() + way.asked.url)
          // Before the response, with it, or during one of the steps that store it.
          const steps = kill % 6
          if (steps === 0) command.kill('SIGKILL')
          let left = steps - 1
          watcher = fs.watch(config, () => {
            if ((left -= 1) <= 0) command.kill('SIGKILL')
          })
          way.pass(answered)
          if (steps === 1) command.kill('SIGKILL')
        })
        await command.ended
        watcher?.close()
        onRenewal(pass)
        const { exitCode, stderr } = await dray(COMMAND).ended
        expect([kill, exitCode], stderr).toEqual([kill, 0])
      }
      expect(await grants()).toBe(1)
    },
    PATIENCE,
  )

  test('many connections with one refresh token get one login, and a thief who comes later ends it', async (context) => {
    const { expect } = context
    const { kept, refresh, grants, dray } = await logIn(engine, context)
    const stolen = kept()['refresh_token']
    const many = iterations(12, 60)
    recordTally({ tries: many })
    const replies = await Promise.all(Array.from({ length: many }, () => refresh(stolen)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    const pairs = (await Promise.all(replies.map((reply) => reply.json()))) as Record<string, string>[]
    expect(new Set(pairs.map((pair) => pair['refresh_token'])).size).toBe(1)
    expect(await grants()).toBe(1)

    expect((await refresh(pairs[0]?.['refresh_token'])).status).toBe(200)
    expect((await refresh(stolen)).status).toBe(400)
    expect(await grants()).toBe(0)
    expect((await dray(COMMAND).ended).exitCode).toBe(4)
  })
})
