/** Parses typed items, such as `Pad Thai x2 + Chicken + Hot # no peanuts`, and finds them on the menu by name or id. */
import type { Modifier, ModifierGroup } from '../areas/catalog/rules/modifiers.ts'
import type { OperationOutput } from '../client/operations.ts'
import type { ProblemFieldError } from '../core/errors.ts'
import { AppError } from '../core/errors.ts'
import { foldForSearch } from '../core/fold.ts'
import { findClosestWord } from '../core/nearest.ts'

export type Menu = OperationOutput<'get_restaurant_menu'>
export type MenuItem = Menu['categories'][number]['items'][number]

type SearchableItem = Pick<MenuItem, 'item_id' | 'name' | 'modifier_groups'>
type ItemListing = Pick<Menu, 'merchant_id'> & { categories: readonly { items: readonly SearchableItem[] }[] }

/** A requested item with its modifiers, by names or ids. */
export type RequestedItem = {
  item: string
  quantity: number
  modifiers: { modifier: string; quantity: number }[]
  notes: string | undefined
}

/** An item as `quote_food_order` takes it. */
export type QuoteItem = {
  item_id: string
  quantity: number
  modifiers: { modifier_id: string; quantity: number }[]
  notes?: string
}

export const ITEM_WORDS = 'Pad Thai x2 + Chicken + Hot # no peanuts'

/** Parses a typed item: name, `x2`, any number of ` + choice`, `# note`. */
export function readItem(typed: string): RequestedItem {
  const [, order = '', note] = /^([^#]*)(?:#(.*))?$/s.exec(typed) ?? []
  const [item = '', ...modifiers] = order.split(/\s+\+\s*/)
  const main = readCount(item)
  return {
    item: main.name,
    quantity: main.count,
    modifiers: modifiers.map((each) => {
      const { name, count } = readCount(each)
      return { modifier: name, quantity: count }
    }),
    notes: note === undefined || note.trim() === '' ? undefined : note.trim(),
  }
}

/** Parses `Pad Thai x2`, `2x Pad Thai` or `2 × Pad Thai`. */
function readCount(text: string): { name: string; count: number } {
  const trimmed = text.trim()
  const [, behind, last] = /^(.+?)\s+[x×]\s?(\d{1,2})$/i.exec(trimmed) ?? []
  if (behind !== undefined) return { name: behind, count: Number(last) }
  const [, first, rest] = /^(\d{1,2})\s?[x×]\s+(.+)$/i.exec(trimmed) ?? []
  return rest === undefined ? { name: trimmed, count: 1 } : { name: rest, count: Number(first) }
}

/** Returns the typed form of an item. */
export function formatRequestedItem({ item, quantity, modifiers, notes }: RequestedItem): string {
  const times = (name: string, count: number): string => (count === 1 ? name : `${name} x${count}`)
  const chosen = modifiers.map((each) => ` + ${times(each.modifier, each.quantity)}`)
  return `${times(item, quantity)}${chosen.join('')}${notes === undefined ? '' : ` # ${notes}`}`
}

/**
 * Returns the menu items for the typed ones. The service chooses the default of a required choice that is missing, and
 * checks limits. Throws AppError('usage') with all items that were not found.
 */
export function resolveQuoteItems(menu: ItemListing, wanted: readonly RequestedItem[]): QuoteItem[] {
  const all = menu.categories.flatMap(({ items }) => items)
  const problems: ProblemFieldError[] = []
  const complain = (detail: string): void =>
    void problems.push({ parameter: '--item', code: 'not_in_menu', detail })
  const items = wanted.flatMap(({ item, quantity, modifiers, notes }): QuoteItem[] => {
    const found = matchByName(all, item, ({ item_id }) => item_id)
    if (!('one' in found)) {
      complain(notFound(item, found.several, all, 'on the menu'))
      return []
    }
    const chosen = modifiers.flatMap((each) => findModifier(found.one, each, complain))
    return [
      {
        item_id: found.one.item_id,
        quantity,
        modifiers: chosen,
        ...(notes !== undefined && { notes }),
      },
    ]
  })
  if (problems.length > 0) {
    throw new AppError('usage', 'Not everything is on the menu. Nothing was ordered.', {
      errors: problems,
      hint: `\`dray food menu ${menu.merchant_id}\` shows it.`,
    })
  }
  return items
}

type ChosenModifier = QuoteItem['modifiers'][number]

/** Finds `Hot`, or `Spice: Hot` when two groups have one. */
function findModifier(
  item: SearchableItem,
  { modifier, quantity }: RequestedItem['modifiers'][number],
  complain: (detail: string) => void,
): ChosenModifier[] {
  const [, group, name = modifier] = /^([^:]+):\s*(.+)$/.exec(modifier) ?? []
  const groups =
    group === undefined
      ? item.modifier_groups
      : item.modifier_groups.filter((each) => foldForSearch(each.name) === foldForSearch(group))
  const all = groups.flatMap(({ modifiers }) => modifiers)
  const found = matchByName(all, name, ({ modifier_id }) => modifier_id)
  if ('one' in found) return [{ modifier_id: found.one.modifier_id, quantity }]
  complain(notFound(modifier, found.several, all, `among the options of ${item.name}`))
  return []
}

export function presetOf({ modifiers }: ModifierGroup): Modifier[] {
  return modifiers.filter(({ is_default, available }) => is_default && available)
}

type NamedOption = { name: string }

/** Finds by id, by the whole name, or by a part of one name only; else returns all with that part. */
export function matchByName<T extends NamedOption>(
  all: readonly T[],
  asked: string,
  idOf: (one: T) => string,
): { one: T } | { several: T[] } {
  const wanted = foldForSearch(asked)
  const byId = all.find((each) => idOf(each) === asked.trim())
  if (byId !== undefined) return { one: byId }
  for (const matches of [
    (name: string) => name === wanted,
    (name: string) => name.startsWith(wanted),
    (name: string) => name.includes(wanted),
  ]) {
    const found = wanted === '' ? [] : all.filter(({ name }) => matches(foldForSearch(name)))
    const [one, ...more] = found
    if (one !== undefined) return more.length === 0 ? { one } : { several: found }
  }
  return { several: [] }
}

function notFound(
  asked: string,
  several: readonly NamedOption[],
  all: readonly NamedOption[],
  where: string,
): string {
  const shown = JSON.stringify(asked.slice(0, 60))
  if (several.length > 0) {
    const names = several.slice(0, 5).map(({ name }) => name)
    return `${shown} may be ${names.join(', ')}${several.length > 5 ? ' and others' : ''}`
  }
  const byFold = new Map(all.map(({ name }) => [foldForSearch(name), name]))
  const like = byFold.get(findClosestWord(foldForSearch(asked), [...byFold.keys()]) ?? '')
  return `${shown} is not ${where}${like === undefined ? '' : `; did you mean ${like}?`}`
}
