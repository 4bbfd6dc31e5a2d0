/** Distances and times from a server with OSRM's protocol, for an embedded store and for a service. */
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Failure } from '../support/answers.ts'
import { serveAnswers, serveOsrm } from '../support/osrm.ts'
import { builtProgram, type Ran, readUrl, start, toWords } from '../support/program.ts'
import { makeFolder } from '../support/stores.ts'

beforeAll(builtProgram)

type Quote = { road_distance_m: number; driving_time_seconds: number }

const QUOTE = 'rides quote --from kings-cross --to bank --json'

/** Runs `dray` with a new home. */
async function makeUser(more: Record<string, string> = {}) {
  const home = await makeFolder()
  const env = { HOME: home, DRAY_HOME: join(home, 'dray'), DRAY_NOW: '2026-11-20T09:00:00.000Z', ...more }
  return {
    env,
    dray: (line: string): Promise<Ran> => start(toWords(line), { env }).ended,
  }
}

test('an embedded service asks the server that the environment names', async () => {
  const server = await serveOsrm()
  const { dray } = await makeUser({ DRAY_ROUTE_ENGINE: `osrm=${server.url}` })
  const ran = await dray(QUOTE)
  expect(ran.exitCode, ran.stderr).toBe(0)
  const { road_distance_m, driving_time_seconds } = ran.json<Quote>()
  // Twice as far as the crow flies, at 5 m/s.
  expect(driving_time_seconds).toBe(Math.round(road_distance_m / 5))
  expect(server.asked[0]).toMatch(/^\/route\/v1\/driving\/-0\.1238,51\.5308;-0\.0886,51\.5133\?/)
  const explained = await dray('profile show --explain --json')
  expect(explained.stdout).toContain(`"osrm=${server.url}"`)
})

test('a profile keeps it', async () => {
  const server = await serveOsrm()
  const { dray } = await makeUser()
  const added = await dray(`profile add roads --route-engine osrm=${server.url}`)
  expect(added.exitCode, added.stderr).toBe(0)
  expect((await dray(`${QUOTE} --profile roads`)).exitCode).toBe(0)
  expect(server.asked).toHaveLength(1)
  expect((await dray(QUOTE)).exitCode).toBe(0)
  expect(server.asked).toHaveLength(1)
})

test('a service asks the server that its flag names, and answers 503 when that says nothing of use', async () => {
  const garbage = await serveAnswers((_, response) => response.end('<html>'))
  const { env, dray } = await makeUser()
  const served = start(toWords(`serve --port 0 --json --route-engine osrm=${garbage.url}`), { env })
  const url = await readUrl(served)
  const { token } = (await dray(`sandbox account token everything --base-url ${url} --json`)).json<{
    token: string
  }>()
  const response = await fetch(`${url}/v1/rides/quote`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      pickup: { location: { latitude: 51.5308, longitude: -0.1238 } },
      dropoff: { location: { latitude: 51.5133, longitude: -0.0886 } },
    }),
  })
  expect(response.status).toBe(503)
  expect(response.headers.get('Retry-After')).not.toBeNull()
  expect(await response.json()).toMatchObject({
    code: 'service_unavailable',
    retryable: true,
    detail: 'The route engine gave no route: its answer cannot be read.',
  })
  served.kill('SIGTERM')
  expect((await served.ended).exitCode).toBe(0)
})

test('an engine that is none is a mistake in the command, and nothing is priced', async () => {
  const { dray } = await makeUser({ DRAY_ROUTE_ENGINE: 'valhalla=http://127.0.0.1:1' })
  const ran = await dray(QUOTE)
  expect(ran.exitCode).toBe(2)
  expect(ran.json<Failure>().detail).toContain('DRAY_ROUTE_ENGINE must be formula, or osrm=')
  const { dray: other } = await makeUser()
  expect((await other('serve --port 0 --route-engine osrm=nowhere')).exitCode).toBe(2)
})

test('an engine that cannot be reached ends with 11, and prices nothing', async () => {
  const server = await serveOsrm()
  await server.close()
  const { dray } = await makeUser({ DRAY_ROUTE_ENGINE: `osrm=${server.url}` })
  const ran = await dray(`${QUOTE} --timeout 2s`)
  expect(ran.exitCode).toBe(11)
  expect(ran.json<Failure>().code).toBe('service_unavailable')
})

test('an operator may allow one ride at a time only', async () => {
  const { dray } = await makeUser({ DRAY_ONE_ACTIVE_RIDE: '1' })
  const request = 'rides request --from kings-cross --to bank --tier economy --yes --max-total 30 --json'
  expect((await dray(request)).exitCode).toBe(0)
  const second = await dray(request)
  expect(second.exitCode).toBe(7)
  expect(second.json<Failure>().code).toBe('active_ride_exists')
})
