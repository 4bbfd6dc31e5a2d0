/** The kinds of store, how customers get their orders, and how long a courier takes. */
import { computeRoadTravelSeconds, type Point, roadDistanceMetres } from '../../core/geometry.ts'

/** Minutes between the earliest and the latest time at which a courier arrives. */
export const SPREAD_MINUTES = 10

/** Minutes that a courier usually needs to be at the store and to take what is ready. */
const COLLECT_MINUTES = 3

/**
 * Returns the minutes from an order to its delivery by bicycle. `readyMinutes` pass until the food is ready and a
 * courier is free. A search calls this for every store; only a quote looks up real couriers.
 */
export function computeDeliveryMinutes(
  readyMinutes: number,
  from: Point,
  to: Point,
): { eta_min_minutes: number; eta_max_minutes: number } {
  const ride = Math.ceil(computeRoadTravelSeconds(roadDistanceMetres(from, to), 'bicycle') / 60)
  const eta_min_minutes = readyMinutes + COLLECT_MINUTES + ride
  return { eta_min_minutes, eta_max_minutes: eta_min_minutes + SPREAD_MINUTES }
}

/** Returns the minutes that a store needs for an order at an instant. */
export function computePrepMinutes(
  store: { prep_time_minutes: number; busy_minutes: number; busy_until: number | null },
  at: number,
): number {
  const isBusy = store.busy_until === null || at < store.busy_until
  return store.prep_time_minutes + (isBusy ? store.busy_minutes : 0)
}

export const MERCHANT_KINDS = ['restaurant', 'grocery', 'shop'] as const
export type MerchantKind = (typeof MERCHANT_KINDS)[number]

export const FULFILLMENT_TYPES = ['delivery', 'pickup', 'dine_in'] as const
export type FulfillmentType = (typeof FULFILLMENT_TYPES)[number]

export type DiningTable = { table_number: string; party_size: number | null }

/** A station of a kitchen: it makes the lines of these items, and of the other items of these menu categories. */
export type Station = { name: string; category_ids: string[]; item_ids: string[] }

/** A store's choice to accept orders by itself. `prep_time_minutes` is null for the usual time; `until` is null without an end. */
export type AutoAcceptRule = { prep_time_minutes: number | null; until: number | null }

/** The choices of a store that all screens of its kitchen share. Times in milliseconds. */
export type StoreSettings = {
  /** The number of changes of the stations and of the rule. */
  version: number
  stations: Station[]
  auto_accept: AutoAcceptRule | null
  /** Orders that were lost up to then need no attention; null before the first were seen. */
  losses_seen_until: number | null
}

/** The settings of a store that has changed none. */
export const NO_SETTINGS: StoreSettings = {
  version: 0,
  stations: [],
  auto_accept: null,
  losses_seen_until: null,
}

/** Returns the rule by which a store accepts orders at an instant; null while it accepts none by itself. */
export function autoAcceptAt({ auto_accept: rule }: StoreSettings, at: number): AutoAcceptRule | null {
  return rule === null || (rule.until !== null && rule.until <= at) ? null : rule
}

/**
 * Returns the name of the station that makes an item: the one that names the item, else the one of its category. Null if none
 * does (docs/rules/food-and-stores.md#a-line-belongs-to-one-station).
 */
export function findStation(
  stations: readonly Station[],
  itemId: string,
  categoryId: string | undefined,
): string | null {
  const station =
    stations.find(({ item_ids }) => item_ids.includes(itemId)) ??
    stations.find(({ category_ids }) => categoryId !== undefined && category_ids.includes(categoryId))
  return station?.name ?? null
}
