/** The stream of an account's events over HTTP. */
import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { sha256Hex } from '../../../src/core/hash.ts'
import { load, NAMES } from '../../../src/generated/registry.ts'
import { loadSnapshot, saveSnapshot } from '../../../src/sandbox/control/snapshot.ts'
import { placeTestOrder } from '../../support/order-life.ts'
import { NOON_MS, serveStore } from '../../support/served.ts'
import { sandboxOverStore } from '../../support/world.ts'

const served = await serveStore({ registry: { NAMES, load } })
const world = sandboxOverStore(served.db)
const path = `${served.url}/v1/events/stream`

/** Opens a stream, and returns a function that reads until it has a number of messages. */
async function listen(token: string, lastId?: string) {
  const ended = new AbortController()
  onTestFinished(() => ended.abort())
  const headers = {
    authorization: `Bearer ${token}`,
    ...(lastId !== undefined && { 'last-event-id': lastId }),
  }
  const { body, status } = await fetch(path, { headers, signal: ended.signal })
  expect(status).toBe(200)
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  let text = ''
  return async (
    count: number,
  ): Promise<{ id: string; type: string; data: { data: { order_id: string } } }[]> => {
    for (;;) {
      const found = [...text.matchAll(/id: (\S+)\nevent: (\S+)\ndata: (.*)\n\n/g)]
      if (found.length >= count)
        return found.map(([, id = '', type = '', data = '']) => ({
          id,
          type,
          data: JSON.parse(data) as never,
        }))
      text += new TextDecoder().decode((await reader.read()).value)
    }
  }
}

test('a reader that comes back goes on after the last event that it had, and hears no one else', async () => {
  const token = await served.token('member')
  const heard = await listen(token)
  await placeTestOrder(world, { as: 'everything' })
  const [first, second] = [await placeTestOrder(world), await placeTestOrder(world)]
  const messages = await heard(2)
  expect(messages.map(({ type, data }) => [type, data.data.order_id])).toEqual([
    ['food_order.placed', first.order_id],
    ['food_order.placed', second.order_id],
  ])
  const again = await (await listen(token, messages[0]?.id))(1)
  expect(again.map(({ data }) => data.data.order_id)).toEqual([second.order_id])
})

test('a stream needs a credential, and the id of an event', async () => {
  expect((await fetch(path)).status).toBe(401)
  const headers = { authorization: `Bearer ${await served.token('member')}`, 'last-event-id': 'x' }
  expect((await fetch(path, { headers })).status).toBe(400)
})

test('a stream over a store that is replaced says so by one event, and goes on from the new beginning', async () => {
  const token = await served.token('member')
  const heard = await listen(token)
  await placeTestOrder(world)
  await heard(1)
  const chunks: Uint8Array[] = []
  await saveSnapshot(served.db, NOON_MS, (chunk) => chunks.push(chunk))
  await loadSnapshot(
    served.db,
    { now: () => NOON_MS, random: (count) => randomBytes(count) },
    async function* () {
      yield Buffer.concat(chunks)
    },
  )
  const { order_id } = await placeTestOrder(world)
  const messages = await heard(3)
  expect(messages.map(({ type }) => type)).toEqual(['food_order.placed', 'reset', 'food_order.placed'])
  expect(messages[2]?.data.data.order_id).toBe(order_id)
  // Who comes back with a position of before is told the same.
  const again = await (await listen(token, messages[0]?.id))(2)
  expect(again.map(({ type, id }) => [type, id])).toEqual(messages.slice(1).map(({ type, id }) => [type, id]))
  const beyond = await (await listen(token, '999999999'))(2)
  expect(beyond.map(({ type }) => type)).toEqual(['reset', 'food_order.placed'])
})

test('a stream ends with its token, and the next one is refused', async () => {
  const token = await served.token('member')
  const headers = { authorization: `Bearer ${token}` }
  const { body } = await fetch(path, { headers })
  await served.db.write((tx) => tx.run('delete from tokens where token_hash = $1', sha256Hex(token)))
  await (body as ReadableStream).pipeTo(new WritableStream())
  expect((await fetch(path, { headers })).status).toBe(401)
})
