import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, nonBlankText } from '../../core/schema.ts'
import { loadOwnShipment } from './access.ts'
import { cancelShipmentRecord } from './lifecycle/cancel.ts'
import { normalizeTrackingNumber } from './rules/tracking-number.ts'
import { cancelReason, shipment, trackingNumber } from './schema.ts'
import { serializeShipment } from './views.ts'

export const cancelShipment = defineOperation({
  name: 'cancel_shipment',
  area: 'carrier',
  summary: 'Cancel a parcel',
  description:
    'Allowed until the parcel is delivered or returned. A parcel in transit is stopped and returned to the sender.',
  details: 'Cancelling again changes nothing.',
  method: 'POST',
  path: '/v1/shipments/{tracking_number}/cancel',
  scope: 'shipments.manage',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'once',
  input: strictObject({
    tracking_number: trackingNumber,
    reason_code: Type.Optional(cancelReason),
    note: Type.Optional(nonBlankText(300, { description: 'Note' })),
  }),
  output: shipment,
  errors: ['invalid_tracking_number', 'shipment_not_found', 'not_cancellable'],
  example: (done) => ({
    tracking_number: done['create_shipment'].tracking_number,
    reason_code: 'order_cancelled',
  }),
  cli: {
    command: 'carrier cancel',
    danger: 'destructive',
    positionals: ['tracking_number'],
    flags: { reason_code: 'reason' },
    columns: ['tracking_number', 'reference', 'status', 'cancellation.disposition', 'cancellation.at'],
    done: 'Cancelled parcel {tracking_number} ({cancellation.disposition}).',
    next: 'dray carrier list --status cancelled',
    examples: [
      'dray carrier cancel ZC968043370GB --reason order_cancelled',
      'dray carrier cancel ZC968043370GB --confirm ZC968043370GB',
      'dray carrier cancel A-1001 --confirm A-1001',
    ],
  },
  touches: ({ tracking_number }) => ({ resource: normalizeTrackingNumber(tracking_number) }),
  async run(context, { tracking_number, reason_code = 'other', note = null }) {
    const { tx, world, now } = context
    const found = await loadOwnShipment(context, tracking_number, { lock: true })
    await cancelShipmentRecord({ tx, world, at: now }, found, { reason_code, note })
    return serializeShipment(tx, world, found)
  },
})
