import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, instant, describeField } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { deleteItem } from '../catalog/lifecycle/catalog.ts'
import { itemId } from '../orders/schema.ts'
import { lockOwnItem } from './access.ts'
import { expectedVersionField } from './schema.ts'

export const deleteCatalogItem = defineOperation({
  name: 'delete_catalog_item',
  area: 'business',
  summary: 'Delete an item of your menu',
  description:
    'Deletion is permanent: the ID is never used again. To hide an item for a while, set its availability.',
  details: 'Existing orders keep their lines.',
  method: 'DELETE',
  path: '/v1/business/catalog/items/{item_id}',
  scope: 'menu.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  input: strictObject({ item_id: itemId, version: expectedVersionField }),
  output: strictObject({
    item_id: Type.String({ meaning: 'Item' }),
    deleted: Type.Literal(true, { meaning: 'True once deleted' }),
    deleted_at: describeField('Deletion time', instant),
  }),
  errors: ['item_not_found', 'version_conflict'],
  example: (done) => ({ item_id: done['create_catalog_item'].item_id }),
  cli: {
    command: 'business catalog delete',
    danger: 'destructive',
    positionals: ['item_id'],
    flags: { version: 'if-version' },
    columns: [{ field: 'item_id' }, { field: 'deleted_at' }],
    done: 'Deleted item {item_id}.',
    next: 'dray business catalog list',
    examples: [
      'dray business catalog delete "Khao Soi"',
      'dray business catalog delete itm_01m7vkystgf7vtyybg4s0p9p1s --confirm itm_01m7vkystgf7vtyybg4s0p9p1s',
    ],
  },
  async run(context, { item_id, version }) {
    const { hold, item } = await lockOwnItem(context, item_id)
    await deleteItem({ tx: context.tx, world: context.world }, hold, item, version)
    return { item_id, deleted: true as const, deleted_at: toTimestamp(hold.at) }
  },
})
