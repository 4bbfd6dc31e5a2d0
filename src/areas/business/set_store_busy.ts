import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { merchantId } from '../orders/schema.ts'
import { changeHours, resolvePeriodEnd, storeHoursError, storeHours } from './hours.ts'

export const setStoreBusy = defineOperation({
  name: 'set_store_busy',
  area: 'business',
  toolset: 'store-day',
  summary: 'Add minutes to the promises of your store',
  description:
    'Searches, quotes and new orders then promise that many more minutes, until the given time or until it is set to 0. Orders that were placed keep their times.',
  method: 'PUT',
  path: '/v1/business/busy',
  scope: 'orders.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  input: strictObject({
    minutes: Type.Integer({ minimum: 0, maximum: 240, description: 'Additional minutes; 0 turns it off' }),
    until: Type.Optional(Type.String({ format: 'date-time', description: 'End of the busy time' })),
    merchant_id: Type.Optional(merchantId),
  }),
  output: storeHours,
  errors: ['merchant_not_found'],
  example: () => ({ minutes: 15 }),
  cli: {
    command: 'business busy',
    danger: 'write',
    positionals: ['minutes'],
    flags: { merchant_id: 'merchant' },
    columns: ['name', 'is_open', 'busy.minutes', 'busy.until'],
    next: 'dray business busy off',
    examples: ['dray business busy 15m', 'dray business busy 20m --until 21:00', 'dray business busy off'],
  },
  async run(context, { minutes, until, merchant_id }) {
    if (minutes === 0 && until !== undefined)
      throw storeHoursError('/until', 'mutually_exclusive', 'until goes with minutes above 0 only')
    return changeHours(context, merchant_id, ({ at }) => ({
      busy_minutes: minutes,
      busy_until: until === undefined ? null : (resolvePeriodEnd({ until }, at) ?? null),
    }))
  },
})
