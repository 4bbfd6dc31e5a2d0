import { AppError } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { findDelivery } from '../couriers/queries/deliveries.ts'
import { delivery, deliveryId } from './schema.ts'
import { serializeDelivery } from './views.ts'

export const getDelivery = defineOperation({
  name: 'get_delivery',
  area: 'delivery',
  summary: 'Show one of your deliveries: status, courier, proof',
  description: 'Also shows the deliveries of your food orders.',
  details: 'For these, origin.kind is food_order and the order pays.',
  method: 'GET',
  path: '/v1/deliveries/{delivery_id}',
  scope: 'delivery.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({ delivery_id: deliveryId }),
  output: delivery,
  errors: ['delivery_not_found'],
  example: (done) => ({ delivery_id: done['request_delivery'].delivery_id }),
  cli: {
    command: 'delivery show',
    danger: 'read',
    columns: ['delivery_id', 'status', 'price', 'courier.name', 'dropoff_eta_at'],
    details: [
      'delivery_id',
      'status',
      'origin.order_id',
      'parcel.description',
      'parcel.size',
      // Both ends have the same schema, and this screen says which is which.
      'pickup.place.name',
      { field: 'pickup.place.address', label: 'Pickup address' },
      { field: 'pickup.contact.name', label: 'Sender' },
      'dropoff.place.name',
      { field: 'dropoff.place.address', label: 'Recipient' },
      { field: 'dropoff.contact.name', label: 'Received by' },
      'dropoff.verification',
      'if_absent',
      'dropoff_pincode',
      'price',
      'payment.method',
      'payment.status',
      'refunded',
      'refund.status',
      'courier.name',
      'courier.vehicle_type',
      'courier.phone_masked',
      'pickup_eta_at',
      'dropoff_eta_at',
      'delivered_at',
      'proof_of_delivery.method',
      // The contact is already shown as who received it.
      { field: 'proof_of_delivery.recipient_name', label: 'Proof type' },
      'proof_of_delivery.pincode_verified',
      'undeliverable.reason_code',
      'external_reference',
    ],
  },
  touches: ({ delivery_id }) => ({ resource: delivery_id }),
  async run({ tx, account, now }, { delivery_id }) {
    const record = await findDelivery(tx, delivery_id)
    if (record === undefined || record.account_id !== account.account_id) {
      throw new AppError('delivery_not_found', `No delivery ${delivery_id}.`, {
        hint: '`dray recent` lists what you created on this machine.',
      })
    }
    return serializeDelivery(tx, record, now)
  },
})
