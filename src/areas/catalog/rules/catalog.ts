/** What a store sells: which items are sound, when one can be had, and which two are the same (`contract.md` B8). */
import type { FieldError } from '../../../core/errors.ts'
import { fold } from '../../../core/fold.ts'
import { formatMoney, type Money } from '../../../core/money.ts'
import { inThePast, parseTimestamp } from '../../../core/time.ts'
import { isGtin } from './gtin.ts'
import type { ModifierGroup } from './modifiers.ts'

/** The dearest item, and the dearest modifier, in minor units. */
export const MAX_PRICE = 1_000_000

export const UNAVAILABLE_REASONS = ['sold_out', 'seasonal', 'equipment', 'other'] as const
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number]

/** A group as it is asked for: ids where they are to be kept. */
export type GroupRequest = {
  modifier_group_id?: string
  name: string
  min_selections?: number
  max_selections?: number | null
  allow_repeats?: boolean
  modifiers: ModifierRequest[]
}

export type ModifierRequest = {
  modifier_id?: string
  name: string
  price_delta?: Money
  available?: boolean
  is_default?: boolean
}

/** Whether every choice that must be made can be made. */
export function hasChoices(groups: readonly ModifierGroup[]): boolean {
  return groups.every(
    ({ min_selections, modifiers }) => min_selections === 0 || modifiers.some(({ available }) => available),
  )
}

/** Whether an item can be had at `now`: it is on sale, or back on sale by then, and its choices can be made. */
export function effectivelyAvailable(
  item: {
    available: boolean
    unavailable_until: number | null
    doc: { modifier_groups: readonly ModifierGroup[] }
  },
  now: number,
): boolean {
  const { available, unavailable_until: until, doc } = item
  return (available || (until !== null && until <= now)) && hasChoices(doc.modifier_groups)
}

export type Fault = {
  code: 'invalid_request' | 'invalid_modifier_group' | 'invalid_barcode' | 'currency_mismatch'
  error: FieldError & { pointer: string }
}

/** The members of an item that rules beyond the schema speak of. */
export type Checked = {
  price?: Money
  cost?: Money
  barcode?: string
  available?: boolean
  unavailable_until?: string
  modifier_groups?: readonly GroupRequest[]
}

/**
 * Everything wrong with an item of a store that counts in `currency`; pointers start at the item. `ownIds`: the groups
 * and modifiers that the item has already, which are the only ids it may name.
 */
export function findFaults(
  item: Checked,
  currency: string,
  ownIds: ReadonlySet<string> = new Set(),
): Fault[] {
  const { price, cost, barcode, available = true, unavailable_until, modifier_groups = [] } = item
  const faults: Fault[] = []
  const fault = (code: Fault['code'], pointer: string, kind: FieldError['code'], detail: string): void => {
    faults.push({ code, error: { pointer, code: kind, detail } })
  }
  if (price !== undefined) faults.push(...findPriceFaults(price, currency, '/price', 'invalid_request'))
  if (cost !== undefined && cost.currency !== currency) faults.push(wrongCurrency('/cost', currency))
  if (barcode !== undefined && !isGtin(barcode.trim())) {
    fault(
      'invalid_barcode',
      '/barcode',
      'invalid_format',
      'barcode must be a GTIN of 8, 12, 13 or 14 digits with the right check digit',
    )
  }
  if (available && unavailable_until !== undefined) {
    fault(
      'invalid_request',
      '/unavailable_until',
      'mutually_exclusive',
      'unavailable_until goes with available false only',
    )
  }
  return [...faults, ...findGroupFaults(modifier_groups, currency, ownIds)]
}

/** An item that is new cannot be back on sale already. A row of an import may: it keeps what an export has. */
export function untilFaults({ unavailable_until }: Checked, now: number): Fault[] {
  const until = unavailable_until === undefined ? undefined : parseTimestamp(unavailable_until)
  if (until === undefined || until > now) return []
  const detail = inThePast('unavailable_until', now)
  return [{ code: 'invalid_request', error: { pointer: '/unavailable_until', code: 'out_of_range', detail } }]
}

function findPriceFaults(
  { amount, currency }: Money,
  storeCurrency: string,
  pointer: string,
  code: Fault['code'],
): Fault[] {
  const faults = currency === storeCurrency ? [] : [wrongCurrency(pointer, storeCurrency)]
  if (amount >= 0 && amount <= MAX_PRICE) return faults
  const most = formatMoney({ amount: MAX_PRICE, currency: storeCurrency })
  const detail = `${nameOf(pointer)} must be at most ${most}`
  return [...faults, { code, error: { pointer: `${pointer}/amount`, code: 'out_of_range', detail } }]
}

function wrongCurrency(pointer: string, storeCurrency: string): Fault {
  const detail = `${nameOf(pointer)} must be in the currency of the store, ${storeCurrency}`
  return {
    code: 'currency_mismatch',
    error: { pointer: `${pointer}/currency`, code: 'invalid_enum', detail },
  }
}

function nameOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}

/** Why the groups cannot be chosen from as they say, or do not fit each other. */
function findGroupFaults(
  groups: readonly GroupRequest[],
  currency: string,
  ownIds: ReadonlySet<string>,
): Fault[] {
  const faults: Fault[] = []
  const ids = new Set<string>()
  const fault = (pointer: string, kind: FieldError['code'], detail: string): void => {
    faults.push({ code: 'invalid_modifier_group', error: { pointer, code: kind, detail } })
  }
  const checkId = (id: string | undefined, pointer: string): void => {
    if (id === undefined) return
    if (!ownIds.has(id)) fault(pointer, 'invalid_enum', `${nameOf(pointer)} ${id} is not of this item`)
    else if (ids.has(id)) fault(pointer, 'mutually_exclusive', `${nameOf(pointer)} ${id} stands here twice`)
    ids.add(id)
  }
  const groupNames = new Set<string>()
  for (const [index, group] of groups.entries()) {
    const at = `/modifier_groups/${index}`
    checkId(group.modifier_group_id, `${at}/modifier_group_id`)
    if (isRepeated(groupNames, group.name))
      fault(`${at}/name`, 'mutually_exclusive', `another group is named ${group.name.trim()} already`)
    for (const detail of findCountFaults(group)) fault(at, 'out_of_range', detail)
    const names = new Set<string>()
    for (const [place, modifier] of group.modifiers.entries()) {
      const here = `${at}/modifiers/${place}`
      checkId(modifier.modifier_id, `${here}/modifier_id`)
      if (isRepeated(names, modifier.name)) {
        const detail = `another modifier of ${group.name.trim()} is named ${modifier.name.trim()} already`
        fault(`${here}/name`, 'mutually_exclusive', detail)
      }
      if (modifier.price_delta === undefined) continue
      faults.push(
        ...findPriceFaults(modifier.price_delta, currency, `${here}/price_delta`, 'invalid_modifier_group'),
      )
    }
  }
  return faults
}

/** Minimum, maximum and defaults of a group against each other and against what there is to choose from. */
function findCountFaults(group: GroupRequest): string[] {
  const { min_selections: min = 0, max_selections: max = null, allow_repeats = false, modifiers } = group
  const name = group.name.trim()
  const count = modifiers.length
  const defaults = modifiers.filter(({ is_default }) => is_default === true).length
  const faults: string[] = []
  if (max !== null && min > max) faults.push(`${name} asks for at least ${min} but at most ${max}`)
  if (!allow_repeats && min > count) faults.push(`${name} asks for at least ${min} of ${count} modifiers`)
  if (!allow_repeats && max !== null && max > count)
    faults.push(`${name} allows up to ${max} of ${count} modifiers; without repeats that is too many`)
  if (max !== null && defaults > max) faults.push(`${name} has ${defaults} defaults but at most ${max}`)
  return faults
}

function isRepeated(seen: Set<string>, name: string): boolean {
  const key = fold(name)
  return seen.has(key) || !seen.add(key)
}

/** The groups as an item keeps them; ids that are not given are taken from the two makers. */
export function toGroups(
  requests: readonly GroupRequest[],
  currency: string,
  { groupId, modifierId }: { groupId: () => string; modifierId: () => string },
): ModifierGroup[] {
  return requests.map((group) => ({
    modifier_group_id: group.modifier_group_id ?? groupId(),
    name: group.name.trim(),
    min_selections: group.min_selections ?? 0,
    max_selections: group.max_selections ?? null,
    allow_repeats: group.allow_repeats ?? false,
    modifiers: group.modifiers.map((modifier) => ({
      modifier_id: modifier.modifier_id ?? modifierId(),
      name: modifier.name.trim(),
      price_delta: modifier.price_delta ?? { amount: 0, currency },
      available: modifier.available ?? true,
      is_default: modifier.is_default ?? false,
    })),
  }))
}

/** How many ids of each kind `toGroups` takes. */
export function countNewIds(requests: readonly GroupRequest[]): { groups: number; modifiers: number } {
  const modifiers = requests.flatMap((group) => group.modifiers)
  return {
    groups: requests.filter(({ modifier_group_id }) => modifier_group_id === undefined).length,
    modifiers: modifiers.filter(({ modifier_id }) => modifier_id === undefined).length,
  }
}

/** By what an item is found again. Names are folded. */
export type ItemKeys = {
  external_ref: string | null
  barcode: string | null
  category_key: string
  name_key: string
}

export type Match<T> = { by: 'external_ref' | 'barcode' | 'name'; item: T }

export type Matcher<T> = {
  add(item: T): void
  /** The item of the same external_ref, else of the same barcode, else of the same name in its category. */
  find(keys: ItemKeys): Match<T> | undefined
}

/**
 * Tells which item a row of an import is. One barcode may be on several items that the store tells apart by their
 * external_ref: where both carry one and they differ, the barcode says nothing.
 */
export function makeMatcher<T extends ItemKeys>(items: readonly T[] = []): Matcher<T> {
  const byRef = new Map<string, T>()
  /** The first item of a barcode, and the first that has no external_ref. */
  const byBarcode = new Map<string, { first: T; bare: T | undefined }>()
  const byName = new Map<string, T>()
  const nameOfKeys = ({ category_key, name_key }: ItemKeys): string => `${category_key}\n${name_key}`

  function add(item: T): void {
    if (item.external_ref !== null) byRef.set(item.external_ref, item)
    if (item.barcode !== null) {
      const { first = item, bare } = byBarcode.get(item.barcode) ?? {}
      byBarcode.set(item.barcode, { first, bare: bare ?? (item.external_ref === null ? item : undefined) })
    }
    byName.set(nameOfKeys(item), item)
  }

  function find(keys: ItemKeys): Match<T> | undefined {
    const { external_ref, barcode } = keys
    const ref = external_ref === null ? undefined : byRef.get(external_ref)
    if (ref !== undefined) return { by: 'external_ref', item: ref }
    const coded = barcode === null ? undefined : byBarcode.get(barcode)
    const code = external_ref === null ? coded?.first : coded?.bare
    if (code !== undefined) return { by: 'barcode', item: code }
    const name = byName.get(nameOfKeys(keys))
    return name && { by: 'name', item: name }
  }

  for (const item of items) add(item)
  return { add, find }
}
