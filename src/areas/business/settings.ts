/** The settings of a store that the screens of its kitchen share: stations, the rule to accept, and the losses that were seen. */
import * as Type from 'typebox'
import type { OperationContext } from '../../core/context.ts'
import type { Tx } from '../../core/db.ts'
import { component, instant, nameField, nullable, strictObject } from '../../core/schema.ts'
import { toTimestampOrNull } from '../../core/time.ts'
import { appendEvents, type DomainEvent } from '../../db/events.ts'
import { type CatalogLock, lockCatalog } from '../catalog/lifecycle/catalog.ts'
import { findItems, findLastSorts, listCategories } from '../catalog/queries/catalog.ts'
import { type MerchantRecord, updateSettings } from '../merchants/queries.ts'
import { autoAcceptAt, NO_SETTINGS, type StoreSettings } from '../merchants/rules.ts'
import { loadOwnStore } from './access.ts'

const categories = (meaning: string) =>
  Type.Array(strictObject({ category_id: Type.String({ meaning: 'Menu category' }), name: nameField }), {
    meaning,
  })

export const storeSettings = component('StoreSettings', {
  merchant_id: Type.String({ meaning: 'Store' }),
  name: nameField,
  version: Type.Integer({ minimum: 0, meaning: 'Number of changes of stations and rule' }),
  stations: Type.Array(
    strictObject({
      name: nameField,
      categories: categories('Menu categories that it makes'),
      items: Type.Array(strictObject({ item_id: Type.String({ meaning: 'Item' }), name: nameField }), {
        meaning: 'Items that it makes, whatever their category',
      }),
    }),
    { meaning: 'Stations of the kitchen' },
  ),
  unassigned_categories: categories('Menu categories of no station'),
  auto_accept: nullable(
    'Rule to accept orders; null if off',
    strictObject({
      prep_time_minutes: nullable('Prep time in minutes; null for the usual time', Type.Integer()),
      until: nullable('End of the rule; null without an end', instant),
    }),
  ),
  losses_seen_until: nullable('Time up to which lost orders were seen; null if none were', instant),
})

type ShownSettings = Type.Static<typeof storeSettings>

/** Shows the settings of a store at an instant. What was deleted from the menu since is left out. */
export async function serializeStoreSettings(
  tx: Tx,
  store: MerchantRecord,
  now: number,
): Promise<ShownSettings> {
  const settings = settingsOf(store)
  const { version, stations, losses_seen_until: seen } = settings
  const sections = await listCategories(tx, store.merchant_id)
  const items = await findItems(
    tx,
    stations.flatMap(({ item_ids }) => item_ids),
  )
  const assigned = new Set(stations.flatMap(({ category_ids }) => category_ids))
  const used = await findLastSorts(
    tx,
    sections.map(({ category_id }) => category_id),
  )
  const rule = autoAcceptAt(settings, now)
  const toCategory = ({ category_id, name }: (typeof sections)[number]) => ({ category_id, name })
  return {
    merchant_id: store.merchant_id,
    name: store.name,
    version,
    stations: stations.map(({ name, category_ids, item_ids }) => ({
      name,
      categories: sections.filter(({ category_id }) => category_ids.includes(category_id)).map(toCategory),
      items: items
        .filter(({ item_id }) => item_ids.includes(item_id))
        .map((item) => ({ item_id: item.item_id, name: item.name })),
    })),
    unassigned_categories: sections
      .filter(({ category_id }) => used.has(category_id) && !assigned.has(category_id))
      .map(toCategory),
    auto_accept: rule && { ...rule, until: toTimestampOrNull(rule.until) },
    losses_seen_until: toTimestampOrNull(seen),
  }
}

function settingsOf({ doc }: MerchantRecord): StoreSettings {
  return doc.settings ?? NO_SETTINGS
}

type SettingsChange = {
  /** Returns the new settings; the same object changes nothing. Throws for a change that does not fit. */
  change(hold: CatalogLock, settings: StoreSettings): StoreSettings | Promise<StoreSettings>
  /** The event for the screens of the store, and its text for settings. */
  told: Pick<DomainEvent, 'type'> & { describe(settings: StoreSettings): string | null }
}

/** Locks the caller's store, changes its settings as of that instant, and tells its screens. Shows them. */
export async function changeSettings(
  context: OperationContext,
  merchantId: string | undefined,
  { change, told: { type, describe } }: SettingsChange,
): Promise<ShownSettings> {
  const { tx, world } = context
  const own = await loadOwnStore(context, merchantId, 'pointer')
  const hold = await lockCatalog(context, own.merchant_id)
  const { merchant, at } = hold
  const before = settingsOf(merchant)
  const after = await change(hold, before)
  if (after === before) return serializeStoreSettings(tx, merchant, at)
  await updateSettings(tx, merchant, after)
  const { merchant_id, agreement_id } = merchant
  await appendEvents(tx, world, at, [
    {
      type,
      resource_id: merchant_id,
      owner_id: agreement_id ?? merchant_id,
      occurred_at: at,
      from: describe(before),
      to: describe(after) ?? '',
      by: 'store',
    },
  ])
  return serializeStoreSettings(tx, { ...merchant, doc: { ...merchant.doc, settings: after } }, at)
}
