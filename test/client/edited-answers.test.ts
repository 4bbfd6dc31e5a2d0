/** A real service's responses with one impossible value (docs/rules/failure-model.md#a-response-with-impossible-values-is-an-error). */
import { beforeAll, expect, test } from 'vitest'
import { load, NAMES } from '../../src/generated/registry.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { makeParcel } from '../support/parcel.ts'
import { openTestRemote } from '../support/remote-client.ts'
import { EDITED, edited } from '../support/remote-faults.ts'
import { type ServedStore, serveStore } from '../support/served.ts'
import { sandboxOverStore } from '../support/world.ts'

let served: ServedStore
let token: string

beforeAll(async () => {
  served = await serveStore({ registry: { NAMES, load } })
  token = await served.token('everything')
  await sandboxOverStore(served.db).ok('create_shipment', makeParcel())
})

async function listOver(...chosen: Parameters<Awaited<ReturnType<typeof startFaultProxy>>['choose']>) {
  const proxy = await startFaultProxy(served.url)
  proxy.choose(...chosen)
  const { client } = await openTestRemote(proxy.url, { target: { token } })
  return client.call('list_shipments', {})
}

test.each(Object.entries(EDITED))('a service that %s is not believed', async (_name, fault) => {
  await expect(listOver(() => fault)).rejects.toMatchObject({ code: 'invalid_response', exitCode: 11 })
})

test('a newer service with additional members and values is understood', async () => {
  const newer = edited((body) =>
    body.replace(/"status":"[^"]+"/, '"status":"teleported","teleporter":{"id":[1]}'),
  )
  const { value } = await listOver(() => newer)
  expect(value).toMatchObject({ data: [{ status: 'teleported', teleporter: { id: [1] } }] })
})
