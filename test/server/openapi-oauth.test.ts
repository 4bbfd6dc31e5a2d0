/** The login endpoints behave as the OpenAPI document describes. */
import { beforeAll, expect, test } from 'vitest'
import * as registry from '../../src/generated/registry.ts'
import { startLogin } from '../support/devices.ts'
import { makeSchemaReader } from '../support/json-schema.ts'
import type { JsonSchema } from '../support/json-schema.ts'
import { serveStore } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'

type OAuthRoute = {
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, { content: Record<string, { schema: JsonSchema }> }>
}
type Document = { paths: Record<string, Record<string, OAuthRoute>> }

let served: ServedStore
let document: Document

beforeAll(async () => {
  served = await serveStore({ registry })
  document = (await (await fetch(`${served.url}/openapi.json`)).json()) as Document
})

/** Calls as the document describes; returns the status, and fails the test for a response that it does not describe. */
async function call(path: string, form?: Record<string, string>): Promise<number> {
  const described = document.paths[path]?.[form === undefined ? 'get' : 'post']
  const { faultsOf, resolve } = makeSchemaReader(document)
  const body = described?.requestBody?.content['application/x-www-form-urlencoded']
  expect(body === undefined, path).toBe(form === undefined)
  const { properties = {} } = resolve(body?.schema ?? {}) as { properties?: object }
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(form ?? {})))
  const response = await fetch(
    `${served.url}${path}`,
    form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) },
  )
  const promised = described?.responses[String(response.status)]
  const schema = promised?.content[String(response.headers.get('content-type'))]?.schema
  expect(schema, `${path} ${response.status}`).toBeDefined()
  expect(faultsOf(schema ?? {}, await response.json())).toEqual([])
  return response.status
}

test('starting a login, polling too early, and polling without a code', async () => {
  const client = { client_id: 'dray-cli' }
  const device = { ...client, scope: 'food.read', device_name: 'lighthouse (Linux)' }
  expect(await call('/oauth/device_authorization', device)).toBe(200)
  expect(await call('/oauth/device_authorization', { client_id: 'nobody' })).toBe(401)
  const { deviceCode } = await startLogin(served)
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  expect(await call('/oauth/token', { ...client, grant_type, device_code: deviceCode })).toBe(400)
  expect(await call('/oauth/token', { ...client, grant_type: 'refresh_token', refresh_token: 'x' })).toBe(400)
})

test('introspecting a token, and revoking it', async () => {
  const token = await served.token('member')
  expect(await call('/oauth/introspect', { token })).toBe(200)
  expect(await call('/oauth/revoke', { token })).toBe(200)
  expect(await call('/oauth/introspect', { token })).toBe(200)
})

test('the login metadata', async () => {
  expect(await call('/.well-known/oauth-authorization-server')).toBe(200)
  expect(await call('/.well-known/oauth-protected-resource')).toBe(200)
})
