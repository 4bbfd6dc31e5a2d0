/** Progress of an import, for an MCP client that asks for it. */
import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { type Agent, openHome, startAgent } from '../support/agent.ts'
import type { Home } from '../support/home.ts'
import { makeParcel } from '../support/parcel.ts'

let home: Home
let service: Client
let agent: Agent

beforeAll(async () => {
  ;({ home, service } = await openHome())
  agent = await startAgent(home, { service, purse: { service: 'here', account: 'importer' } })
})

type ProgressMessage = { progress: number; total?: number | undefined; message?: string | undefined }

/** Calls a tool with a progress token; returns what was told, and whether it failed. */
async function callAndListen(name: string, args: Record<string, unknown>, through = agent) {
  const told: ProgressMessage[] = []
  const { isError = false } = await through.client.callTool(
    { name, arguments: args },
    { onprogress: (progress) => void told.push(progress) },
  )
  return { told, isError }
}

const items = (count: number, name: string) =>
  Array.from({ length: count }, (_, at) => ({
    name: `${name} ${at + 1}`,
    category: 'Imported',
    price: { amount: 500, currency: 'GBP' },
  }))

test('an import tells at ten steps how many of its rows are done, and at last that all are', async () => {
  const { told, isError } = await callAndListen('import_catalog_items', { items: items(250, 'Soup') })
  expect({ isError, progress: told.map(({ progress }) => progress) }).toEqual({
    isError: false,
    progress: [0, 25, 50, 75, 100, 125, 150, 175, 200, 225, 250],
  })
  expect(told.at(-1)).toMatchObject({ total: 250, message: '250 of 250 rows' })
})

test('a manifest tells each of its few rows once, although they are priced before they are bought', async () => {
  const shipments = ['P-1', 'P-2', 'P-3'].map((reference) => makeParcel({ reference }))
  const { told } = await callAndListen('create_shipments_batch', { shipments })
  expect(told.map(({ progress, total }) => [progress, total])).toEqual([
    [0, 3],
    [1, 3],
    [2, 3],
    [3, 3],
  ])
})

test('a rejected import never says that it is done', async () => {
  const { told, isError } = await callAndListen('import_catalog_items', { items: items(501, 'Stew') })
  expect(isError).toBe(true)
  expect(told.map(({ progress }) => progress)).toEqual([0])
})

test('a remote service reports the rows at the beginning and at the end', async () => {
  // A service elsewhere does not call back for its rows.
  const elsewhere: Client = {
    ...service,
    call: (operation, input, options = {}) =>
      service.call(operation, input, { ...options, onRow: undefined }),
  }
  const remote = await startAgent(home, {
    service: elsewhere,
    purse: { service: 'there', account: 'importer' },
  })
  const { told } = await callAndListen('import_catalog_items', { items: items(40, 'Pie') }, remote)
  expect(told.map(({ progress }) => progress)).toEqual([0, 40])
})

test('a tool without rows tells nothing', async () => {
  expect(await callAndListen('list_rides', {})).toEqual({ told: [], isError: false })
})
