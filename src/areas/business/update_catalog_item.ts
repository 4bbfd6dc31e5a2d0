import * as Type from 'typebox'
import { AppError } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { changeItem } from '../catalog/lifecycle/catalog.ts'
import { itemId } from '../orders/schema.ts'
import { lockOwnItem } from './access.ts'
import { serializeCatalogItem } from './item-view.ts'
import { catalogItem, itemBasics, expectedVersionField } from './schema.ts'

export const updateCatalogItem = defineOperation({
  name: 'update_catalog_item',
  area: 'business',
  summary: 'Change an item of your menu',
  description:
    'Omitted fields keep their values. modifier_groups replaces all groups; groups with known IDs stay the same groups.',
  details:
    'With version, the update fails if the item has changed since. Existing orders keep their names and prices.',
  method: 'PUT',
  path: '/v1/business/catalog/items/{item_id}',
  scope: 'menu.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  input: strictObject({
    item_id: itemId,
    name: Type.Optional(itemBasics.name),
    description: itemBasics.description,
    price: Type.Optional(itemBasics.price),
    category: Type.Optional(itemBasics.category),
    modifier_groups: itemBasics.modifier_groups,
    version: expectedVersionField,
  }),
  output: catalogItem,
  errors: [
    'item_not_found',
    'version_conflict',
    'duplicate_item',
    'invalid_modifier_group',
    'currency_mismatch',
  ],
  example: (done) => ({
    item_id: done['create_catalog_item'].item_id,
    price: { amount: 1195, currency: 'GBP' },
    version: 1,
  }),
  cli: {
    command: 'business catalog update',
    danger: 'write',
    positionals: ['item_id'],
    flags: {
      category: { kind: 'text' },
      modifier_groups: {
        flag: 'modifiers',
        description:
          'Modifier groups. Groups and modifiers that you leave out are removed after confirmation (--yes); the others keep omitted values: price, availability, default',
      },
      version: 'if-version',
    },
    columns: ['item_id', 'category.name', 'name', 'price', 'effective_available', 'version'],
    done: 'Changed {name}; it is at version {version}.',
    next: 'dray business catalog undo {item_id}',
    examples: [
      'dray business catalog update "Khao Soi" --price 11.95',
      'dray business catalog update "Green tea" --modifiers "Size[1-1]: Cup | Pot=1.80"',
      'dray business catalog update itm_01m7vkystgf7vtyybg4s0p9p1s --name "Pad Thai (large)" --if-version 3',
    ],
  },
  async run(context, { item_id, version, ...changes }) {
    if (Object.keys(changes).length === 0) {
      throw new AppError(
        'invalid_request',
        'Nothing to change: give name, description, price, category or modifier_groups.',
      )
    }
    const { hold, item } = await lockOwnItem(context, item_id)
    const changed = await changeItem({ tx: context.tx, world: context.world }, hold, item, {
      changes,
      version,
    })
    return serializeCatalogItem(changed, context.now)
  },
})
