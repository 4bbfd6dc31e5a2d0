/** Makes baskets at the stores of the fixture, by their names. */
import type { ItemRecord } from '../../src/areas/catalog/queries/catalog.ts'
import { listMenuItems } from '../../src/areas/catalog/queries/catalog.ts'
import type { MerchantDoc, MerchantRecord } from '../../src/areas/merchants/queries.ts'
import { AppError } from '../../src/core/errors.ts'
import type { TestSandbox } from './world.ts'

/** 300 m from Lime Street Noodles. */
export const NEAR = { location: { latitude: 51.5129, longitude: -0.0864 }, name: 'Leadenhall' }

export const LIME_STREET = 'Lime Street Noodles'

/** Returns a store of the fixture by its name, with its items. */
export async function findStore(
  { db }: TestSandbox,
  name = LIME_STREET,
): Promise<MerchantRecord & { items: ItemRecord[]; item(name: string): ItemRecord }> {
  return db.read(async (tx) => {
    const { findMerchant } = await import('../../src/areas/merchants/queries.ts')
    const row = await tx.get('select merchant_id from merchants where name = $1', name)
    const merchant = await findMerchant(tx, String(row?.['merchant_id']))
    if (merchant === undefined) throw new Error(`there is no store ${name}`)
    const items = await listMenuItems(tx, merchant.merchant_id)
    return {
      ...merchant,
      items,
      item(wanted) {
        const item = items.find((each) => each.name === wanted)
        if (item === undefined) throw new Error(`${name} has no ${wanted}`)
        return item
      },
    }
  })
}

/** Returns one line of a basket, with the first required choices of an item. */
export function makeBasketLine(
  { item_id, doc }: ItemRecord,
  quantity = 1,
): { item_id: string; quantity: number; modifiers: { modifier_id: string }[] } {
  return {
    item_id,
    quantity,
    modifiers: doc.modifier_groups.flatMap(({ min_selections, modifiers }) =>
      modifiers
        .filter(({ available }) => available)
        .slice(0, min_selections)
        .map(({ modifier_id }) => ({ modifier_id })),
    ),
  }
}

/** Returns a basket at Lime Street for delivery nearby, with overrides. */
export async function makeBasket(
  world: TestSandbox,
  over: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const store = await findStore(world)
  return {
    merchant_id: store.merchant_id,
    fulfillment_type: 'delivery',
    items: [makeBasketLine(store.item('Chicken Satay'), 2), makeBasketLine(store.item('Summer Rolls'))],
    dropoff: NEAR,
    ...over,
  }
}

/** Returns a basket for pickup. */
export async function makePickup(world: TestSandbox, over: Record<string, unknown> = {}) {
  const { dropoff: _, ...basket } = await makeBasket(world, { fulfillment_type: 'pickup', ...over })
  return basket
}

export const CARD = { method: 'card', payment_token: 'tok_ok' } as const

let keys = 0

/** Returns a key that no call of the file has used: no file writes a key of this form by itself. */
export function newKey(): string {
  keys += 1
  return `new-key-${keys}`
}

/** Changes a store of the fixture directly in the database. */
export async function changeStore(
  { db }: TestSandbox,
  merchantId: string,
  change: Partial<MerchantDoc>,
): Promise<void> {
  await db.write(async (tx) => {
    const row = await tx.get('select doc from merchants where merchant_id = $1', merchantId)
    if (row === undefined) throw new AppError('merchant_not_found', merchantId)
    const doc = { ...(JSON.parse(String(row['doc'])) as MerchantDoc), ...change }
    await tx.run('update merchants set doc = $2 where merchant_id = $1', merchantId, JSON.stringify(doc))
  })
}
