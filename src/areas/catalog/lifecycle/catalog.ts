/** Changes of what a store sells. Each holds the store's row, so that two changes of one catalogue follow each other. */
import type { Account } from '../../../core/account.ts'
import { canonicalJson } from '../../../core/canonical-json.ts'
import type { OperationContext } from '../../../core/context.ts'
import type { Tx } from '../../../core/db.ts'
import { AppError } from '../../../core/errors.ts'
import { foldForSearch } from '../../../core/fold.ts'
import type { Money } from '../../../core/money.ts'
import type { CallSource } from '../../../core/origin.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { WorldSettings } from '../../../core/world.ts'
import { newIds, nextSeq } from '../../../db/counters.ts'
import { appendEvents } from '../../../db/events.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { lockClock } from '../../../db/world.ts'
import { lockMerchant, type MerchantRecord, bumpMenuVersion } from '../../merchants/queries.ts'
import { findLastSorts, insertItems, type ItemDoc, type ItemRecord, updateItem } from '../queries/catalog.ts'
import { insertItemVersions, type ItemVersionRecord } from '../queries/versions.ts'
import {
  type ValidatedFields,
  countNewModifierIds,
  type ValidationIssue,
  validateItem,
  type ModifierGroupRequest,
  toModifierGroups,
  type UnavailableReason,
} from '../rules/catalog.ts'
import { sectionName, type SectionWanted } from '../rules/item-changes.ts'
import { toItemMembers, pickReplacedFields } from '../rules/item-history.ts'
import type { ModifierGroup } from '../rules/modifiers.ts'
import { agreedAfter } from '../rules/price-references.ts'
import { refuseDuplicate } from './duplicates.ts'
import { addSections, LAST_PLACE, loadSections, type Sections } from './sections.ts'

/** An item as it is asked for (`create_catalog_item`); names are trimmed here. */
export type ItemRequest = ValidatedFields & {
  name: string
  category: SectionWanted
  price: Money
  description?: string | null
  dietary_tags?: string[]
  allergens?: string[]
  image_url?: string
  sku?: string
  external_ref?: string
  stock?: number
  supplier_id?: string
  tax_rate_bps?: number
  sort_order?: number
  category_sort?: number
  unavailable_reason?: UnavailableReason
}

export type ItemChanges = {
  name?: string
  description?: string | null
  price?: Money
  category?: SectionWanted
  modifier_groups?: readonly ModifierGroupRequest[]
}

/**
 * A store whose catalogue no other call changes until the transaction ends, and the instant, the account and the origin of
 * the changes that are recorded.
 */
export type CatalogLock = { merchant: MerchantRecord; at: number; account: string; origin: CallSource }

/** Waits for other changes of the store's catalogue. Throws `merchant_not_found`. */
export async function lockCatalog(
  {
    tx,
    now,
    account,
    origin,
  }: Pick<OperationContext, 'tx' | 'now' | 'origin'> & { account: Pick<Account, 'handle'> },
  merchantId: string,
): Promise<CatalogLock> {
  const merchant = await lockMerchant(tx, merchantId)
  if (merchant === undefined) throw new AppError('merchant_not_found', `No store ${merchantId}.`)
  return { merchant, at: await lockClock(tx, now), account: account.handle, origin }
}

/** Throws when there are faults: all of them, under the code of the first, or as `invalid_request` when one is. */
export function throwIfInvalidItem(faults: readonly ValidationIssue[]): void {
  const [first] = faults
  if (first === undefined) return
  const main = faults.find(({ code }) => code === 'invalid_request') ?? first
  const detail =
    faults.length === 1
      ? `${first.error.detail.charAt(0).toUpperCase()}${first.error.detail.slice(1)}.`
      : `${faults.length} values of the item are invalid.`
  throw new AppError(main.code, detail, { errors: faults.map(({ error }) => error) })
}

/** The ids of groups and modifiers that are not given, for all requests at once. */
async function idMakers(
  tx: Tx,
  world: WorldSettings,
  at: number,
  requests: readonly ModifierGroupRequest[],
): Promise<Parameters<typeof toModifierGroups>[2]> {
  const counts = countNewModifierIds(requests)
  const take = async (prefix: string, count: number): Promise<() => string> => {
    const ids = count === 0 ? [] : await newIds({ tx, world, at }, prefix, count)
    let taken = 0
    return () => ids[taken++] ?? ''
  }
  return { groupId: await take('mgr', counts.groups), modifierId: await take('mod', counts.modifiers) }
}

/**
 * Puts items on the menu, in order, behind the others of their section unless told where; sections that are not there
 * are made. The requests have no faults, and nothing in the store has their names and references.
 */
export async function createItems(
  scene: Pick<ChangeContext, 'tx' | 'world'>,
  hold: CatalogLock,
  sections: Sections,
  requests: readonly ItemRequest[],
): Promise<ItemRecord[]> {
  const { tx, world } = scene
  if (requests.length === 0) return []
  const { merchant, at } = hold
  await addSections(scene, { merchant_id: merchant.merchant_id, at }, sections, requests)
  const used = requests.flatMap(({ category }) => sections.find(category)?.category_id ?? [])
  const lastSorts = await findLastSorts(tx, [...new Set(used)])
  const seq = await nextSeq(tx, at, requests.length)
  const ids = await newIds({ tx, world, at }, 'itm', requests.length)
  const makers = await idMakers(
    tx,
    world,
    at,
    requests.flatMap(({ modifier_groups = [] }) => modifier_groups),
  )
  const items = requests.map((request, index): ItemRecord => {
    const category = sections.find(request.category)
    if (category === undefined) throw new Error(`no category ${sectionName(request.category)}`)
    const last = lastSorts.get(category.category_id) ?? 0
    const sort_order = request.sort_order ?? Math.min(last + 1, LAST_PLACE)
    lastSorts.set(category.category_id, Math.max(last, sort_order))
    const groups = toModifierGroups(request.modifier_groups ?? [], merchant.currency, makers)
    const own = { item_id: ids[index] ?? '', seq: seq + index, category, sort_order }
    return { ...own, ...toItem(request, groups), ...born(hold) }
  })
  await insertItems(tx, items)
  await bumpMenuVersion(tx, merchant.merchant_id, at)
  await record(scene, hold, items, { what: 'created', before: new Map() })
  return items
}

function born({ merchant, at }: CatalogLock) {
  return {
    merchant_id: merchant.merchant_id,
    version: 1,
    created_at: at,
    updated_at: at,
    deleted_at: null,
  }
}

/** Returns the fields of an item that the request decides. */
function toItem(request: ItemRequest, modifier_groups: ModifierGroup[]) {
  const until = request.unavailable_until
  return {
    name: request.name.trim(),
    name_key: foldForSearch(request.name),
    external_ref: request.external_ref ?? null,
    barcode: request.barcode ?? null,
    available: request.available ?? true,
    stock: request.stock ?? null,
    restock: null,
    stock_day: null,
    schedule: null,
    unavailable_until: until === undefined ? null : (parseTimestamp(until) ?? null),
    doc: toDoc(request, modifier_groups),
  }
}

function toDoc(request: ItemRequest, modifier_groups: ModifierGroup[]): ItemDoc {
  const { image_url = null, cost = null, tax_rate_bps = null } = request
  return {
    description: textOrNothing(request.description),
    price: request.price,
    modifier_groups,
    unavailable_reason: request.available === false ? (request.unavailable_reason ?? null) : null,
    dietary_tags: distinct(request.dietary_tags),
    allergens: distinct(request.allergens),
    image_url,
    sku: request.sku ?? null,
    cost,
    supplier_id: request.supplier_id ?? null,
    tax_rate_bps,
  }
}

function textOrNothing(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? null : trimmed
}

function distinct(words: readonly string[] = []): string[] {
  return [...new Set(words.map((word) => word.trim()))]
}

/** Changes what is named and keeps the rest; one that changes nothing leaves the version. Throws what `create` does, and `version_conflict`. */
export async function changeItem(
  scene: Pick<ChangeContext, 'tx' | 'world'>,
  hold: CatalogLock,
  item: ItemRecord,
  { changes, version }: { changes: ItemChanges; version?: number | undefined },
): Promise<ItemRecord> {
  const { tx, world } = scene
  const { merchant, at } = hold
  refuseOtherVersion(item, version)
  const { price, modifier_groups, category = item.category.category_id } = changes
  const faults = validateItem(
    { ...(price !== undefined && { price }), ...(modifier_groups !== undefined && { modifier_groups }) },
    merchant.currency,
    idsOf(item),
  )
  throwIfInvalidItem(faults)
  const sections = await loadSections(tx, merchant.merchant_id)
  const name = changes.name?.trim() ?? item.name
  const keys = {
    external_ref: null,
    barcode: null,
    category_key: sections.keyOf(category),
    name_key: foldForSearch(name),
  }
  await refuseDuplicate(tx, merchant.merchant_id, keys, item.item_id)
  await addSections(scene, { merchant_id: merchant.merchant_id, at }, sections, [{ category }])
  const groups =
    modifier_groups &&
    toModifierGroups(modifier_groups, merchant.currency, await idMakers(tx, world, at, modifier_groups))
  const next: ItemRecord = {
    ...item,
    name,
    name_key: keys.name_key,
    category: sections.find(category) ?? item.category,
    doc: {
      ...item.doc,
      ...(changes.description !== undefined && { description: textOrNothing(changes.description) }),
      ...(price !== undefined && { price }),
      ...(groups !== undefined && { modifier_groups: groups }),
    },
  }
  const [changed] = await save(scene, hold, [[item, next]], 'updated')
  return changed ?? item
}

/** Throws `version_conflict` when another caller changed the item since it was read. */
function refuseOtherVersion(item: ItemRecord, version: number | undefined): void {
  if (version === undefined || version === item.version) return
  throw new AppError('version_conflict', `The item is at version ${item.version}, not ${version}.`, {
    extra: { current_version: item.version },
    hint: 'Read the item again and repeat the change with its version.',
  })
}

function idsOf(item: ItemRecord): Set<string> {
  const groups = item.doc.modifier_groups
  return new Set(
    groups.flatMap((group) => [
      group.modifier_group_id,
      ...group.modifiers.map(({ modifier_id }) => modifier_id),
    ]),
  )
}

export type Availability = { available: boolean; until: number | null; reason: UnavailableReason | null }

/**
 * Puts items of the store on sale or takes them off; those that are so already keep their version. Throws
 * `version_conflict` when one is not at `version`.
 */
export async function setAvailability(
  scene: Pick<ChangeContext, 'tx' | 'world'>,
  hold: CatalogLock,
  items: readonly ItemRecord[],
  {
    availability: { available, until, reason },
    version,
  }: { availability: Availability; version?: number | undefined },
): Promise<ItemRecord[]> {
  for (const item of items) refuseOtherVersion(item, version)
  const next = items.map((item): [ItemRecord, ItemRecord] => [
    item,
    {
      ...item,
      available,
      unavailable_until: available ? null : until,
      doc: { ...item.doc, unavailable_reason: available ? null : reason },
    },
  ])
  return save(scene, hold, next, 'availability_changed')
}

/** Sets the packed week in which an item is on sale; null: at any time. Throws `version_conflict`. */
export async function setSchedule(
  scene: Pick<ChangeContext, 'tx' | 'world'>,
  hold: CatalogLock,
  item: ItemRecord,
  { schedule, version }: { schedule: string | null; version?: number | undefined },
): Promise<ItemRecord> {
  refuseOtherVersion(item, version)
  const [changed] = await save(scene, hold, [[item, { ...item, schedule }]], 'updated')
  return changed ?? item
}

/** Takes an item off the menu for good; its row stays, so that its id is never another's. Throws `version_conflict`. */
export async function deleteItem(
  scene: Pick<ChangeContext, 'tx' | 'world'>,
  hold: CatalogLock,
  item: ItemRecord,
  version?: number,
): Promise<ItemRecord> {
  refuseOtherVersion(item, version)
  const gone = { ...item, deleted_at: hold.at }
  const [deleted] = await save(scene, hold, [[item, gone]], 'deleted')
  return deleted ?? gone
}

/** Writes those that differ from before, each as its next version; the menu changes once. */
async function save(
  scene: Pick<ChangeContext, 'tx' | 'world'>,
  hold: CatalogLock,
  pairs: readonly [before: ItemRecord, after: ItemRecord][],
  what: ItemVersionRecord['what'],
): Promise<ItemRecord[]> {
  const { tx } = scene
  const { merchant, at, origin } = hold
  const saved = pairs.map(([before, after]) =>
    canonicalJson(before) === canonicalJson(after)
      ? before
      : {
          ...after,
          doc: { ...after.doc, agreed: agreedAfter(before.doc, after.doc, origin.byPerson) },
          version: before.version + 1,
          updated_at: at,
        },
  )
  const changed = saved.filter((item, index) => item !== pairs[index]?.[0])
  for (const item of changed) await updateItem(tx, item)
  if (changed.length > 0) await bumpMenuVersion(tx, merchant.merchant_id, at)
  await record(scene, hold, changed, {
    what,
    before: new Map(pairs.map(([before]) => [before.item_id, before])),
  })
  return saved
}

function stateOf({ available, deleted_at }: ItemRecord): 'on_sale' | 'off_sale' | 'deleted' {
  if (deleted_at !== null) return 'deleted'
  return available ? 'on_sale' : 'off_sale'
}

/** A new item comes from no state. */
function fromOf(before: ItemRecord | undefined): string | null {
  return before === undefined ? null : stateOf(before)
}

/** Keeps what was replaced, and tells who listens. */
async function record(
  { tx, world }: Pick<ChangeContext, 'tx' | 'world'>,
  { merchant, at, account, origin: { via, importId } }: CatalogLock,
  items: readonly ItemRecord[],
  { what, before }: { what: ItemVersionRecord['what']; before: ReadonlyMap<string, ItemRecord> },
): Promise<void> {
  const { merchant_id, agreement_id } = merchant
  const seq = await appendEvents(
    tx,
    world,
    at,
    items.map((item) => ({
      type: `catalog_item.${what}`,
      resource_id: item.item_id,
      owner_id: agreement_id ?? merchant_id,
      occurred_at: at,
      from: fromOf(before.get(item.item_id)),
      to: stateOf(item),
      by: 'store',
      data: { merchant_id, version: item.version },
    })),
  )
  await insertItemVersions(
    tx,
    items.map(({ item_id, version, ...item }, index): ItemVersionRecord => {
      const former = before.get(item_id)
      const replaced =
        former === undefined ? null : pickReplacedFields(toItemMembers(former), toItemMembers(item))
      const change = { item_id, merchant_id, version, at, seq: seq + index, account, via, what, replaced }
      return { ...change, import_id: importId ?? null }
    }),
  )
}
