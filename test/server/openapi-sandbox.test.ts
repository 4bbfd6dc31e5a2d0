/** The document of the control calls, held against the service: each call is made as it says, and each response is described. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnyOperation } from '../../src/core/operation.ts'
import { stepsBefore } from '../../src/generate/control-examples.ts'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import { load, NAMES } from '../../src/generated/registry.ts'
import { listControls } from '../../src/sandbox/control/index.ts'
import { EXAMPLES_ACCOUNT } from '../../src/server/docs/example.ts'
import { controlRoutes } from '../../src/server/routes.ts'
import { startLogin } from '../support/devices.ts'
import { newKey } from '../support/food.ts'
import {
  type RawHttpResponse,
  type DocumentedCall,
  makeDocumentSender,
  readDocumentedCalls,
  listSurprises,
} from '../support/openapi-calls.ts'
import { type ServedStore, serveStore } from '../support/served.ts'
import { sandboxOverStore } from '../support/world.ts'

const UNKNOWN = '01m7vkystgfp1b10jk5dh9yvxy'
const PARCEL = 'ZC968043370GB'

const operations: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((make) => make()))
const controls = await listControls()

let served: ServedStore
let sender: ReturnType<typeof makeDocumentSender>
let document: ReturnType<typeof readDocumentedCalls>

beforeAll(async () => {
  served = await serveStore({ registry: { NAMES, load } })
  sender = makeDocumentSender(served.url, served.controlToken)
  document = readDocumentedCalls(
    await (await fetch(`${served.url}/sandbox/openapi.json`)).json(),
    '/sandbox/',
  )
})

afterAll(async () => {
  await sender.close()
  expect(served.bugs).toEqual([])
})

function callOf(name: string): DocumentedCall {
  const call = document.calls.find((candidate) => candidate.name === name)
  if (call === undefined) throw new Error(`${name} is not in the document`)
  return call
}

/** Makes a call, and fails the test when the document does not describe its response. */
async function ask(
  name: string,
  input: unknown,
  headers: Record<string, string> = {},
): Promise<RawHttpResponse> {
  const call = callOf(name)
  const answer = await sender.send(call, input, headers)
  expect([name, ...listSurprises(document.reader, call, answer)]).toEqual([name])
  return answer
}

const codeOf = ({ text }: RawHttpResponse): string => (JSON.parse(text) as { code: string }).code

test('every route of the control plane is described, and no other', () => {
  const control = { token: '', calls: controls, invoke: async () => ({}), snapshots: {} as never }
  const routes = controlRoutes({ control, serviceTime: async () => '' })
  const known = routes.map(({ method, path, name }) => `${method} ${path} ${name}`)
  const described = document.calls.map(({ method, path, name }) => `${method} ${path} sandbox:${name}`)
  expect(described.toSorted()).toEqual(known.toSorted())
})

test('each control call succeeds as its example says, and answers what the document says', async () => {
  const world = sandboxOverStore(served.db)
  const done: Record<string, unknown> = {}
  for (const { operation, name, input } of stepsBefore(operations)) {
    const key = operation.idempotency === 'none' ? {} : { key: newKey() }
    const { status, body } = await world.call(operation.name, input(done), { as: EXAMPLES_ACCOUNT, ...key })
    expect([name, status, body]).toEqual([name, operation.status, body])
    done[name] = body
  }
  done['device'] = { user_code: (await startLogin(served, 'shipments.read')).userCode }
  for (const { name, example } of controls) {
    const input = example(done)
    expect([name, ...document.reader.faultsOf(callOf(name).input, input)]).toEqual([name])
    const answer = await ask(name, input)
    expect([name, answer.status, answer.text]).toEqual([name, 200, answer.text])
    done[name] = JSON.parse(answer.text)
  }
})

test('a snapshot is saved and loaded as the document says', async () => {
  const authorization = `Bearer ${served.controlToken}`
  const saved = await fetch(`${served.url}/sandbox/snapshot`, { headers: { authorization } })
  const call = callOf('load_snapshot')
  const { status } = saved
  expect([status, saved.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
  const put = async (type: string) => {
    const response = await fetch(`${served.url}/sandbox/snapshot`, {
      method: 'PUT',
      headers: { authorization, 'content-type': type },
      body: snapshot,
    })
    const headers = Object.fromEntries(response.headers)
    const answer = { status: response.status, headers, text: await response.text() }
    expect(listSurprises(document.reader, call, answer)).toEqual([])
    return answer.status
  }
  const snapshot = await saved.text()
  expect(await put('application/x-ndjson')).toBe(200)
  expect(await put('application/json')).toBe(415)
})

test.each(controls)(
  '$name refuses a wrong token, an unknown member and another type',
  async ({ name, method }) => {
    const { input } = callOf(name)
    const ids = Object.fromEntries(
      ((input['required'] ?? []) as string[]).map((member) => [member, 'nobody']),
    )
    expect(codeOf(await ask(name, ids, { authorization: 'Bearer nobody' }))).toBe('invalid_token')
    const unknown = await ask(name, { ...ids, nonsense: 'x' })
    expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining('nonsense')])
    if (method === 'GET') return
    expect(codeOf(await ask(name, ids, { 'content-type': 'text/plain' }))).toBe('unsupported_media_type')
  },
)

test.each([
  ['set_clock', { mode: 'frozen', at: '2020-01-01T00:00:00Z' }, 'invalid_state'],
  ['advance_clock', { to: '2020-01-01T00:00:00Z' }, 'invalid_state'],
  ['add_account', { handle: 'member' }, 'invalid_state'],
  ['set_membership', { account: 'nobody', status: 'active' }, 'account_not_found'],
  ['get_wallet', { account: 'nobody' }, 'account_not_found'],
  ['mint_token', { account: 'nobody' }, 'account_not_found'],
  ['create_client', { account: 'nobody' }, 'account_not_found'],
  ['create_page_link', { account: 'nobody' }, 'account_not_found'],
  ['list_requests', { account: 'nobody' }, 'account_not_found'],
  ['get_coverage', { account: 'nobody' }, 'account_not_found'],
  ['settle_payment', { order_id: `ord_${UNKNOWN}` }, 'order_not_found'],
  ['open_check', { order_id: `ord_${UNKNOWN}` }, 'order_not_found'],
  ['settle_check', { check_id: `chk_${UNKNOWN}` }, 'order_not_found'],
  ['pay_out', { merchant_id: `mer_${UNKNOWN}` }, 'merchant_not_found'],
  ['scan_shipment', { tracking_number: PARCEL, code: 'collected' }, 'shipment_not_found'],
  ['scan_shipment', { tracking_number: PARCEL, code: 'collected', hub_id: 'X' }, 'hub_not_found'],
  ['scan_manifest', { manifest_id: `mnf_${UNKNOWN}` }, 'manifest_not_found'],
  ['step_resource', { resource_id: PARCEL }, 'shipment_not_found'],
  ['step_resource', { resource_id: `ord_${UNKNOWN}` }, 'order_not_found'],
  ['step_resource', { resource_id: `rid_${UNKNOWN}` }, 'ride_not_found'],
  ['step_resource', { resource_id: `dlv_${UNKNOWN}` }, 'delivery_not_found'],
  ['step_resource', { resource_id: `bkg_${UNKNOWN}` }, 'booking_not_found'],
  ['step_resource', { resource_id: `tsk_${UNKNOWN}` }, 'task_not_found'],
  ['step_resource', { resource_id: 'nobody' }, 'account_not_found'],
])('%s with %j is refused with %s, as the document says', async (name, input, code) => {
  expect(codeOf(await ask(name, input))).toBe(code)
})

test('only callers of this machine get the document, as they do the calls', async () => {
  const path = '/sandbox/openapi.json'
  const proxied = { headers: { 'x-forwarded-for': '198.51.100.7' } }
  const none = await serveStore({ registry: { NAMES, load }, control: false })
  const statuses = [await fetch(served.url + path, proxied), await fetch(none.url + path)].map(
    ({ status }) => status,
  )
  expect(statuses).toEqual([404, 404])
})
