import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { loadOwnShipment } from './access.ts'
import { normalizeTrackingNumber } from './rules/tracking-number.ts'
import { shipment, trackingNumber } from './schema.ts'
import { serializeShipment } from './views.ts'

export const getShipment = defineOperation({
  name: 'get_shipment',
  area: 'carrier',
  summary: 'Show one parcel: status, scans, proof of delivery',
  description: 'label.files has the paths of the label as PDF, ZPL and PNG.',
  details: 'Size and resolution are parameters of these paths; ZPL is for label printers.',
  method: 'GET',
  path: '/v1/shipments/{tracking_number}',
  scope: 'shipments.read',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({ tracking_number: trackingNumber }),
  output: shipment,
  errors: ['invalid_tracking_number', 'shipment_not_found'],
  example: (done) => ({ tracking_number: done['create_shipment'].tracking_number }),
  cli: {
    command: 'carrier show',
    danger: 'read',
    columns: [
      'tracking_number',
      'reference',
      'customer',
      'status',
      'status_detail',
      'service_level',
      'recipient.contact.name',
      'recipient.address',
      'parcel.weight_grams',
      'price.total',
      'estimated_delivery_date',
      'attempts',
      'collected_at',
      'delivered_at',
      'proof_of_delivery.method',
      'proof_of_delivery.recipient_name',
      'cancellation.reason_code',
      'cancellation.disposition',
      'claims',
    ],
  },
  touches: ({ tracking_number }) => ({ resource: normalizeTrackingNumber(tracking_number) }),
  async run(context, input) {
    return serializeShipment(context.tx, context.world, await loadOwnShipment(context, input.tracking_number))
  },
})
