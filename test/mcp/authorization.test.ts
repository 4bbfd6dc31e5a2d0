/** Permissions over MCP: the tools that a token lists and may call, and the errors for resources of other accounts. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAccount, insertToken } from '../../src/areas/account/queries/accounts.ts'
import { type Scope, SCOPES } from '../../src/core/account.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { type AnyOperation, isExtension } from '../../src/core/operation.ts'
import { openStore } from '../../src/db/open.ts'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import { TOOLS } from '../../src/generated/tools.ts'
import { TOOLSETS } from '../../src/generated/toolsets.ts'
import { iterations } from '../support/battery.ts'
import { exampleInput } from '../support/example-input.ts'
import { exampleAt, makeCaseExample } from '../support/examples.ts'
import { serveMcp } from '../support/mcp-program.ts'
import { builtProgram, startDray, type RunningProcess } from '../support/program.ts'
import { listPrivateCells, PRIVATE_IDS, strangerTo } from '../support/strangers.ts'
import { type TestSandbox, sandboxOverStore } from '../support/world.ts'

const operations: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((load) => load()))

const DAY_MS = 86_400_000

const home = mkdtempSync(join(tmpdir(), 'dray-mcp-auth-'))
const env = { HOME: home, DRAY_HOME: home, DRAY_NOW: '2026-11-20T09:00:00.000Z', DRAY_SEED: '20261120' }
const agent = new Agent({ keepAlive: true })
let url: string
let server: RunningProcess
let world: TestSandbox

beforeAll(async () => {
  await builtProgram()
  const made = await startDray(['account', 'membership', '--json'], { env }).ended
  expect(made.exitCode, made.stderr).toBe(0)
  const store = join(home, 'data/default/dray.db')
  world = sandboxOverStore(await openStore(store, { seed: async () => {}, random: () => 0.5 }))
  ;({ url, server } = await serveMcp(['--quiet', '--toolsets', TOOLSETS.join(',')], env))
})

afterAll(async () => {
  agent.destroy()
  server.kill('SIGTERM')
  await server.ended
  await world.db.close()
  rmSync(home, { recursive: true, force: true })
})

async function tokenOf(
  handle: string,
  { scopes = SCOPES, life = DAY_MS }: { scopes?: readonly Scope[]; life?: number } = {},
): Promise<string> {
  const token = `dray_sbx_${randomBytes(32).toString('base64url')}`
  await world.write(async (tx, _stored, now) => {
    const { account_id = '' } = (await findAccount(tx, handle)) ?? {}
    const row = { token_hash: sha256Hex(token), account_id, scopes, expires_at: now + life }
    await insertToken(tx, { ...row, created_at: now })
  })
  return token
}

type ChallengeResponse = { status: number; challenge: string | undefined; body: Record<string, unknown> }
type Outcome = { isError?: boolean; content: { text: string }[]; structuredContent?: unknown }

/** Sends one message of the protocol with these header lines. */
function send(method: string, params: object, headers: readonly string[]): Promise<ChallengeResponse> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const fixed = ['Host', new URL(url).host, 'Content-Type', 'application/json']
  const accepted = [
    'Accept',
    'application/json, text/event-stream',
    'Content-Length',
    `${Buffer.byteLength(body)}`,
  ]
  return new Promise((resolve, reject) => {
    const options = { agent, method: 'POST', headers: [...fixed, ...accepted, ...headers] }
    request(url, options, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => {
        // A response is a document, or the only event of a stream.
        const json = /^data: (.*)$/m.exec(text)?.[1] ?? text
        resolve({
          status: response.statusCode ?? 0,
          challenge: response.headers['www-authenticate'],
          body: JSON.parse(json) as Record<string, unknown>,
        })
      })
    })
      .on('error', reject)
      .end(body)
  })
}

const bearer = (token: string): string[] => ['Authorization', `Bearer ${token}`]

/** Returns the result of a tool call: the code of an error, and the whole text. */
async function callTool(
  name: string,
  args: Record<string, unknown>,
  token: string,
): Promise<{ code: unknown; text: string }> {
  const { body } = await send('tools/call', { name, arguments: args }, bearer(token))
  const { error, result } = body as { error?: { code: number; message: string }; result?: Outcome }
  if (error !== undefined) return { code: error.code, text: error.message }
  const text = (result?.content ?? []).map((part) => part.text).join('\n')
  const problem = result?.isError === true ? (JSON.parse(text) as { code: string }) : undefined
  return { code: problem?.code, text }
}

/** The first tool of each scope: a tool is hidden before its operation is known. The longer battery calls all. */
const called = iterations(
  SCOPES.flatMap((scope) => operations.find((one) => one.scope === scope) ?? []),
  operations,
)

describe('a token of one scope alone', () => {
  const tokens = new Map<Scope, string>()
  const ownOf = (scope: Scope): string[] => TOOLS.filter((one) => one.scope === scope).map(({ name }) => name)
  beforeAll(async () => {
    for (const scope of SCOPES) tokens.set(scope, await tokenOf('everything', { scopes: [scope] }))
  })

  test('sees the tools of its operations and no other, of every operation', async () => {
    const listed: Record<string, string[]> = {}
    for (const [scope, token] of tokens) {
      const { body } = await send('tools/list', {}, bearer(token))
      listed[scope] = (body['result'] as { tools: { name: string }[] }).tools.map(({ name }) => name)
    }
    expect(listed).toEqual(Object.fromEntries(SCOPES.map((scope) => [scope, ownOf(scope)])))
  })

  test('calls no other', async () => {
    const told: Record<string, unknown> = {}
    for (const [scope, token] of tokens)
      for (const operation of called.filter(({ name }) => !ownOf(scope).includes(name)))
        told[`${scope} ${operation.name}`] = (
          await callTool(operation.name, exampleInput(operation), token)
        ).code
    expect(Object.keys(told).length).toBeGreaterThanOrEqual(SCOPES.length * (SCOPES.length - 1))
    expect(told).toEqual(Object.fromEntries(Object.keys(told).map((cell) => [cell, -32_602])))
  })
})

describe('an invalid credential', () => {
  test('gives no access, whatever is wrong with it', async () => {
    const token = await tokenOf('everything')
    const over = await tokenOf('everything', { life: 0 })
    const flipped = Buffer.from(token)
    flipped.writeUInt8(flipped.readUInt8(20) ^ 1, 20)
    const faults: Record<string, [code: string, ...headers: string[]]> = {
      'no credential': ['missing_token'],
      'a guess': ['invalid_token', ...bearer(`dray_sbx_${randomBytes(32).toString('base64url')}`)],
      'a token that is cut off': ['invalid_token', ...bearer(token.slice(0, -1))],
      'a flipped bit': ['invalid_token', ...bearer(flipped.toString())],
      'a token that is over': ['invalid_token', ...bearer(over)],
      'two headers': ['invalid_token', ...bearer(token), ...bearer(token)],
      'a list': ['invalid_token', ...bearer(`${token}, ${token}`)],
      'an empty token': ['invalid_token', 'Authorization', 'Bearer '],
      'another scheme': ['invalid_token', 'Authorization', `Basic ${token}`],
      // Session names do not authenticate here; there are no sessions.
      'the name of a session': ['missing_token', 'Mcp-Session-Id', token],
    }
    const told: Record<string, unknown> = {}
    for (const method of ['initialize', 'tools/list', 'tools/call'])
      for (const [what, [, ...headers]] of Object.entries(faults)) {
        const { status, challenge = '', body } = await send(method, {}, headers)
        told[`${method} with ${what}`] = [status, body['code'], challenge.split(' ')[0]]
      }
    const expected = ['initialize', 'tools/list', 'tools/call'].flatMap((method) =>
      Object.entries(faults).map(([what, [code]]) => [`${method} with ${what}`, [401, code, 'Bearer']]),
    )
    expect(told).toEqual(Object.fromEntries(expected))
    expect((await send('tools/list', {}, ['Authorization', `bearer ${token}`])).status).toBe(200)
  })

  test('includes a revoked token', async () => {
    const token = await tokenOf('everything')
    expect((await callTool('get_membership_status', {}, token)).code).toBeUndefined()
    await fetch(new URL('/oauth/revoke', url), { method: 'POST', body: new URLSearchParams({ token }) })
    expect((await send('tools/list', {}, bearer(token))).status).toBe(401)
  })
})

describe('another account’s resource', () => {
  const cells = listPrivateCells(operations.filter(({ toolset }) => toolset !== null))
  const tokens = new Map<string, string>()
  beforeAll(async () => {
    for (const handle of ['everything', ...operations.map(strangerTo)])
      if (!tokens.has(handle)) tokens.set(handle, await tokenOf(handle))
  })

  test('can be named in every place of the interface', () =>
    expect(cells.filter(({ operation }) => !isExtension(operation))).toHaveLength(PRIVATE_IDS))

  test.each(cells.map((cell) => [cell.operation.name, cell.member, cell] as const))(
    '%s tells of their %s what it tells of one that is not there',
    async (name, member, { operation, nobodys }) => {
      const other = strangerTo(operation)
      const input = await makeCaseExample(world, operation, other)
      const unknown = { ...input, [member]: nobodys }
      const told = async (given: Record<string, unknown>): Promise<unknown> => {
        const { code, text } = await callTool(name, given, tokens.get('everything') ?? '')
        return { code, text: text.replaceAll(String(given[member]), '…').replaceAll(/req_\w{26}/g, 'req_…') }
      }
      const [hidden, missing] = [await told(input), await told(unknown)]
      expect(hidden).toEqual(missing)
      expect(hidden).toMatchObject({ code: expect.stringMatching(/_not_found$/) as string })
      // The example's new price differs much from the old one, so a person is asked, but only about the caller's own
      // item.
      const own = name === 'update_catalog_item' ? 'approval_required' : undefined
      const { code } = await callTool(name, input, tokens.get(other) ?? '')
      expect(code, exampleAt(operation)).toBe(own)
    },
  )
})
