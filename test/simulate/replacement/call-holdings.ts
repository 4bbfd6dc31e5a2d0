/** What clients hold of lists, events and calls: cursors, positions, keys, quotes, resources and shared links. */
import { bodyOf, type Holder, toUse } from './holding.ts'
import type { ServedWorld } from './served-world.ts'
import { buyMeal, confirmMeal, BUYER, quoteMeal, RIVAL, sendParcel, SHARER } from './shopping.ts'

/** Lists of the owner that have a second page. */
const LISTS = [
  '/v1/business/catalog/items',
  '/v1/hubs',
  '/v1/services/providers',
  '/v1/shipments',
  '/v1/food/orders',
  '/v1/business/orders',
]

async function readPage(world: ServedWorld, list: string, cursor?: string) {
  const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
  return world.request({ as: BUYER, path: `${list}?limit=1${query}` })
}

const idsOf = (body: Record<string, unknown>): string =>
  JSON.stringify((body['data'] as Record<string, unknown>[]).map((row) => Object.values(row)[0]))

/** A reader in the middle of a list. */
const holdCursor: Holder = async ({ world, random }) => {
  const list = random.pick(LISTS)
  const first = await readPage(world, list)
  const cursor = first.body['next_cursor']
  if (first.status >= 400 || typeof cursor !== 'string') return undefined
  const next = bodyOf(await readPage(world, list, cursor))
  return {
    name: `a cursor of ${list}`,
    partOf: 'readings',
    goesOn: idsOf(next),
    codes: ['invalid_cursor'],
    use: async () => toUse(await readPage(world, list, cursor), ({ body }) => idsOf(body)),
  }
}

/** A reader of events that asks again later. */
const holdPosition: Holder = async ({ world }) => {
  const { last } = bodyOf(await world.request({ as: BUYER, path: '/v1/events?after=0' }))
  const path = `/v1/events?after=${String(last)}`
  return {
    name: 'a position in the events',
    partOf: 'readings',
    goesOn: 'goes on',
    codes: ['position_gone'],
    async use() {
      const { status, code, body } = await world.request({ as: BUYER, path })
      if (status < 400) return { did: 'goes on' }
      // The refusal says where to begin, and that is a position.
      const again = await world.request({ as: BUYER, path: `/v1/events?after=${String(body['first'])}` })
      return again.status < 400
        ? { told: code }
        : { told: `${code}, and its first is refused: ${again.code}` }
    },
  }
}

/** A program that repeats a call with its key. */
const holdKeyOfParcel: Holder = async ({ world, number }) => {
  const call = { door: number, key: `parcel-${number}` }
  const { tracking_number } = bodyOf(await sendParcel(world, call))
  return {
    name: 'a key with which a parcel was sent',
    partOf: 'world',
    goesOn: `replayed ${String(tracking_number)}`,
    anew: 'sent another',
    codes: [],
    async use() {
      const answer = await sendParcel(world, call)
      if (answer.status >= 400) return { told: answer.code }
      const path = `/v1/shipments/${String(answer.body['tracking_number'])}`
      const { status } = await world.request({ as: BUYER, path })
      if (status >= 400) return { did: `answered from nowhere: ${path} has ${status}` }
      return { did: answer.replayed ? `replayed ${path.slice('/v1/shipments/'.length)}` : 'sent another' }
    },
  }
}

/** A program that uses the key of the old world for its next call. */
const holdKeyOfOther: Holder = async ({ world, number }) => {
  const key = `other-${number}`
  bodyOf(await sendParcel(world, { door: number, key }))
  return {
    name: 'a key that was used for another parcel',
    partOf: 'world',
    goesOn: 'idempotency_key_reused',
    anew: 'sent',
    codes: [],
    async use() {
      const { status, code } = await sendParcel(world, { door: number + 1000, key })
      return { did: status < 400 ? 'sent' : code }
    },
  }
}

/** A customer who thinks about a price. */
const holdQuote: Holder = async ({ world, number }) => {
  const { quote_id, total } = await quoteMeal(world, BUYER)
  const bought = (body: Record<string, unknown>) => `bought for ${JSON.stringify(body['total'])}`
  return {
    name: 'a quote that is not confirmed',
    partOf: 'world',
    goesOn: bought({ total }),
    codes: ['quote_not_found'],
    use: async () =>
      toUse(await confirmMeal(world, BUYER, { quote_id, key: `late-${number}` }), ({ body }) => bought(body)),
    rival: () => quoteMeal(world, RIVAL),
  }
}

/** A customer who never saw the answer to an order, and repeats the call. */
const holdKeyOfOrder: Holder = async ({ world, number }) => {
  const { quote_id } = await quoteMeal(world, BUYER)
  const call = { quote_id, key: `order-${number}` }
  const { order_id } = bodyOf(await confirmMeal(world, BUYER, call))
  return {
    name: 'a key with which an order was placed',
    partOf: 'world',
    goesOn: `replayed ${String(order_id)}`,
    codes: ['quote_not_found'],
    use: async () =>
      toUse(
        await confirmMeal(world, BUYER, call),
        ({ replayed, body }) => `${replayed ? 'replayed' : 'placed'} ${String(body['order_id'])}`,
      ),
    rival: () => buyMeal(world, RIVAL, `rival-${number}`),
  }
}

/** A customer who follows an order by its id, which another customer's order has in the new world. */
const holdOrder: Holder = async ({ world, number }) => {
  const { order_id, display_number } = await buyMeal(world, BUYER, `own-${number}`)
  return {
    name: 'an order',
    partOf: 'world',
    goesOn: String(display_number),
    codes: ['order_not_found'],
    use: async () =>
      toUse(await world.request({ as: BUYER, path: `/v1/food/orders/${String(order_id)}` }), ({ body }) =>
        String(body['display_number']),
      ),
    rival: () => buyMeal(world, RIVAL, `rival-${number}`),
  }
}

/** A friend who follows an order by its link. In the new world the customer has another order with its id. */
const holdSharedLink: Holder = async ({ world, number }) => {
  const { order_id, display_number } = await buyMeal(world, SHARER, `shared-${number}`)
  const made = await world.request({ as: SHARER, path: '/v1/shared-links', body: { resource_id: order_id } })
  const path = `${String(bodyOf(made)['path'])}/state`
  return {
    name: `a shared link of order ${String(display_number)}`,
    partOf: 'link',
    since: 13,
    goesOn: 'shown',
    codes: ['route_not_found'],
    use: async () => toUse(await world.request({ path }), () => 'shown'),
    rival: () => buyMeal(world, SHARER, `rival-${number}`),
  }
}

export const CALL_HOLDERS: readonly Holder[] = [
  holdCursor,
  holdCursor,
  holdPosition,
  holdKeyOfParcel,
  holdKeyOfOther,
  holdQuote,
  holdKeyOfOrder,
  holdOrder,
  holdSharedLink,
]
