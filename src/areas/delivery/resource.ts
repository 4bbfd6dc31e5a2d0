import { defineResource } from '../../core/resource.ts'
import { DELIVERY_STATUSES, isDeliveryOver } from '../couriers/states.ts'

export const DELIVERY = defineResource({
  area: 'delivery',
  noun: 'delivery',
  bought: 'courier run',
  id: 'delivery_id',
  prefix: 'dlv',
  notFound: 'delivery_not_found',
  quote: 'quote_delivery',
  held: { kind: 'delivery', ms: 300_000 },
  creates: ['request_delivery'],
  show: 'get_delivery',
  shared: 'delivery',
  life: {
    success: 'delivered',
    cancelled: 'cancelled',
    final: DELIVERY_STATUSES.filter(isDeliveryOver),
    track: 'dray delivery track',
    suggestedAdvance: '5m',
  },
  events: {
    name: 'delivery',
    scope: 'delivery.read',
    words: [...DELIVERY_STATUSES, 'delayed', 'attempted', 'problem_reported'],
  },
  last: {
    none: 'No deliveries on this machine yet.',
    hint: '`dray delivery request` requests one; `dray food list` lists your food orders, which can have a delivery.',
  },
})
