import { OWN_SHIPMENT } from './access.ts'

export const getShipment = OWN_SHIPMENT.show({
  name: 'get_shipment',
  summary: 'Show one parcel: status, scans, proof of delivery',
  description: 'label.files has the paths of the label as PDF, ZPL and PNG.',
  details: 'Size and resolution are parameters of these paths; ZPL is for label printers.',
  example: (done) => ({ tracking_number: done['create_shipment'].tracking_number }),
  cli: {
    command: 'carrier show',
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
})
