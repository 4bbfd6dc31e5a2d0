/** A store whose hours change, and what customers see of it. */
import { findStore, makeBasketLine } from './food.ts'
import { FORNO } from './order-life.ts'
import type { TestSandbox } from './world.ts'

export const OWNER = { as: 'everything' }
export const MINUTE = 60_000
/** The seeded day is a Friday. */
export const FRIDAY_NOON_MS = Date.parse('2026-11-20T12:00:00Z')

export async function makeFornoBasket(world: TestSandbox, more: Record<string, unknown> = {}) {
  const { merchant_id, items } = await findStore(world, FORNO)
  const item = items.find(({ doc, available }) => doc.modifier_groups.length === 0 && available)
  if (item === undefined) throw new Error(`${FORNO} sells nothing plain`)
  return { merchant_id, fulfillment_type: 'pickup', items: [makeBasketLine(item)], ...more }
}

export async function searchForno(world: TestSandbox, more: Record<string, unknown> = {}) {
  const near = { latitude: 51.5129, longitude: -0.0823, q: 'Forno', ...more }
  return world.ok('search_restaurants', near)
}
