/**
 * Rules for a store's items (docs/rules/food-and-stores.md#an-item-is-on-sale-by-three-conditions): validity, availability,
 * and which two are the same.
 */
import type { ProblemFieldError } from '../../../core/errors.ts'
import { foldForSearch } from '../../../core/fold.ts'
import { formatMoney, type Money } from '../../../core/money.ts'
import { describePastTime, parseTimestamp } from '../../../core/time.ts'
import { isGtin } from './gtin.ts'
import type { ModifierGroup } from './modifiers.ts'
import { isScheduled, type ItemSchedule, scheduledFrom } from './schedule.ts'
import { type Stock, stockAt } from './stock.ts'

/** The highest price of an item and of a modifier, in minor units. */
export const MAX_PRICE = 1_000_000

export const UNAVAILABLE_REASONS = ['sold_out', 'seasonal', 'equipment', 'other'] as const
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number]

/** A group in a request: ids name groups and modifiers that are kept. */
export type ModifierGroupRequest = {
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

/** Returns whether every required choice can be made. */
export function hasChoices(groups: readonly ModifierGroup[]): boolean {
  return groups.every(
    ({ min_selections, modifiers }) => min_selections === 0 || modifiers.some(({ available }) => available),
  )
}

type Sale = { available: boolean; unavailable_until: number | null } & ItemSchedule

/**
 * Returns whether an item can be ordered at `now` for `wanted`: it is on sale again by then and not sold out, its required
 * choices can be made, and its schedule has that instant.
 */
export function isItemAvailableAt(
  item: Sale & { doc: { modifier_groups: readonly ModifierGroup[] } } & Stock,
  now: number,
  wanted = now,
): boolean {
  return (
    isSwitchedOn(item, now) &&
    isScheduled(item, wanted) &&
    stockAt(item, now) !== 0 &&
    hasChoices(item.doc.modifier_groups)
  )
}

/** Returns the next instant at which switch and schedule let an item be sold; null if they do now, or if it is unknown. */
export function computeNextAvailableAt(item: Sale, now: number): number | null {
  const from = isSwitchedOn(item, now) ? now : item.unavailable_until
  const opens = from === null ? undefined : scheduledFrom(item, from)
  return opens === undefined || opens <= now ? null : opens
}

function isSwitchedOn({ available, unavailable_until: until }: Sale, now: number): boolean {
  return available || (until !== null && until <= now)
}

/**
 * Returns whether a new item can be had for nothing. One without a price of its own may cost what must be chosen:
 * `Size[1-1]: Small=8 | Large=10`.
 */
export function isFreeOfCharge({
  price,
  modifier_groups: groups = [],
}: {
  price: Money
  modifier_groups?: readonly ModifierGroupRequest[]
}): boolean {
  const costs = groups.some(
    ({ min_selections: min = 0, modifiers }) =>
      min > 0 && modifiers.every(({ price_delta: delta }) => (delta?.amount ?? 0) > 0),
  )
  return price.amount === 0 && !costs
}

export type ValidationIssue = {
  code: 'invalid_request' | 'invalid_modifier_group' | 'invalid_barcode' | 'currency_mismatch'
  error: ProblemFieldError & { pointer: string }
}

/** The fields of an item that have rules beyond the schema. */
export type ValidatedFields = {
  price?: Money
  cost?: Money
  barcode?: string
  available?: boolean
  unavailable_until?: string
  modifier_groups?: readonly ModifierGroupRequest[]
}

/**
 * Returns all faults of an item in a store with this currency; pointers start at the item. `ownIds` are the ids of its
 * present groups and modifiers: a request may name only these.
 */
export function validateItem(
  item: ValidatedFields,
  currency: string,
  ownIds: ReadonlySet<string> = new Set(),
): ValidationIssue[] {
  const { price, cost, barcode, available = true, unavailable_until, modifier_groups = [] } = item
  const faults: ValidationIssue[] = []
  const fault = (
    code: ValidationIssue['code'],
    pointer: string,
    kind: ProblemFieldError['code'],
    detail: string,
  ): void => {
    faults.push({ code, error: { pointer, code: kind, detail } })
  }
  if (price !== undefined) faults.push(...findPriceFaults(price, currency, '/price', 'invalid_request'))
  if (cost !== undefined && cost.currency !== currency) faults.push(wrongCurrency('/cost', currency))
  if (barcode !== undefined && !isGtin(barcode)) {
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

/**
 * Returns the fault of a new item whose `unavailable_until` is past. An import may have such a row, because an export
 * has it.
 */
export function untilFaults({ unavailable_until }: ValidatedFields, now: number): ValidationIssue[] {
  const until = unavailable_until === undefined ? undefined : parseTimestamp(unavailable_until)
  if (until === undefined || until > now) return []
  const detail = describePastTime('unavailable_until', now)
  return [{ code: 'invalid_request', error: { pointer: '/unavailable_until', code: 'out_of_range', detail } }]
}

function findPriceFaults(
  { amount, currency }: Money,
  storeCurrency: string,
  pointer: string,
  code: ValidationIssue['code'],
): ValidationIssue[] {
  const faults = currency === storeCurrency ? [] : [wrongCurrency(pointer, storeCurrency)]
  if (amount >= 0 && amount <= MAX_PRICE) return faults
  const most = formatMoney({ amount: MAX_PRICE, currency: storeCurrency })
  const detail = `${nameOf(pointer)} must be at most ${most}`
  return [...faults, { code, error: { pointer: `${pointer}/amount`, code: 'out_of_range', detail } }]
}

function wrongCurrency(pointer: string, storeCurrency: string): ValidationIssue {
  const detail = `${nameOf(pointer)} must be in the currency of the store, ${storeCurrency}`
  return {
    code: 'currency_mismatch',
    error: { pointer: `${pointer}/currency`, code: 'invalid_enum', detail },
  }
}

function nameOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}

/** Returns why the groups contradict themselves or each other. */
function findGroupFaults(
  groups: readonly ModifierGroupRequest[],
  currency: string,
  ownIds: ReadonlySet<string>,
): ValidationIssue[] {
  const faults: ValidationIssue[] = []
  const ids = new Set<string>()
  const fault = (pointer: string, kind: ProblemFieldError['code'], detail: string): void => {
    faults.push({ code: 'invalid_modifier_group', error: { pointer, code: kind, detail } })
  }
  const checkId = (id: string | undefined, pointer: string): void => {
    if (id === undefined) return
    if (!ownIds.has(id))
      fault(pointer, 'invalid_enum', `${nameOf(pointer)} ${id} does not belong to this item`)
    else if (ids.has(id)) fault(pointer, 'mutually_exclusive', `${nameOf(pointer)} ${id} is listed twice`)
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

/** Returns how minimum, maximum and defaults of a group contradict each other or its modifiers. */
function findCountFaults(group: ModifierGroupRequest): string[] {
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
  const key = foldForSearch(name)
  return seen.has(key) || !seen.add(key)
}

/** Returns the groups as stored; missing ids come from the two generators. */
export function toModifierGroups(
  requests: readonly ModifierGroupRequest[],
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

/** Counts the new ids of each kind that `toModifierGroups` needs. */
export function countNewModifierIds(requests: readonly ModifierGroupRequest[]): {
  groups: number
  modifiers: number
} {
  const modifiers = requests.flatMap((group) => group.modifiers)
  return {
    groups: requests.filter(({ modifier_group_id }) => modifier_group_id === undefined).length,
    modifiers: modifiers.filter(({ modifier_id }) => modifier_id === undefined).length,
  }
}

/** The keys by which an import finds an item. Names are folded. */
export type ItemKeys = {
  external_ref: string | null
  barcode: string | null
  category_key: string
  name_key: string
}

export type CatalogItemMatch<T> = { by: 'external_ref' | 'barcode' | 'name'; item: T }

export type Matcher<T> = {
  add(item: T): void
  /** Returns the item with the same external_ref, else the same barcode, else the same name in its category. */
  find(keys: ItemKeys): CatalogItemMatch<T> | undefined
}

/**
 * Returns a matcher of import rows to items. Several items may share a barcode and differ in external_ref: when both
 * have one and they differ, the barcode is ignored.
 */
export function makeMatcher<T extends ItemKeys>(items: readonly T[] = []): Matcher<T> {
  const byRef = new Map<string, T>()
  /** For each barcode the first item, and the first item without an external_ref. */
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

  function find(keys: ItemKeys): CatalogItemMatch<T> | undefined {
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
