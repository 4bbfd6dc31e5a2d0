import { defineResource } from '../../core/resource.ts'
import {
  CLAIM_EVENTS,
  isParcelCancellable,
  isShipmentOver,
  ROUTINE_SCANS,
  SHIPMENT_EVENT_CODES,
  SHIPMENT_STATUSES,
} from './states.ts'

export const SHIPMENT = defineResource({
  area: 'carrier',
  noun: 'parcel',
  id: 'tracking_number',
  notFound: 'shipment_not_found',
  quote: 'quote_rates',
  creates: ['create_shipment', 'create_shipments_batch', 'create_return'],
  show: 'get_shipment',
  list: 'list_shipments',
  cancel: 'cancel_shipment',
  changes: ['redirect_shipment', 'correct_recipient', 'create_claim'],
  shared: 'parcel',
  life: {
    success: 'delivered',
    cancelled: 'cancelled',
    final: SHIPMENT_STATUSES.filter(isShipmentOver),
    changeable: SHIPMENT_STATUSES.filter(
      (status) => isShipmentOver(status) && isParcelCancellable({ status }),
    ),
    track: 'dray carrier track',
    suggestedAdvance: '1d',
  },
  events: {
    name: 'shipment',
    scope: 'shipments.read',
    words: [
      'created',
      ...SHIPMENT_EVENT_CODES.slice(1).filter((code) => !ROUTINE_SCANS.includes(code)),
      ...CLAIM_EVENTS,
    ],
  },
  find: 'check_coverage',
})
