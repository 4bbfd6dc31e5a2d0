import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, paginated, paginationParams } from '../../core/schema.ts'
import { merchantId } from '../orders/schema.ts'
import { loadOwnStore } from './access.ts'
import { businessDaySchema } from './day-schema.ts'
import { toBusinessDay } from './days.ts'
import { listDays } from './queries.ts'

export const listBusinessDays = defineOperation({
  name: 'list_business_days',
  area: 'business',
  toolset: 'store-day',
  summary: 'List your store’s closed business days, newest first',
  method: 'GET',
  path: '/v1/business/days',
  scope: 'orders.read',
  entitlement: 'business_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({ merchant_id: Type.Optional(merchantId), ...paginationParams }),
  output: paginated(businessDaySchema),
  errors: ['invalid_cursor', 'merchant_not_found'],
  brief: { usual: 'number,date,closed_at,statement.orders,statement.net_sales,statement.due,cash' },
  example: () => ({}),
  cli: {
    command: 'business day list',
    danger: 'read',
    flags: { merchant_id: 'merchant' },
    columns: [
      'number',
      'date',
      { field: 'closed_at', dropOrder: 1 },
      { field: 'statement.orders', dropOrder: 2 },
      'statement.net_sales',
      'statement.due',
      'cash.expected',
      { field: 'cash.difference', dropOrder: 3 },
    ],
    examples: ['dray business day list', 'dray business day list --all --json'],
  },
  async run(context, { merchant_id }) {
    const { tx, cursor } = context
    const store = await loadOwnStore(context, merchant_id, 'parameter')
    const after = cursor.after?.[0]
    const slice = { before: after === undefined ? undefined : Number(after), limit: cursor.limit + 1 }
    return cursor.page(await listDays(tx, store.merchant_id, slice), ({ number }) => [number], toBusinessDay)
  },
})
