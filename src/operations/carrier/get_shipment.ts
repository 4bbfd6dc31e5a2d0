import { normalizeTrackingNumber } from '../../domain/tracking-number.ts'
import { defineOperation } from '../../operation.ts'
import { closed } from '../schema.ts'
import { loadOwnShipment } from './own.ts'
import { shipment, trackingNumber } from './schema.ts'
import { viewShipment } from './views.ts'

export const getShipment = defineOperation({
  name: 'get_shipment',
  area: 'carrier',
  summary: 'Show one parcel: its state, its scans, its proof of delivery',
  method: 'GET',
  path: '/v1/shipments/{tracking_number}',
  scope: 'shipments.read',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: closed({ tracking_number: trackingNumber }),
  output: shipment,
  errors: ['invalid_tracking_number', 'shipment_not_found'],
  example: { tracking_number: 'ZC968043370GB' },
  cli: {
    command: 'carrier show',
    danger: 'read',
    positionals: ['tracking_number'],
    columns: [
      { field: 'tracking_number', label: 'tracking number' },
      { field: 'reference' },
      { field: 'status' },
      { field: 'status_detail', label: 'last scan' },
      { field: 'service_level', label: 'service' },
      { field: 'recipient.contact.name', label: 'to' },
      { field: 'recipient.address.postal_code', label: 'postcode' },
      { field: 'price.total', label: 'total' },
      { field: 'estimated_delivery_date', label: 'arrives by' },
      { field: 'attempts' },
      { field: 'delivered_at', label: 'delivered' },
    ],
    next: 'dray carrier events {tracking_number}',
    examples: ['dray carrier show ZC968043370GB', 'dray carrier show "zc 9680 4337 0 gb" --json'],
  },
  touches: ({ tracking_number }) => ({ resource: normalizeTrackingNumber(tracking_number) }),
  async run(context, input) {
    return viewShipment(context.tx, context.world, await loadOwnShipment(context, input.tracking_number))
  },
})
