/** Permissions over HTTP: those of each token; test/properties tests the same through the gateway. */
import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scope, SCOPES } from '../../src/core/account.ts'
import { type AnyOperation, isExtension } from '../../src/core/operation.ts'
import { load, NAMES } from '../../src/generated/registry.ts'
import { decideDevice } from '../../src/oauth/device.ts'
import { GRANT_TYPES, makeLogins } from '../../src/oauth/service.ts'
import INTERFACE from '../operations.json' with { type: 'json' }
import { openWithout } from '../support/account-without.ts'
import { sampleOf } from '../support/bad-requests.ts'
import { iterations } from '../support/battery.ts'
import { exampleInput } from '../support/example-input.ts'
import { exampleAt, makeCaseExample, UNKNOWN } from '../support/examples.ts'
import { plainRequest } from '../support/plain-request.ts'
import { NOON_MS, type ServedStore, serveStore } from '../support/served.ts'
import { listPrivateCells, PRIVATE_IDS, strangerTo } from '../support/strangers.ts'
import { type TestSandbox, sandboxOverStore } from '../support/world.ts'

const loaded = await Promise.all(NAMES.map((name) => load(name)))
const operations: AnyOperation[] = loaded.flatMap((entry) => (entry === undefined ? [] : [entry.operation]))

/** The error for an account without the entitlement. */
const LACKING: Readonly<Record<string, string | undefined>> = {
  service_one: 'membership_required',
  carrier_agreement: 'agreement_required',
  business_agreement: 'agreement_required',
}

type Answer = {
  status: number
  headers: Record<string, unknown>
  body: Record<string, unknown>
  text: string
}

const agent = new Agent({ keepAlive: true })
afterAll(() => agent.destroy())

let served: ServedStore
let world: TestSandbox
let keys = 0

beforeAll(async () => {
  served = await serveStore({ registry: { NAMES, load } })
  world = sandboxOverStore(served.db)
  await world.write(openWithout)
})

afterAll(() => expect(served.bugs).toEqual([]))

/** Calls an operation over HTTP. `headers` are lines, so that one may be repeated; `query` is added to the path. */
function send(
  operation: AnyOperation,
  input: Record<string, unknown>,
  headers: readonly string[],
  query = '',
): Promise<Answer> {
  const { target, body = '' } = plainRequest(operation, input)
  const added = query === '' ? '' : `${target.includes('?') ? '&' : '?'}${query}`
  const more = body === '' ? [] : ['Content-Type', 'application/json', 'Content-Length', `${body.length}`]
  return new Promise((resolve, reject) => {
    const options = {
      agent,
      method: operation.method,
      headers: ['Host', `127.0.0.1:${served.port}`, 'Idempotency-Key', `auth-${++keys}`, ...more, ...headers],
    }
    request(`${served.url}${target}${added}`, options, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: JSON.parse(text) as Record<string, unknown>,
          text,
        }),
      )
    })
      .on('error', reject)
      .end(body)
  })
}

const bearer = (token: string): string[] => ['Authorization', `Bearer ${token}`]

function operationOf(name: string): AnyOperation {
  const operation = operations.find((one) => one.name === name)
  if (operation === undefined) throw new Error(`there is no ${name}`)
  return operation
}

/** Returns the example input with ids that do not exist. */
function exampleOfNobody(operation: AnyOperation): Record<string, unknown> {
  const ids = operation.pathParameters.map((name) => [name, UNKNOWN[name]])
  return { ...exampleInput(operation), ...Object.fromEntries(ids) }
}

test('the operations and the scopes are those of the interface', () => {
  const own = operations.filter((operation) => !isExtension(operation))
  expect(own.map(({ name }) => name)).toEqual(INTERFACE.map(({ operation }) => operation))
  expect([...SCOPES].toSorted()).toEqual([...new Set(INTERFACE.map(({ scope }) => scope))].toSorted())
})

describe('a token of one scope', () => {
  const tokens = new Map<Scope, string>()
  beforeAll(async () => {
    for (const scope of SCOPES) tokens.set(scope, await served.token('everything', { scopes: [scope] }))
  })

  test('opens every operation of that scope and no other', async () => {
    const told: Record<string, unknown> = {}
    const expected: Record<string, unknown> = {}
    for (const { operation: name, scope: own } of INTERFACE) {
      const operation = operationOf(name)
      const input = exampleOfNobody(operation)
      for (const [scope, token] of tokens) {
        const { status, headers, body } = await send(operation, input, bearer(token))
        const isRefused = status === 403 && body['code'] === 'insufficient_scope'
        told[`${name} with ${scope}`] = isRefused ? headers['www-authenticate'] : 'open'
        const challenge = `Bearer realm="dray", error="insufficient_scope", scope="${own}"`
        expected[`${name} with ${scope}`] = scope === own ? 'open' : challenge
      }
    }
    expect(told).toEqual(expected)
  })
})

test('every operation requires its entitlement, and names it', async () => {
  const token = await served.token('without')
  const told: Record<string, unknown> = {}
  for (const { operation: name } of INTERFACE) {
    const operation = operationOf(name)
    const { body } = await send(operation, exampleOfNobody(operation), bearer(token))
    const lacks = ['membership_required', 'agreement_required'].find((code) => code === body['code'])
    told[name] = [lacks, body['required_entitlement']]
  }
  const expected = INTERFACE.map(({ operation, entitlement }) => [
    operation,
    [LACKING[entitlement], LACKING[entitlement] === undefined ? undefined : entitlement],
  ])
  expect(told).toEqual(Object.fromEntries(expected))
})

describe('another account’s resource', () => {
  const cells = listPrivateCells(operations)

  test('can be named in every place of the interface', () =>
    expect(cells.filter(({ operation }) => !isExtension(operation))).toHaveLength(PRIVATE_IDS))

  test.each(cells.map((cell) => [cell.operation.name, cell.member, cell] as const))(
    '%s tells of their %s what it tells of one that is not there',
    async (_name, member, { operation, nobodys }) => {
      const other = strangerTo(operation)
      const [own, theirs] = [await served.token('everything'), await served.token(other)]
      const input = await makeCaseExample(world, operation, other)
      const unknown = { ...input, [member]: nobodys }
      const told = async (given: Record<string, unknown>): Promise<unknown> => {
        const { status, headers, text } = await send(operation, given, bearer(own))
        const { 'request-id': requestId, date: _, ...rest } = headers
        const plain = text.replaceAll(String(given[member]), '…').replaceAll(String(requestId), '…')
        return { status, body: plain, headers: { ...rest, 'content-length': '…' } }
      }
      const [hidden, missing] = [await told(input), await told(unknown)]
      expect(hidden).toEqual(missing)
      expect(hidden).toMatchObject({ status: 404 })
      const { status } = await send(operation, input, bearer(theirs))
      expect(status, exampleAt(operation)).toBe(operation.status)
    },
  )
})

describe('an invalid credential', () => {
  let faults: Record<string, { headers: string[]; query?: string; code: string }>
  let right: Record<string, string[]>

  beforeAll(async () => {
    const token = await served.token('everything')
    const invalid = (...headers: string[]) => ({ headers, code: 'invalid_token' })
    const flipped = Buffer.from(token)
    flipped.writeUInt8(flipped.readUInt8(20) ^ 1, 20)
    faults = {
      'no credential at all': { headers: [], code: 'missing_token' },
      'a token in the query': { headers: [], query: `access_token=${token}`, code: 'missing_token' },
      'a token nobody gave': invalid(...bearer(`dray_sbx_${randomBytes(32).toString('base64url')}`)),
      'a token that is cut off': invalid(...bearer(token.slice(0, -1))),
      'a token that goes on': invalid(...bearer(`${token}A`)),
      'a token with a flipped bit': invalid(...bearer(flipped.toString())),
      'a token in other letters': invalid(...bearer(token.toUpperCase())),
      'a token that is over': invalid(...bearer(await served.token('everything', { expiresAt: NOON_MS }))),
      'two headers': invalid(...bearer(token), ...bearer(token)),
      'an empty header': invalid('Authorization', ''),
      'an empty token': invalid('Authorization', 'Bearer '),
      'a list of tokens': invalid(...bearer(`${token}, ${token}`)),
      'two tokens': invalid(...bearer(`${token} ${token}`)),
      'another scheme': invalid('Authorization', `Basic ${Buffer.from(`x:${token}`).toString('base64')}`),
      'a token without its scheme': invalid('Authorization', token),
      'the control token': invalid(...bearer(served.controlToken)),
      'an unsigned token of another kind': invalid(...bearer('eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.')),
      ...(await loggedOut(invalid)),
    }
    right = {
      'small letters': ['Authorization', `bearer ${token}`],
      'capital letters': ['AUTHORIZATION', `BEARER   ${token}`],
    }
  })

  /** Returns login tokens: revoked ones with their descendants, and one of the wrong kind. */
  async function loggedOut(invalid: (...headers: string[]) => (typeof faults)[string]) {
    const logins = makeLogins(served.db, { now: () => NOON_MS, random: randomBytes })
    const client = { clientId: 'dray-cli', secret: undefined, scope: undefined }
    const none = { grantType: GRANT_TYPES.device, refreshToken: undefined, deviceCode: undefined }
    const login = async () => {
      const { deviceCode, userCode } = await logins.startDevice({ ...client, device: 'A laptop' })
      await world.write((tx, _stored, now) =>
        decideDevice(tx, { userCode, approve: true, accountId: 'everything' }, now),
      )
      const { tokens } = await logins.exchange({ ...client, ...none, deviceCode })
      return { access: tokens.access_token, refresh: tokens.refresh_token ?? '', deviceCode }
    }
    const revoke = async (token: string): Promise<void> => {
      const { status } = await fetch(`${served.url}/oauth/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ token }),
      })
      expect(status).toBe(200)
    }
    const [revoked, ended, stolen, living] = [await login(), await login(), await login(), await login()]
    await revoke(revoked.access)
    await revoke(ended.refresh)
    const refresh = { ...client, ...none, grantType: GRANT_TYPES.refresh, refreshToken: stolen.refresh }
    const { tokens: renewed } = await logins.exchange(refresh)
    // Until its successor is used, a token may be repeated, because its response could have been lost.
    await logins.exchange({ ...refresh, refreshToken: renewed.refresh_token })
    await expect(logins.exchange(refresh)).rejects.toThrow('used before')
    return {
      'a token that was taken back': invalid(...bearer(revoked.access)),
      'a token of a login that is over': invalid(...bearer(ended.access)),
      'a token of a login that was stolen': invalid(...bearer(stolen.access)),
      'the renewed token of a login that was stolen': invalid(...bearer(renewed.access_token)),
      'a refresh token': invalid(...bearer(living.refresh)),
      'a device code': invalid(...bearer(living.deviceCode)),
    }
  }

  /** One for each method and area, as before each request the credential is read alike. The longer battery asks all. */
  const asked = iterations(sampleOf(operations), operations)

  test('opens no operation, whatever is wrong with it', async () => {
    const told: Record<string, unknown> = {}
    const expected: Record<string, unknown> = {}
    for (const operation of asked) {
      const input = exampleOfNobody(operation)
      for (const [what, { headers, query, code }] of Object.entries(faults)) {
        const { status, headers: given, body, text } = await send(operation, input, headers, query)
        const token = headers.at(-1)?.split(' ')[1] ?? ''
        const isShown = token.length > 20 && text.includes(token)
        told[`${operation.name} with ${what}`] = [status, body['code'], given['www-authenticate'], isShown]
        const challenge = `Bearer realm="dray"${code === 'missing_token' ? '' : ', error="invalid_token"'}`
        expected[`${operation.name} with ${what}`] = [401, code, challenge, false]
      }
      for (const headers of Object.values(right))
        expect((await send(operation, input, headers)).status, operation.name).not.toBe(401)
    }
    expect(told).toEqual(expected)
  })

  test.each(['another scheme', 'a token without its scheme', 'two headers', 'an empty header'])(
    'says of %s that it is no bearer token, and of an unknown one where tokens come from',
    async (what) => {
      const membership = operations.find(({ name }) => name === 'get_membership_status')
      if (membership === undefined) throw new Error('there is no get_membership_status')
      const told = async (fault: string) => (await send(membership, {}, faults[fault]?.headers ?? [])).body
      expect(await told(what)).toMatchObject({
        detail: 'The Authorization header must have one bearer token.',
        hint: 'Send Authorization: Bearer <token>.',
      })
      const where = /`dray sandbox account token everything` makes/
      expect((await told('a token nobody gave'))['hint']).toMatch(where)
      expect((await told('no credential at all'))['hint']).toMatch(where)
    },
  )
})
