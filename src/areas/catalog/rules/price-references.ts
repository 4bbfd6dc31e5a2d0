/** The prices that a new one is compared with: a price that falls in many steps falls as far as one that jumps. Pure. */
import { canonicalJson } from '../../../core/canonical-json.ts'
import { foldForSearch } from '../../../core/fold.ts'
import type { Money } from '../../../core/money.ts'
import {
  type GroupWanted,
  type ItemChange,
  listItemChanges,
  type ItemNow,
  type ItemWanted,
} from './item-changes.ts'
import type { ModifierGroup } from './modifiers.ts'

/** So long a price is remembered that something else has replaced. */
export const REMEMBERED_MS = 24 * 3_600_000

export type Prices = { price: Money; modifier_groups: readonly ModifierGroup[] }

/** The prices that a person decided last, where programs have changed them since. */
export type AgreedPrices = Partial<Prices>

/** Returns what a person decided last about an item, after a change of it. A program's item counts from its first prices. */
export function agreedAfter(
  before: Prices & { agreed?: AgreedPrices | undefined },
  after: Prices,
  byPerson: boolean,
): AgreedPrices | undefined {
  const keep = <M extends keyof Prices>(member: M): AgreedPrices => {
    const isSame = canonicalJson(before[member]) === canonicalJson(after[member])
    const agreed = before.agreed?.[member] ?? (isSame ? undefined : before[member])
    return agreed === undefined || (byPerson && !isSame) ? {} : { [member]: agreed }
  }
  const agreed = { ...keep('price'), ...keep('modifier_groups') }
  return Object.keys(agreed).length === 0 ? undefined : agreed
}

/**
 * Returns the two items that a change is compared with: as a person decided it last, and as it was a day ago. `past` holds
 * the former prices of that day, oldest first. A choice that is younger counts from its first price.
 */
export function referencesOf(item: ItemNow, agreed: AgreedPrices, past: readonly AgreedPrices[]): ItemNow[] {
  const { price, modifier_groups: groups } = item
  const lists = [
    ...past.flatMap((former) => (former.modifier_groups ? [former.modifier_groups] : [])),
    groups,
  ]
  const decided = agreed.modifier_groups === undefined ? [groups] : [agreed.modifier_groups, ...lists]
  return [
    { ...item, price: agreed.price ?? price, modifier_groups: decided.reduce(carryOn) },
    {
      ...item,
      price: past.find((former) => former.price !== undefined)?.price ?? price,
      modifier_groups: lists.reduce(carryOn),
    },
  ]
}

type Groups = readonly ModifierGroup[]

/**
 * Returns earlier choices, at their prices, under the ids and names of the next list; with those that it adds. One that got
 * another name is under the earlier one, too.
 */
function carryOn(earlier: Groups, next: Groups): Groups {
  const known = earlier.flatMap((group): Groups => {
    const same =
      next.find((each) => each.modifier_group_id === group.modifier_group_id) ?? findNamedChoice(next, group)
    if (same === undefined) return [group]
    const choices = group.modifiers.flatMap((each) => {
      const now =
        same.modifiers.find(({ modifier_id }) => modifier_id === each.modifier_id) ??
        findNamedChoice(same.modifiers, each)
      if (now === undefined) return [each]
      const carried = { ...each, modifier_id: now.modifier_id, name: now.name }
      return isNamed(now, each) ? [carried] : [carried, each]
    })
    const ids = new Set(choices.map(({ modifier_id }) => modifier_id))
    const more = same.modifiers.filter(({ modifier_id }) => !ids.has(modifier_id))
    const carried = { ...same, modifiers: [...choices, ...more] }
    return isNamed(same, group) ? [carried] : [carried, { ...carried, name: group.name }]
  })
  const ids = new Set(known.map(({ modifier_group_id }) => modifier_group_id))
  return [...known, ...next.filter(({ modifier_group_id }) => !ids.has(modifier_group_id))]
}

type NamedChoice = { name: string }

function isNamed(one: NamedChoice, other: NamedChoice): boolean {
  return foldForSearch(one.name) === foldForSearch(other.name)
}

function findNamedChoice<T extends NamedChoice>(all: readonly T[], wanted: NamedChoice): T | undefined {
  return all.find((each) => isNamed(each, wanted))
}

/** A price that changes by more than half. */
export type PriceChange = Pick<ItemChange, 'field' | 'percent'> & { from: Money; to: Money }

/**
 * Returns the new prices that differ by more than half from one of the references, each once. What the item costs already
 * is no new price.
 */
export function steepChanges(
  present: ItemNow | undefined,
  references: readonly ItemNow[],
  wanted: Pick<ItemWanted, 'price' | 'modifier_groups'>,
): PriceChange[] {
  const standing = new Map(present?.modifier_groups.flatMap(pricesOf))
  if (present !== undefined) standing.set('price', present.price.amount)
  const steep = new Map<string, PriceChange>()
  for (const reference of references)
    for (const { field, from, to, percent, steep: isSteep } of listItemChanges(reference, wanted)) {
      if (!isSteep || from === null || to === null || typeof from === 'string' || typeof to === 'string')
        continue
      if (standing.get(field) !== to.amount && !steep.has(field))
        steep.set(field, { field, from, to, percent })
    }
  return [...steep.values()]
}

/**
 * Returns the steep changes of an item on the menu. Under another name the prices that it keeps are new ones, too, beside
 * those of an item that had the name.
 */
export function steepUpdate(
  present: ItemNow,
  { own, named }: { own: readonly ItemNow[]; named: readonly ItemNow[] },
  { name = present.name, ...wanted }: Pick<ItemWanted, 'name' | 'price' | 'modifier_groups'>,
): PriceChange[] {
  if (isNamed(present, { name })) return steepChanges(present, [...own, ...named], wanted)
  const changes = steepChanges(present, own, wanted)
  const { price = present.price, modifier_groups: groups = present.modifier_groups } = wanted
  const more = steepChanges(undefined, named, { price, modifier_groups: groups.map(withoutIds) })
  return [...changes, ...more.filter(({ field }) => !changes.some((each) => each.field === field))]
}

/** The choices of another item are found by their names. */
function withoutIds({ name, modifiers }: GroupWanted): GroupWanted {
  const choices = modifiers.map((each) => ({
    name: each.name,
    ...(each.price_delta && { price_delta: each.price_delta }),
  }))
  return { name, modifiers: choices }
}

/** Under the names that changes have. */
function pricesOf({ name, modifiers }: ModifierGroup): [string, number][] {
  return modifiers.map((each) => [`${name}: ${each.name}`, each.price_delta.amount])
}
