import * as Type from 'typebox'
import type { OperationContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import { packWeek, unpackWeekHours } from '../../core/opening-hours.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, idParam, nameField, nullable } from '../../core/schema.ts'
import { lockCatalog } from '../catalog/lifecycle/catalog.ts'
import { findCategory } from '../catalog/queries/catalog.ts'
import { listItemIds, updateCategorySchedule } from '../catalog/queries/schedules.ts'
import { isWithinWeek } from '../catalog/rules/schedule.ts'
import { findMerchant, bumpMenuVersion } from '../merchants/queries.ts'
import { requireBusinessAgreement } from './access.ts'
import { assertNoHoursOverlap } from './hours.ts'
import { scheduleSpans, weekSpan } from './schema.ts'
import { findAffectedOrders, listItemIdsToCook, affectedOrdersSchema, previewField } from './touched.ts'

export const setCategorySchedule = defineOperation({
  name: 'set_category_schedule',
  area: 'business',
  toolset: 'store-day',
  summary: 'Set the days and times at which a menu category is on sale',
  description:
    'Outside its periods all items of the category are unavailable, each with the time from which it is on sale. spans null: on sale at any time. Items keep schedules of their own, within these periods.',
  method: 'PUT',
  path: '/v1/business/catalog/categories/{category_id}/schedule',
  scope: 'menu.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  input: strictObject({ category_id: idParam('Menu category'), spans: scheduleSpans, preview: previewField }),
  output: strictObject({
    category_id: Type.String({ meaning: 'Menu category', label: 'Category ID' }),
    merchant_id: Type.String({ meaning: 'Store' }),
    name: nameField,
    schedule: nullable('Weekly periods on sale, local time; null for always', Type.Array(weekSpan)),
    on_sale: Type.Boolean({ meaning: 'True if it is on sale now', label: 'On sale' }),
    touched_orders: affectedOrdersSchema,
  }),
  errors: ['category_not_found'],
  example: (done) => ({
    category_id: done['list_catalog_items'].data[0].category.category_id,
    spans: [{ day: 'fri', opens: '09:00', closes: '23:00' }],
  }),
  cli: {
    command: 'business catalog schedule',
    danger: 'write',
    columns: ['category_id', 'name', 'schedule', 'on_sale'],
  },
  async run(context, { category_id, spans, preview = false }) {
    assertNoHoursOverlap(spans ?? [], '/spans')
    const { tx } = context
    const { merchant_id, name } = await loadOwnCategory(context, category_id)
    const { at } = await lockCatalog(context, merchant_id)
    const week = spans && packWeek(spans)
    const { schedule: before } = await loadOwnCategory(context, category_id)
    const own = new Set(await listItemIds(tx, category_id))
    const touched_orders = await findAffectedOrders(
      context,
      merchant_id,
      ({ doc }, wanted) =>
        isWithinWeek(before, wanted) &&
        !isWithinWeek(week, wanted) &&
        !listItemIdsToCook(doc).isDisjointFrom(own),
    )
    if (week !== before && !preview) {
      await updateCategorySchedule(tx, category_id, week)
      await bumpMenuVersion(tx, merchant_id, at)
    }
    const now = preview ? before : week
    return {
      category_id,
      merchant_id,
      name,
      schedule: unpackWeekHours(now),
      on_sale: isWithinWeek(now, at),
      touched_orders,
    }
  },
})

/** Loads a category of the caller. Throws as if another store's category did not exist. */
async function loadOwnCategory(context: OperationContext, categoryId: string) {
  const category = await findCategory(context.tx, categoryId)
  const store = category && (await findMerchant(context.tx, category.merchant_id))
  if (category !== undefined && store?.agreement_id === requireBusinessAgreement(context)) return category
  throw new AppError('category_not_found', `No category ${categoryId}.`)
}
