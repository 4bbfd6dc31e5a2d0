/** Cancelling a parcel, and its return with it. */
import { AppError } from '../../../core/errors.ts'
import { clampToLastUpdate, type ChangeContext } from '../../../db/lifecycle.ts'
import { listPlannedEvents, unscheduleResource } from '../../../db/timeline.ts'
import { lockShipment, type ShipmentRecord } from '../queries/shipments.ts'
import { isParcelCancellable, type CancelReason } from '../states.ts'
import { recordScan, type Scan, SHIPMENT_LIFECYCLE } from './shipment.ts'

/**
 * Cancels a parcel that is neither delivered nor returned (docs/rules/parcels.md#a-parcel-is-cancelled-until-it-arrives);
 * one that is cancelled already stays as it is.
 */
export async function cancelShipmentRecord(
  given: ChangeContext,
  shipment: ShipmentRecord,
  { reason_code, note }: { reason_code: CancelReason; note: string | null },
): Promise<void> {
  const { status, doc } = shipment
  if (status === 'cancelled') return
  if (!isParcelCancellable(shipment)) {
    throw new AppError(
      'not_cancellable',
      `${shipment.tracking_number} is ${status} and can no longer be cancelled.`,
      {
        extra: { current_status: status },
      },
    )
  }
  const disposition =
    status === 'pre_transit' ? 'not_collected' : status === 'lost' ? 'lost' : 'intercept_and_return'
  const scene = clampToLastUpdate(given, shipment)
  doc.cancellation = { reason_code, note, at: scene.at, disposition }
  await unscheduleResource(scene.tx, shipment.tracking_number)
  const scan: Scan = { code: 'cancelled', by: 'shipper' }
  const { move } = await recordScan(scene, shipment, scan, 'cancelled')
  await SHIPMENT_LIFECYCLE.transition(scene, shipment, move)
  if (doc.return_number !== undefined) await cancelUnsent(given, doc.return_number)
}

/** Cancels the return of a cancelled parcel, unless its sender has sent it by now. */
async function cancelUnsent(given: ChangeContext, returnNumber: string): Promise<void> {
  const shipment = await lockShipment(given.tx, returnNumber)
  if (shipment?.status !== 'pre_transit') return
  const planned = await listPlannedEvents(given.tx, [returnNumber])
  if (planned.some(({ event, due_at }) => event === 'collected' && due_at <= given.at)) return
  await cancelShipmentRecord(given, shipment, { reason_code: 'other', note: 'The parcel was cancelled.' })
}
