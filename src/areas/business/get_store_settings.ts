import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { merchantId } from '../orders/schema.ts'
import { loadOwnStore } from './access.ts'
import { serializeStoreSettings, storeSettings } from './settings.ts'

export const getStoreSettings = defineOperation({
  name: 'get_store_settings',
  area: 'business',
  toolset: 'store-day',
  summary: 'Show the kitchen stations and other settings of your store',
  description:
    'With the rule to accept orders, and the time up to which lost orders were seen. A line of no station is on the screens of all lines.',
  method: 'GET',
  path: '/v1/business/settings',
  scope: 'orders.read',
  entitlement: 'business_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({ merchant_id: Type.Optional(merchantId) }),
  output: storeSettings,
  errors: ['merchant_not_found'],
  example: () => ({}),
  cli: {
    command: 'business station list',
    danger: 'read',
    flags: { merchant_id: 'merchant' },
    columns: [
      'name',
      'stations',
      'unassigned_categories',
      'auto_accept.prep_time_minutes',
      'auto_accept.until',
      'losses_seen_until',
    ],
    examples: ['dray business station list', 'dray business station list --json'],
  },
  run: async (context, { merchant_id }) =>
    serializeStoreSettings(context.tx, await loadOwnStore(context, merchant_id, 'parameter'), context.now),
})
