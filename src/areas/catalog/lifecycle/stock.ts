/**
 * Stock that orders reserve and give back (docs/rules/food-and-stores.md#stock-is-reserved-by-the-order). The caller holds
 * the row of the store.
 */
import type { Tx } from '../../../core/db.ts'
import { AppError } from '../../../core/errors.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { bumpMenuVersion } from '../../merchants/queries.ts'
import { findItem, type ItemRecord } from '../queries/catalog.ts'
import { incrementStock, decrementStock } from '../queries/stock.ts'
import { stockAt, computeStockDay } from '../rules/stock.ts'

type Line = { item_id: string; quantity: number }
/** The number of each item that an order holds, by the item. */
export type ReservedStock = Readonly<Record<string, number>>

/**
 * Throws `item_unavailable` where lines want more of a counted item than there is; with what is left for who may buy (`isTold`),
 * because any other caller could read the stock of a competitor.
 */
export function assertStocked(
  items: readonly ItemRecord[],
  lines: readonly Line[],
  { world, at, isTold }: Pick<ChangeContext, 'world' | 'at'> & { isTold: boolean },
): void {
  if (world.supply === 'unlimited') return
  const wanted = wantedOf(items, lines)
  for (const item of items) {
    const left = stockAt(item, at)
    if (left !== null && (wanted.get(item.item_id) ?? 0) > left)
      throw isTold ? tooFew(item, left) : notSoMany(item)
  }
}

/** Takes what the lines want of counted items, in the order of their ids, or throws `item_unavailable`. */
export async function reserveStock(
  { tx, world, at }: ChangeContext,
  merchantId: string,
  items: readonly ItemRecord[],
  lines: readonly Line[],
): Promise<ReservedStock> {
  assertStocked(items, lines, { world, at, isTold: true })
  const wanted = world.supply === 'unlimited' ? [] : [...wantedOf(items, lines)].toSorted(byId)
  let isGone = false
  for (const [id, quantity] of wanted) {
    const item = items.find(({ item_id }) => item_id === id)
    const left = item && stockAt(item, at)
    if (item === undefined || !(await decrementStock(tx, id, quantity, computeStockDay(at))))
      throw new Error(`${id} has fewer than ${quantity} although its store is held`)
    isGone ||= left === quantity
  }
  if (isGone) await bumpMenuVersion(tx, merchantId, at)
  return Object.fromEntries(wanted)
}

/** Gives back what an order had reserved. */
export async function returnStock(
  { tx, at }: { tx: Tx; at: number },
  merchantId: string,
  reserved: ReservedStock,
): Promise<void> {
  let isBack = false
  for (const [id, quantity] of Object.entries(reserved).toSorted(byId)) {
    const item = await findItem(tx, id)
    if (item === undefined) continue
    await incrementStock(tx, id, quantity)
    isBack ||= stockAt(item, at) === 0
  }
  if (isBack) await bumpMenuVersion(tx, merchantId, at)
}

const byId = ([a]: readonly [string, number], [b]: readonly [string, number]): number => (a < b ? -1 : 1)

/** Returns how many of each counted item the lines want together. */
function wantedOf(items: readonly ItemRecord[], lines: readonly Line[]): Map<string, number> {
  const counted = new Set(items.filter(({ stock }) => stock !== null).map(({ item_id }) => item_id))
  const wanted = new Map<string, number>()
  for (const { item_id, quantity } of lines)
    if (counted.has(item_id)) wanted.set(item_id, (wanted.get(item_id) ?? 0) + quantity)
  return wanted
}

function tooFew({ item_id, name }: ItemRecord, left: number): AppError {
  const words =
    left === 0
      ? `${name} is not available now.`
      : `Only ${left} of ${name} ${left === 1 ? 'is' : 'are'} left.`
  return new AppError('item_unavailable', words, {
    extra: { item_ids: [item_id], available_quantity: left },
    hint: left === 0 ? 'Leave out what is sold out and quote again.' : `Quote again with ${left} or fewer.`,
  })
}

function notSoMany({ item_id, name }: ItemRecord): AppError {
  return new AppError('item_unavailable', `${name} is not available in this quantity now.`, {
    extra: { item_ids: [item_id] },
    hint: 'Quote again with fewer, or without it.',
  })
}
