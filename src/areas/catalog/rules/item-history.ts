/** The versions of an item: what a change replaced, and what the item was at a version. Pure. */
import { canonicalJson } from '../../../core/canonical-json.ts'
import type { Money } from '../../../core/money.ts'
import { type OpeningHours, unpackWeekHours } from '../../../core/opening-hours.ts'
import { toTimestampOrNull } from '../../../core/time.ts'
import type { UnavailableReason } from './catalog.ts'
import type { ModifierGroup } from './modifiers.ts'

/** The fields of an item that changes give other values. */
export type ItemMembers = {
  name: string
  description: string | null
  price: Money
  category: { category_id: string; name: string }
  modifier_groups: ModifierGroup[]
  availability: { available: boolean; until: string | null; reason: UnavailableReason | null }
  /** The weekly periods in which it is on sale; null: at any time. */
  schedule: OpeningHours[] | null
}

/** An item as the store keeps it. */
type StoredItem = {
  name: string
  category: { category_id: string; name: string }
  available: boolean
  unavailable_until: number | null
  schedule: string | null
  doc: Pick<ItemMembers, 'description' | 'price' | 'modifier_groups'> & {
    unavailable_reason: UnavailableReason | null
  }
}

export function toItemMembers(item: StoredItem): ItemMembers {
  const { name, category, available, unavailable_until: until, schedule, doc } = item
  return {
    name,
    description: doc.description,
    price: doc.price,
    category: { category_id: category.category_id, name: category.name },
    modifier_groups: doc.modifier_groups,
    availability: {
      available,
      until: toTimestampOrNull(until),
      reason: doc.unavailable_reason,
    },
    schedule: unpackWeekHours(schedule),
  }
}

/** Returns the former values of the fields that differ. */
export function pickReplacedFields(before: ItemMembers, after: ItemMembers): Partial<ItemMembers> {
  const members = Object.entries(before) as [keyof ItemMembers, unknown][]
  return Object.fromEntries(
    members.filter(([member, value]) => canonicalJson(value) !== canonicalJson(after[member])),
  )
}

type Change = { version: number; replaced: Partial<ItemMembers> | null }

/** Returns what the item was at a version, from its present fields and its changes, newest first. */
export function computeItemAtVersion(
  now: ItemMembers,
  changes: readonly Change[],
  version: number,
): ItemMembers {
  return changes
    .filter((change) => change.version > version)
    .reduce((members, { replaced }) => ({ ...members, ...replaced }), now)
}
