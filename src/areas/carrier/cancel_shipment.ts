import * as Type from 'typebox'
import { nonBlankText } from '../../core/schema.ts'
import { OWN_SHIPMENT } from './access.ts'
import { cancelShipmentRecord } from './lifecycle/cancel.ts'
import { cancelReason } from './schema.ts'

export const cancelShipment = OWN_SHIPMENT.action({
  name: 'cancel_shipment',
  summary: 'Cancel a parcel',
  description:
    'Allowed until the parcel is delivered or returned. A parcel in transit is stopped and returned to the sender.',
  details: 'Cancelling again changes nothing.',
  below: '/cancel',
  spends: { how: 'nothing' },
  repetition: 'once',
  input: {
    reason_code: Type.Optional(cancelReason),
    note: Type.Optional(nonBlankText(300, { description: 'Note' })),
  },
  errors: ['not_cancellable'],
  example: (done) => ({
    tracking_number: done['create_shipment'].tracking_number,
    reason_code: 'order_cancelled',
  }),
  cli: {
    command: 'carrier cancel',
    danger: 'destructive',
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
  act: (scene, parcel, { reason_code = 'other', note = null }) =>
    cancelShipmentRecord(scene, parcel, { reason_code, note }),
})
