/** Changes of a parcel after it was created: its address and its recipient. */
import { AppError } from '../../../core/errors.ts'
import { clampToLastUpdate, type ChangeContext } from '../../../db/lifecycle.ts'
import { listPlannedEvents, unscheduleResource } from '../../../db/timeline.ts'
import type { FailureReason } from '../../proofs/rules/failures.ts'
import type { ScanLocation } from '../queries/shipment-events.ts'
import { insertShipmentWords } from '../queries/shipment-words.ts'
import type { ShipmentOptions, ShipmentRecord } from '../queries/shipments.ts'
import { canRedirect, isShipmentOver } from '../states.ts'
import { deliveringDepot, routeCode } from './creation.ts'
import type { ShipmentPlan } from './plan.ts'
import { recordScan, SHIPMENT_LIFECYCLE } from './shipment.ts'
import { afterRedirect } from './timeline.ts'

/** A redirect: the options from now on, the hub of the pickup if it goes to one, and the words of its event. */
export type Redirect = {
  options: ShipmentOptions
  pickup: ScanLocation | undefined
  reason: FailureReason
  detail: string
}

/** Throws `invalid_state` for a return: it goes back to the sender. */
export function assertNoReturn({ tracking_number, status, doc }: ShipmentRecord): void {
  if (doc.return_of === undefined) return
  throw new AppError('invalid_state', `${tracking_number} is a return: it goes back to its sender.`, {
    extra: { current_status: status },
  })
}

/** Throws `invalid_state` once a courier has the parcel, has tried three times, or is done with it. */
export function assertRedirectable(shipment: ShipmentRecord): void {
  const { tracking_number, status, doc } = shipment
  assertNoReturn(shipment)
  if (canRedirect({ status, attempts: doc.attempts })) return
  throw new AppError(
    'invalid_state',
    `${tracking_number} is ${status}: a parcel is redirected until it is out for delivery.`,
    {
      extra: { current_status: status },
      ...(!isShipmentOver(status) && { hint: `Follow it: \`dray carrier track ${tracking_number}\`.` }),
    },
  )
}

/** Redirects a locked parcel, and plans what follows again. */
export async function redirectShipmentRecord(
  given: ChangeContext,
  shipment: ShipmentRecord,
  { options, pickup, reason, detail }: Redirect,
): Promise<void> {
  const scene = clampToLastUpdate(given, shipment)
  const { tx, world } = scene
  const { doc } = shipment
  const home = doc.home_depot ?? doc.depot
  const depot = pickup ?? home
  const isMoved = depot.name !== doc.depot.name
  if (pickup !== undefined) doc.home_depot = home
  doc.options = options
  doc.depot = depot
  const events = await listPlannedEvents(tx, [shipment.tracking_number])
  const planned = events.find(({ event }) => event !== 'claim_decided')
  const scan = { code: 'redirected', by: 'shipper', reason, detail } as const
  const { move } = await recordScan(scene, shipment, scan, shipment.status)
  const next = planned && afterRedirect(world.seed, shipment, planned, isMoved)
  // The next hub is still to come for a parcel that leaves the one where it waits.
  if (next?.event === 'departed_facility') doc.departed = false
  await unscheduleResource(tx, shipment.tracking_number)
  await SHIPMENT_LIFECYCLE.transition(scene, shipment, { ...move, next })
}

/** Gives a locked parcel that waits for its collection the recipient, price and label of a plan. */
export async function correctShipmentRecipient(
  given: ChangeContext,
  shipment: ShipmentRecord,
  plan: ShipmentPlan,
): Promise<void> {
  const scene = clampToLastUpdate(given, shipment)
  const { doc } = shipment
  const depot = deliveringDepot(plan)
  doc.recipient = plan.recipient
  doc.price = plan.price
  doc.zone = plan.destination.zone
  doc.route_code = routeCode(plan)
  // A parcel that is kept back goes with a later collection than a new one.
  if (doc.kept_back !== true || plan.estimated_delivery_date > doc.estimated_delivery_date)
    doc.estimated_delivery_date = plan.estimated_delivery_date
  doc.label_version = (doc.label_version ?? 1) + 1
  if (doc.home_depot === undefined) doc.depot = depot
  else doc.home_depot = depot
  await insertShipmentWords(scene.tx, [shipment])
  const scan = { code: 'address_corrected', by: 'shipper' } as const
  const { move } = await recordScan(scene, shipment, scan, shipment.status)
  await SHIPMENT_LIFECYCLE.transition(scene, shipment, move)
}
