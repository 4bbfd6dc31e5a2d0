/** The changes to an item on sale: each old value beside its new one. Pure. */
import { foldForSearch } from '../../../core/fold.ts'
import type { Money } from '../../../core/money.ts'
import type { Modifier, ModifierGroup } from './modifiers.ts'

/** An item with its present values. */
export type ItemNow = {
  name: string
  description: string | null
  price: Money
  category: { category_id: string; name: string }
  modifier_groups: readonly ModifierGroup[]
}

/** A group of choices as a request names it. */
export type GroupWanted = Pick<ModifierGroup, 'name'> &
  Partial<Omit<ModifierGroup, 'modifiers'>> & {
    modifiers: readonly (Pick<Modifier, 'name'> & Partial<Modifier>)[]
  }

/** A section as a request names it: by its name, by its id, or as answers show it. */
export type SectionWanted = string | { category_id: string; name: string; sort_order?: number }

/** Returns the name or the id by which a section is wanted. */
export function sectionName(wanted: SectionWanted): string {
  return typeof wanted === 'string' ? wanted : wanted.name
}

/** The fields of an `update_catalog_item` request that are present. */
export type ItemWanted = {
  name?: string
  description?: string | null
  price?: Money
  category?: SectionWanted
  modifier_groups?: readonly GroupWanted[]
}

export type ItemChange = {
  /** A member such as `price`; for a modifier its group and name: `Size: Pot`. */
  field: string
  from: Money | string | null
  to: Money | string | null
  /** The change of a price in percent; null when it was zero before. */
  percent: number | null
  /** A price changes by more than half: probably a typing error. */
  steep: boolean
}

/** Returns every change; empty when nothing changes. */
export function listItemChanges(item: ItemNow, wanted: ItemWanted): ItemChange[] {
  const { name, description, price, category, modifier_groups: groups } = wanted
  return [
    ...textChange('name', item.name, name?.trim()),
    ...textChange('description', item.description, description?.trim() === '' ? null : description),
    ...priceChange('price', item.price, price, 0),
    ...(category === undefined || isSection(item, category)
      ? []
      : textChange('category', item.category.name, sectionName(category))),
    ...(groups === undefined ? [] : groupChanges(item, groups)),
  ]
}

function isSection({ category: { category_id, name } }: ItemNow, wanted: SectionWanted): boolean {
  if (typeof wanted !== 'string' && wanted.category_id === category_id) return true
  return (
    sectionName(wanted).trim() === category_id || foldForSearch(sectionName(wanted)) === foldForSearch(name)
  )
}

function textChange(field: string, from: string | null, to: string | null | undefined): ItemChange[] {
  return to === undefined || to === from ? [] : [{ field, from, to, percent: null, steep: false }]
}

/** Compares two prices. A modifier that was free is compared with `whole`, the item's price. */
function priceChange(field: string, from: Money, to: Money | undefined, whole: number): ItemChange[] {
  if (to === undefined || (to.amount === from.amount && to.currency === from.currency)) return []
  const moved = Math.abs(to.amount - from.amount)
  const steep = from.amount > 0 ? moved * 2 > from.amount : moved * 2 > whole
  const percent = from.amount > 0 ? ((to.amount - from.amount) / from.amount) * 100 : null
  return [{ field, from, to, percent, steep }]
}

function groupChanges(item: ItemNow, wanted: readonly GroupWanted[]): ItemChange[] {
  const gone = item.modifier_groups.filter((group) => !wanted.some((each) => isGroup(group, each)))
  return [
    ...gone.map(({ name }) => ({ field: name, from: 'choices', to: null, percent: null, steep: false })),
    ...wanted.flatMap((each) => {
      const group = item.modifier_groups.find((known) => isGroup(known, each))
      if (group !== undefined) return choiceChanges(item, group, each)
      const choices = each.modifiers.map(({ name }) => name).join(', ')
      return [{ field: each.name, from: null, to: choices, percent: null, steep: false }]
    }),
  ]
}

/** Returns whether a request means this group: by its id, else by its name. */
export function isGroup(group: ModifierGroup, wanted: GroupWanted): boolean {
  if (wanted.modifier_group_id !== undefined) return wanted.modifier_group_id === group.modifier_group_id
  return foldForSearch(wanted.name) === foldForSearch(group.name)
}

/** Returns whether a request means this modifier of its group. */
export function isModifier(modifier: Modifier, wanted: GroupWanted['modifiers'][number]): boolean {
  if (wanted.modifier_id !== undefined) return wanted.modifier_id === modifier.modifier_id
  return foldForSearch(wanted.name) === foldForSearch(modifier.name)
}

function choiceChanges({ price }: ItemNow, group: ModifierGroup, wanted: GroupWanted): ItemChange[] {
  const gone = group.modifiers.filter((each) => !wanted.modifiers.some((other) => isModifier(each, other)))
  return [
    ...textChange(`${group.name}: name`, group.name, wanted.name.trim()),
    ...textChange(`${group.name}: limits`, limitsOf(group), limitsOf(wanted)),
    ...gone.map(({ name }) => removed(`${group.name}: ${name}`)),
    ...wanted.modifiers.flatMap((each) => {
      const known = group.modifiers.find((other) => isModifier(other, each))
      const field = `${group.name}: ${known?.name ?? each.name}`
      const delta = each.price_delta ?? { amount: 0, currency: price.currency }
      if (known === undefined) return [{ field, from: null, to: delta, percent: null, steep: false }]
      return [
        ...textChange(field, known.name, each.name.trim()),
        ...priceChange(field, known.price_delta, delta, price.amount),
        ...textChange(`${field}, state`, stateOf(known), stateOf(each)),
      ]
    }),
  ]
}

function removed(field: string): ItemChange {
  return { field, from: 'choice', to: null, percent: null, steep: false }
}

function limitsOf(group: Partial<Omit<ModifierGroup, 'modifiers'>>): string {
  const { min_selections: min = 0, max_selections: max = null, allow_repeats: repeats = false } = group
  return `${min} to ${max ?? 'any'}${repeats ? ', repeats' : ''}`
}

function stateOf({ available = true, is_default: preset = false }: Partial<Modifier>): string {
  return `${available ? 'available' : 'unavailable'}${preset ? ', default' : ''}`
}
