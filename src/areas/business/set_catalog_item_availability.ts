import * as Type from 'typebox'
import { AppError, type FieldErrorCode } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { describePastTime, parseTimestamp } from '../../core/time.ts'
import { setAvailability } from '../catalog/lifecycle/catalog.ts'
import { UNAVAILABLE_REASONS } from '../catalog/rules/catalog.ts'
import { itemId } from '../orders/schema.ts'
import { lockOwnItem } from './access.ts'
import { serializeCatalogItem } from './item-view.ts'
import { catalogItem, expectedVersionField } from './schema.ts'
import { findAffectedOrders, listItemIdsToCook, affectedOrdersSchema, previewField } from './touched.ts'

export const setCatalogItemAvailability = defineOperation({
  name: 'set_catalog_item_availability',
  area: 'business',
  summary: 'Mark an item available or unavailable',
  description:
    'An unavailable item stays on the menu, marked as such; with until it becomes available again at that time. touched_orders names the open orders that have it.',
  details:
    'The other fields keep their values. Repeating the call changes nothing. With version, the call fails if the item has changed since.',
  method: 'PUT',
  path: '/v1/business/catalog/items/{item_id}/availability',
  scope: 'menu.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  input: strictObject({
    item_id: itemId,
    available: Type.Boolean({ description: 'True if available' }),
    until: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'End of the unavailable period, with available false',
      }),
    ),
    reason: Type.Optional(Type.Enum(UNAVAILABLE_REASONS, { description: 'Reason for unavailability' })),
    version: expectedVersionField,
    preview: previewField,
  }),
  output: strictObject({ ...catalogItem.properties, touched_orders: affectedOrdersSchema }),
  errors: ['item_not_found', 'version_conflict'],
  example: (done) => ({
    item_id: done['list_catalog_items'].data[0].item_id,
    available: false,
    reason: 'sold_out',
  }),
  cli: {
    command: 'business catalog available',
    danger: 'write',
    positionals: ['item_id', 'available'],
    flags: { version: 'if-version' },
    columns: [
      'item_id',
      'name',
      { field: 'availability.available', label: 'Switched on' },
      'availability.until',
      'availability.reason',
      'effective_available',
    ],
    next: 'dray business catalog list --no-available',
    examples: [
      'dray business catalog available "Khao Soi" no --reason sold_out',
      'dray business catalog available "Khao Soi" no --until "tomorrow 11:00"',
      'dray business catalog available itm_01m7vkystgf7vtyybg4s0p9p1s yes',
    ],
  },
  async run(context, { item_id, available, until, reason = null, version, preview = false }) {
    const back = until === undefined ? null : (parseTimestamp(until) ?? null)
    if (back !== null && available)
      throw wrongUntil('mutually_exclusive', 'until goes with available false only')
    if (back !== null && back <= context.now)
      throw wrongUntil('out_of_range', describePastTime('until', context.now))
    const { hold, item } = await lockOwnItem(context, item_id)
    const touched_orders = await findAffectedOrders(
      context,
      item.merchant_id,
      (order, at) => !available && (back === null || at < back) && listItemIdsToCook(order.doc).has(item_id),
    )
    if (preview) return { ...serializeCatalogItem(item, context.now), touched_orders }
    const wanted = { available, until: back, reason }
    const [set] = await setAvailability({ tx: context.tx, world: context.world }, hold, [item], {
      availability: wanted,
      version,
    })
    return { ...serializeCatalogItem(set ?? item, context.now), touched_orders }
  },
})

function wrongUntil(code: FieldErrorCode, detail: string): AppError {
  return new AppError('invalid_request', `${detail.replace('until', 'The member until')}.`, {
    errors: [{ pointer: '/until', code, detail }],
  })
}
