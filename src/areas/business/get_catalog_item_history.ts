import * as Type from 'typebox'
import type { OperationContext } from '../../core/context.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, objectField, instant, nullable } from '../../core/schema.ts'
import { toTimestampOrNull, toTimestamp } from '../../core/time.ts'
import { findItemWithDeleted, type ItemRecord } from '../catalog/queries/catalog.ts'
import { KEPT_VERSIONS, listItemVersions, type ItemVersionRecord } from '../catalog/queries/versions.ts'
import { toItemMembers } from '../catalog/rules/item-history.ts'
import { findMerchant } from '../merchants/queries.ts'
import { itemId } from '../orders/schema.ts'
import { requireBusinessAgreement, noItem } from './access.ts'
import { itemMembers, itemVersion, serializeItemVersion } from './item-versions.ts'

export const getCatalogItemHistory = defineOperation({
  name: 'get_catalog_item_history',
  area: 'business',
  toolset: null,
  summary: 'List the changes to a menu item, newest first',
  description:
    'Each change has its author, time and previous values. Keeps the latest 50 changes per item. A deleted item keeps its history.',
  method: 'GET',
  path: '/v1/business/catalog/items/{item_id}/history',
  scope: 'menu.read',
  entitlement: 'business_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    item_id: itemId,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: KEPT_VERSIONS, description: 'Maximum number of changes' }),
    ),
  }),
  output: strictObject({
    item_id: Type.String({ meaning: 'Item' }),
    merchant_id: Type.String({ meaning: 'Store' }),
    version: Type.Integer({ meaning: 'Current version' }),
    deleted_at: nullable('Deletion time; null while it is on the menu', instant),
    item: objectField('Current values', itemMembers),
    data: Type.Array(strictObject(itemVersion), { meaning: 'Changes, newest first' }),
  }),
  errors: ['item_not_found'],
  example: (done) => ({ item_id: done['create_catalog_item'].item_id }),
  cli: { command: 'business catalog history', danger: 'read' },
  async run(context, { item_id, limit = KEPT_VERSIONS }) {
    const item = await loadOwn(context, item_id)
    const kept = await listItemVersions(context.tx, item_id, KEPT_VERSIONS)
    return {
      item_id,
      merchant_id: item.merchant_id,
      version: item.version,
      deleted_at: toTimestampOrNull(item.deleted_at),
      item: toItemMembers(item),
      data: withCreation(item, kept).slice(0, limit),
    }
  },
})

/** Loads an item of the caller, deleted or not. Throws as if another store's item did not exist. */
async function loadOwn(context: OperationContext, itemId: string): Promise<ItemRecord> {
  const item = await findItemWithDeleted(context.tx, itemId)
  const store = item && (await findMerchant(context.tx, item.merchant_id))
  if (item === undefined || store?.agreement_id !== requireBusinessAgreement(context)) throw noItem(itemId)
  return item
}

type Change = Type.Static<ReturnType<typeof strictObject<typeof itemVersion>>>

/** Adds the creation of an item that was there before its changes were kept, if no later change is missing. */
function withCreation(
  { created_at, version: now }: ItemRecord,
  kept: readonly ItemVersionRecord[],
): Change[] {
  const changes: Change[] = kept.map(serializeItemVersion)
  if ((changes.at(-1)?.version ?? now + 1) !== 2) return changes
  const created = {
    version: 1,
    changed_at: toTimestamp(created_at),
    changed_by: null,
    via: null,
    import_id: null,
    replaced: null,
  }
  return [...changes, { ...created, change: 'created' }]
}
