import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { merchantId } from '../orders/schema.ts'
import { loadOwnStore } from './access.ts'
import { storeHours, serializeStoreHours } from './hours.ts'

export const getStoreHours = defineOperation({
  name: 'get_store_hours',
  area: 'business',
  toolset: 'store-day',
  summary: 'Show the opening hours of your store',
  description: 'Weekly hours, single days, a pause and a busy time.',
  method: 'GET',
  path: '/v1/business/hours',
  scope: 'menu.read',
  entitlement: 'business_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({ merchant_id: Type.Optional(merchantId) }),
  output: storeHours,
  errors: ['merchant_not_found'],
  example: () => ({}),
  cli: {
    command: 'business hours show',
    danger: 'read',
    flags: { merchant_id: 'merchant' },
    columns: [
      'name',
      'is_open',
      'opens_at',
      'pause.until',
      'busy.minutes',
      'busy.until',
      'timezone',
      'weekly',
      'dates',
    ],
    examples: ['dray business hours show', 'dray business hours show --json'],
  },
  run: async (context, { merchant_id }) =>
    serializeStoreHours(await loadOwnStore(context, merchant_id, 'parameter'), context.now),
})
