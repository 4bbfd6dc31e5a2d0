/** The built program with a frozen database: two callers are told to retry, and are served again afterwards. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordTally, iterations } from '../support/battery.ts'
import { startOwn } from '../support/postgres-server.ts'
import { builtProgram, readServerUrl, startDray, splitCommandLine } from '../support/program.ts'
import { makeTempFolder } from '../support/stores.ts'
import { MODES } from './modes.ts'

/** The shortest time allowed for sending a request; every response comes before it has ended. */
const REQUEST_MS = 60_000
/** More calls than one process has connections to the database. */
const CALLS = iterations(40, 400)

type Answer = { status: number; retryAfter: string | null; ms: number }

test.each(iterations(MODES.slice(0, 1), MODES))(
  '$name with a frozen database',
  { timeout: 180_000 },
  async ({ words, call }) => {
    await builtProgram()
    const postgres = await startOwn()
    try {
      const home = await makeTempFolder()
      const store = await postgres.createDatabase()
      const env = { HOME: home, DRAY_HOME: join(home, 'dray'), DRAY_STORE: store }
      const minted = await startDray(splitCommandLine('sandbox account token everything --json'), { env })
        .ended
      const { token } = minted.json<{ token: string }>()
      const server = startDray(splitCommandLine(`${words} --port 0 --json --log ${join(home, 'log')}`), {
        env,
      })
      const { origin } = new URL(await readServerUrl(server))
      const ask = async (): Promise<Answer> => {
        const begun = performance.now()
        const response = await fetch(`${origin}${call.path}`, {
          method: call.method,
          headers: {
            Authorization: `Bearer ${token}`,
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
          },
          ...(call.body !== undefined && { body: call.body }),
        })
        await response.arrayBuffer()
        const { status, headers } = response
        return { status, retryAfter: headers.get('Retry-After'), ms: performance.now() - begun }
      }
      expect((await ask()).status).toBe(200)

      postgres.freeze()
      const silent = await Promise.all(Array.from({ length: CALLS }, ask))
      const slowest = Math.max(...silent.map(({ ms }) => ms))
      console.log(
        `${words}: ${CALLS} calls on a frozen database, the slowest answer after ${Math.round(slowest)} ms`,
      )
      const refused = silent.filter(({ status, retryAfter }) => status === 503 && retryAfter === '1')
      recordTally({ tries: CALLS, lost: CALLS - refused.length })
      expect(new Set(silent.map(({ status, retryAfter }) => `${status} ${retryAfter}`))).toEqual(
        new Set(['503 1']),
      )
      expect(slowest).toBeLessThan(REQUEST_MS)

      postgres.thaw()
      expect((await ask()).status).toBe(200)
      postgres.freeze()
      server.kill('SIGTERM')
      expect((await server.ended).exitCode).toBe(0)
    } finally {
      postgres.thaw()
      await postgres.stop()
    }
  },
)
