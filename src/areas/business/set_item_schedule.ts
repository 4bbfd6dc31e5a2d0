import { packWeek } from '../../core/opening-hours.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { setSchedule } from '../catalog/lifecycle/catalog.ts'
import { isWithinWeek } from '../catalog/rules/schedule.ts'
import { itemId } from '../orders/schema.ts'
import { lockOwnItem } from './access.ts'
import { assertNoHoursOverlap } from './hours.ts'
import { serializeCatalogItem } from './item-view.ts'
import { catalogItem, scheduleSpans, expectedVersionField } from './schema.ts'
import { findAffectedOrders, listItemIdsToCook, affectedOrdersSchema, previewField } from './touched.ts'

export const setItemSchedule = defineOperation({
  name: 'set_item_schedule',
  area: 'business',
  toolset: 'store-day',
  summary: 'Set the days and times at which an item is on sale',
  description:
    'Outside its periods the item stays on the menu as unavailable, with the time from which it is on sale. A period belongs to the day on which it begins; spans null: on sale at any time. The schedule of its category applies, too. An order for later is compared with its own time.',
  details: 'A bank holiday counts as a Sunday, as in opening hours. The availability stays as it is.',
  method: 'PUT',
  path: '/v1/business/catalog/items/{item_id}/schedule',
  scope: 'menu.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  input: strictObject({
    item_id: itemId,
    spans: scheduleSpans,
    version: expectedVersionField,
    preview: previewField,
  }),
  output: strictObject({ ...catalogItem.properties, touched_orders: affectedOrdersSchema }),
  errors: ['item_not_found', 'version_conflict'],
  example: (done) => ({
    item_id: done['list_catalog_items'].data[0].item_id,
    spans: [{ day: 'fri', opens: '11:00', closes: '15:00' }],
  }),
  cli: {
    command: 'business catalog schedule',
    danger: 'write',
    columns: ['item_id', 'name', 'schedule', 'effective_available', 'available_from'],
  },
  async run(context, { item_id, spans, version, preview = false }) {
    assertNoHoursOverlap(spans ?? [], '/spans')
    const { hold, item } = await lockOwnItem(context, item_id)
    const schedule = spans && packWeek(spans)
    const touched_orders = await findAffectedOrders(
      context,
      item.merchant_id,
      (order, at) =>
        isWithinWeek(item.schedule, at) &&
        !isWithinWeek(schedule, at) &&
        listItemIdsToCook(order.doc).has(item_id),
    )
    if (preview) return { ...serializeCatalogItem(item, hold.at), touched_orders }
    const wanted = { schedule, version }
    const changed = await setSchedule({ tx: context.tx, world: context.world }, hold, item, wanted)
    return { ...serializeCatalogItem(changed, hold.at), touched_orders }
  },
})
