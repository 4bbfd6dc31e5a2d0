import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { merchantId } from '../orders/schema.ts'
import { changeHours, resolvePeriodEnd, storeHoursError, storeHours } from './hours.ts'

export const pauseStore = defineOperation({
  name: 'pause_store',
  area: 'business',
  toolset: 'store-day',
  summary: 'Pause new orders of your store',
  description:
    'The store counts as closed until the given time and then opens again by itself. Orders that were placed go on. Give minutes or until.',
  method: 'POST',
  path: '/v1/business/pause',
  scope: 'orders.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'each_time',
  input: strictObject({
    minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1440, description: 'Length of the pause in minutes' }),
    ),
    until: Type.Optional(Type.String({ format: 'date-time', description: 'End of the pause' })),
    merchant_id: Type.Optional(merchantId),
  }),
  output: storeHours,
  errors: ['merchant_not_found'],
  example: () => ({ minutes: 30 }),
  cli: {
    command: 'business pause',
    danger: 'write',
    positionals: ['minutes'],
    flags: { merchant_id: 'merchant', minutes: { unless: 'until' } },
    columns: ['name', 'is_open', 'pause.until', 'opens_at'],
    next: 'dray business resume',
    examples: ['dray business pause 30m', 'dray business pause --until 18:00'],
  },
  async run(context, { merchant_id, ...length }) {
    if (length.minutes !== undefined && length.until !== undefined)
      throw storeHoursError('/until', 'mutually_exclusive', 'give minutes or until, not both')
    return changeHours(context, merchant_id, ({ at }) => {
      const paused_until = resolvePeriodEnd(length, at)
      if (paused_until === undefined)
        throw storeHoursError('/minutes', 'required', 'minutes or until is required')
      return { paused_until }
    })
  },
})
