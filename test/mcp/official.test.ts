/** The conformance tests of the protocol's makers, against the built program. */
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TOOLS } from '../../src/generated/tools.ts'
import { serveMcp } from '../support/mcp-program.ts'
import { builtProgram, environment, LAUNCHER, startDray, splitCommandLine } from '../support/program.ts'
import type { RunningProcess } from '../support/program.ts'

const home = mkdtempSync(join(tmpdir(), 'dray-mcp-official-'))
const env = { HOME: home, DRAY_HOME: home, DRAY_NOW: '2026-11-20T12:00:00.000Z', DRAY_SEED: '20261120' }
let token: string
let server: RunningProcess
let url: string
let door: http.Server

/** Adds a token to requests of the scenarios, which have none. */
function makeDoor(): http.Server {
  return http.createServer((request, response) => {
    const { method, url: path, headers } = request
    const { port } = new URL(url)
    const onwards = http.request(
      { port, method, path, headers: { ...headers, authorization: `Bearer ${token}` } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      },
    )
    onwards.on('error', () => response.destroy())
    request.pipe(onwards)
  })
}

beforeAll(async () => {
  await builtProgram()
  const minted = await startDray(['sandbox', 'account', 'token', 'everything', '--json'], { env }).ended
  token = minted.json<{ token: string }>().token
  door = makeDoor()
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  const names = ['127.0.0.1', 'localhost'].map((name) => `${name}:${portOf(door)}`)
  ;({ url, server } = await serveMcp(['--quiet', ...names.flatMap((name) => ['--allowed-host', name])], env))
})

afterAll(async () => {
  door.close()
  server.kill('SIGTERM')
  await server.ended
  rmSync(home, { recursive: true, force: true })
})

function portOf(listening: http.Server): number {
  return (listening.address() as AddressInfo).port
}

/** Runs a program of node_modules with a line of arguments; returns its result. */
async function run(program: string, line: string) {
  const file = join(import.meta.dirname, '../../node_modules/.bin', program)
  return execa(file, splitCommandLine(line), {
    reject: false,
    extendEnv: false,
    env: environment(env),
    cwd: home,
    stdin: 'ignore',
  })
}

test('every scenario of the conformance suite that applies passes, and those that do not are listed with the reason', async () => {
  const baseline = join(import.meta.dirname, 'conformance.yml')
  const { stdout, exitCode } = await run(
    'conformance',
    `server --url http://localhost:${portOf(door)}/mcp --suite all --expected-failures ${baseline}`,
  )
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 })
  const passed = [...stdout.matchAll(/✓ ([\w-]+): ([1-9]\d*) passed, 0 failed/g)].map(([, name]) => name)
  expect(passed).toEqual([
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ])
})

describe.each(['pipes', 'HTTP'])('the inspector, over %s,', (way) => {
  const inspect = (words: string) =>
    way === 'pipes'
      ? run(
          'mcp-inspector',
          `--cli -e DRAY_HOME=${home} -e DRAY_NOW=${env.DRAY_NOW} ${process.execPath} ${LAUNCHER} mcp ${words}`,
        )
      : run(
          'mcp-inspector',
          `--cli ${url} --transport http --header "Authorization: Bearer ${token}" ${words}`,
        )

  test('finds all tools, with schemas that every client can read', async () => {
    const { stdout, stderr, exitCode } = await inspect('--method tools/list --strict')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    const tools = TOOLS.filter(({ toolset }) => toolset === undefined).map(({ listed }) => listed)
    expect((JSON.parse(stdout) as { tools: unknown }).tools).toEqual(tools)
  })

  test('calls one', async () => {
    const { stdout, exitCode } = await inspect(
      '--method tools/call --tool-name search_ride_options --tool-arg latitude=51.5129 longitude=-0.0864',
    )
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(stdout)).toMatchObject({ structuredContent: { data: expect.any(Array) } })
  })
})
