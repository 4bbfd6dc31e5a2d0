import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { merchantId } from '../orders/schema.ts'
import { changeHours, storeHours } from './hours.ts'

export const resumeStore = defineOperation({
  name: 'resume_store',
  area: 'business',
  toolset: 'store-day',
  summary: 'End the pause of your store',
  description: 'The store takes orders again within its opening hours. Without a pause it changes nothing.',
  method: 'POST',
  path: '/v1/business/resume',
  scope: 'orders.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'each_time',
  input: strictObject({ merchant_id: Type.Optional(merchantId) }),
  output: storeHours,
  errors: ['merchant_not_found'],
  example: () => ({}),
  cli: {
    command: 'business resume',
    danger: 'write',
    flags: { merchant_id: 'merchant' },
    columns: ['name', 'is_open', 'opens_at'],
    examples: ['dray business resume'],
  },
  run: (context, { merchant_id }) => changeHours(context, merchant_id, () => ({ paused_until: null })),
})
