/** The store that every seed begins with, and who calls in it. */
import { join } from 'node:path'
import { makeRandom } from '../adversarial/random.ts'
import type { Bundle } from './gateways.ts'
import { SIMULATION_START_MS } from './machine.ts'

export type SimulatedPerson = {
  handle: string
  accountId: string
  token: string
  does: 'ships' | 'buys' | 'sells'
}

/** An item of a shop; its owner changes it, and others read it. */
export type SimulatedItem = { merchantId: string; itemId: string; owner: string }

export type Town = {
  store: string
  people: SimulatedPerson[]
  items: SimulatedItem[]
  /** The ids that no client made. */
  begunWith: ReadonlySet<string>
}

/** The accounts with a client; several clients may call for one account. */
const PEOPLE: readonly (readonly [handle: string, does: SimulatedPerson['does']])[] = [
  ...['shipper', 'shipper2', 'carter', 'drayman', 'shipper'].map((handle) => [handle, 'ships'] as const),
  ...['member', 'guest', 'lapsed', 'ann', 'bob', 'cleo', 'dan', 'eve', 'ann', 'bob', 'member'].map(
    (handle) => [handle, 'buys'] as const,
  ),
  ...['owner', 'everything', 'owner'].map((handle) => [handle, 'sells'] as const),
]

/** Dishes without choices. */
const DISHES = ['Summer Rolls', 'Focaccia']

/** Makes the store in a folder. */
export async function makeTown({ openService, invokeControl }: Bundle, folder: string): Promise<Town> {
  const draws = makeRandom(0)
  const random = (count: number) => new Uint8Array(count).map(() => draws.number(256))
  const parts = {
    now: () => SIMULATION_START_MS,
    random,
    weakRandomBytes: random,
    env: {},
    firstRun() {},
    debug() {},
  }
  const store = join(folder, 'town.db')
  const { db, gateway } = await openService({ store }, parts)
  const control = async <T>(name: string, input: Record<string, unknown>): Promise<T> =>
    (await invokeControl(db, name, input, parts)) as T
  for (const handle of ['carter', 'drayman']) await control('add_account', { handle, carrier: true })
  for (const handle of ['ann', 'bob', 'cleo', 'dan', 'eve'])
    await control('add_account', { handle, membership: 'active' })

  const people: SimulatedPerson[] = []
  for (const [handle, does] of PEOPLE) {
    const { token, account_id } = await control<{ token: string; account_id: string }>('mint_token', {
      account: handle,
    })
    people.push({ handle, accountId: account_id, token, does })
  }
  const items: SimulatedItem[] = []
  for (const owner of ['owner', 'everything']) {
    const { body } = await gateway.invoke({ operation: 'list_catalog_items', credential: { account: owner } })
    const { data } = JSON.parse(body) as { data: { name: string; merchant_id: string; item_id: string }[] }
    const own = data.filter(({ name }) => DISHES.includes(name))
    items.push(
      ...own.map(({ merchant_id, item_id }) => ({ merchantId: merchant_id, itemId: item_id, owner })),
    )
  }
  const begun = await db.read((tx) =>
    tx.all(`select tracking_number as id from shipments union all select order_id from orders
      union all select ride_id from rides union all select item_id from catalog_items`),
  )
  await db.close()
  return { store, people, items, begunWith: new Set(begun.map(({ id }) => String(id))) }
}
