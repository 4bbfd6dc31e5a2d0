/** P17: in process, over HTTP and from the command line, a call has one result. */
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AnyOperation } from '../../src/operation.ts'
import { OPERATIONS } from '../../src/operations/index.ts'
import { makeParcel } from '../support/parcel.ts'
import { builtProgram, start } from '../support/program.ts'
import { NOON, type Served, serveStore } from '../support/served.ts'
import { makeFolder } from '../support/stores.ts'
import { openWorld } from '../support/world.ts'

const SEED = '1'
const operations: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((load) => load()))

type Call = [operation: string, input: Record<string, unknown>]
type Result = { status: number; body: unknown }
type Transport = { name: string; open(): Promise<(...call: Call) => Promise<Result>> }

/** Every operation as it should be, and some as they should not, on a store in which something is. */
const CALLS: Call[] = [
  ['create_shipment', makeParcel({ reference: 'FIRST' })],
  ...operations.map((operation): Call => [operation.name, operation.example]),
  ['create_shipment', makeParcel({ reference: 'AGAIN' })],
  ['create_shipment', makeParcel({ reference: 'AGAIN' })],
  ['create_shipment', makeParcel({}, { country_code: 'FR', postal_code: '75001' })],
  ['create_shipment', makeParcel({ service_level: 'tomorrow', surprise: true })],
  ['create_shipments_batch', { shipments: [] }],
  ['get_shipment', { tracking_number: 'ZC473124829GB' }],
  ['get_shipment', { tracking_number: 'nonsense' }],
  ['list_shipments', { status: ['pre_transit', 'cancelled'], created_from: '2026-11-20', limit: 1 }],
  ['list_shipments', { limit: 101 }],
  ['check_coverage', {}],
]

const inProcess: Transport = {
  name: 'in process',
  async open() {
    const world = await openWorld({ seed: SEED, at: NOON })
    return async (operation, input) => {
      const { status, body } = await world.call(operation, input)
      return { status, body: neutral(body) }
    }
  },
}

const overHttp: Transport = {
  name: 'over HTTP',
  async open() {
    const { served, token } = await serve()
    return async (name, input) => {
      const operation = operations.find((each) => each.name === name)
      if (operation === undefined) throw new Error(`no operation ${name}`)
      const { method, pathParameters } = operation
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, member: string) =>
        encodeURIComponent(String(input[member])),
      )
      const rest = Object.entries(input).filter(([member]) => !pathParameters.includes(member))
      const query = new URLSearchParams(
        rest.flatMap(([member, value]) => [value].flat().map((one) => [member, String(one)])),
      )
      const answer = await fetch(
        method === 'GET' ? `${served.url}${path}?${query.toString()}` : served.url + path,
        {
          method,
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          ...(method !== 'GET' && { body: JSON.stringify(Object.fromEntries(rest)) }),
        },
      )
      return { status: answer.status, body: neutral(await answer.json()) }
    }
  },
}

const onCommand: Transport = {
  name: 'on the command line',
  async open() {
    const home = await makeFolder()
    return dray({ DRAY_HOME: join(home, 'dray'), DRAY_SEED: SEED, DRAY_NOW: new Date(NOON).toISOString() })
  },
}

const onCommandElsewhere: Transport = {
  name: 'on the command line, over HTTP',
  async open() {
    const { served, token } = await serve()
    const home = await makeFolder()
    return dray({ DRAY_HOME: join(home, 'dray'), DRAY_BASE_URL: served.url, DRAY_TOKEN: token })
  },
}

async function serve(): Promise<{ served: Served; token: string }> {
  const registry = await import('../../src/generated/registry.ts')
  const served = await serveStore({ registry })
  return { served, token: await served.token('everything') }
}

/** `dray api`, with the whole input as JSON. */
function dray(env: Record<string, string>): (...call: Call) => Promise<Result> {
  return async (operation, input) => {
    const words = [
      'api',
      operation,
      '--input',
      '-',
      '--json',
      ...(operation === 'cancel_shipment' ? ['--confirm', String(input['tracking_number'])] : []),
    ]
    const ran = await start(words, { env, input: JSON.stringify(input) }).ended
    const { exit_code: exit, ...body } = ran.json<Record<string, unknown>>()
    expect(ran.exitCode, ran.stderr).toBe(exit ?? 0)
    const created = operations.find(({ name }) => name === operation)?.status ?? 200
    return { status: exit === undefined ? created : Number(body['status']), body: neutral(body) }
  }
}

/** A failure without what is new with every request. */
function neutral(body: unknown): unknown {
  const {
    request_id: _request,
    instance: _instance,
    next_cursor: cursor,
    ...rest
  } = body as Record<string, unknown>
  return { ...rest, ...(cursor !== undefined && { next_cursor: typeof cursor }) }
}

describe('the same calls on stores that are alike', () => {
  let expected: Result[]

  async function carryOut({ open }: Transport): Promise<Result[]> {
    const call = await open()
    const results: Result[] = []
    for (const each of CALLS) results.push(await call(...each))
    return results
  }

  beforeAll(async () => {
    await builtProgram()
    expected = await carryOut(inProcess)
  })

  test('go as they should', () => {
    expect(CALLS.map(([name], index) => `${name} ${expected[index]?.status}`)).toEqual([
      'create_shipment 201',
      ...operations.map(({ name, status }) => `${name} ${status}`),
      'create_shipment 201',
      'create_shipment 409',
      'create_shipment 422',
      'create_shipment 400',
      'create_shipments_batch 400',
      'get_shipment 404',
      'get_shipment 400',
      'list_shipments 200',
      'list_shipments 400',
      'check_coverage 400',
    ])
  })

  test.each([overHttp, onCommand, onCommandElsewhere])('have the same results $name', async (transport) => {
    const results = await carryOut(transport)
    for (const [index, result] of results.entries())
      expect(result, CALLS[index]?.[0]).toEqual(expected[index])
  })
})
