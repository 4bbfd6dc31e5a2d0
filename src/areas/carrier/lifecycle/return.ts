/** Returns: parcels from the recipient of another one back to its sender. */
import { assertWithinCeiling } from '../../../core/ceilings.ts'
import { AppError } from '../../../core/errors.ts'
import { sha256Hex } from '../../../core/hash.ts'
import { findDestination } from '../../../core/places/coverage.ts'
import { localDate } from '../../../core/time.ts'
import { addWorkingDays } from '../../../core/working-days.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { findShipment, type ParcelContents, type ShipmentRecord } from '../queries/shipments.ts'
import { restrictServiceToZone, SERVICE_LEVELS } from '../rules/rates.ts'
import { RETURN_MS, type ReturnLabel } from '../rules/returns.ts'
import { createShipments, type PlannedShipment } from './creation.ts'
import type { Planner } from './plan.ts'
import { SHIPMENT_LIFECYCLE } from './shipment.ts'

/**
 * A return as it is requested: its contents, if they differ from those of the parcel, where its label is, and after how many
 * milliseconds the sandbox sends it, if it does.
 */
export type ReturnRequest = {
  parcel: ParcelContents | undefined
  label: ReturnLabel
  sentAfter: number | undefined
}

/** Throws `invalid_state` for a parcel that cannot have a return with such a label, or has one. */
export async function assertReturnable(
  { tx }: Pick<ChangeContext, 'tx'>,
  { tracking_number, status, doc }: ShipmentRecord,
  label: ReturnLabel,
): Promise<void> {
  const before = doc.return_number === undefined ? undefined : await findShipment(tx, doc.return_number)
  const existing = before?.status === 'cancelled' ? undefined : before?.tracking_number
  const detail =
    doc.return_of !== undefined
      ? `${tracking_number} is a return itself.`
      : existing !== undefined
        ? `${tracking_number} has a return already: ${existing}.`
        : ['cancelled', 'lost', 'returning', 'returned'].includes(status)
          ? `${tracking_number} is ${status}: its recipient has nothing to send back.`
          : label === 'link' && status !== 'delivered'
            ? `${tracking_number} is ${status}: a link is for a parcel that was delivered.`
            : undefined
  if (detail === undefined) return
  throw new AppError('invalid_state', detail, {
    extra: {
      current_status: status,
      ...(existing !== undefined && { existing_tracking_number: existing }),
    },
    ...(existing !== undefined && { hint: `Print its label: \`dray carrier label ${existing}\`.` }),
  })
}

/**
 * Returns the return of a parcel before it exists: it costs as much as the way out, without insurance unless some is asked
 * for. Throws `parcel_limits_exceeded`, `amount_too_large` or `currency_mismatch`.
 */
export function planReturn(
  { hubs, rate, assertCurrency }: Planner,
  original: ShipmentRecord,
  { parcel: asked, label, sentAfter }: ReturnRequest,
  at: number,
): PlannedShipment & { lapses_at: number } {
  const { tracking_number, reference, customer, doc, hub_id, service_level } = original
  const { declared_value: _, ...contents } = doc.parcel
  const parcel: ParcelContents = { ...(asked ?? contents), contents_type: 'return' }
  assertCurrency(parcel.declared_value, { pointer: '/parcel/declared_value/currency' })
  assertWithinCeiling('insured', parcel.declared_value, { pointer: '/parcel/declared_value' })
  const hub = hubs.find((each) => each.hub_id === hub_id)
  const level = SERVICE_LEVELS.find(({ code }) => code === service_level)
  const { country_code, postal_code } = doc.recipient.address
  const destination = findDestination(country_code, postal_code)
  if (hub === undefined || level === undefined || typeof destination === 'string')
    throw new Error(`${tracking_number} has no way back`)
  const priced = rate(level, { parcel, destination, hub, declared_value: parcel.declared_value })
  if (priced === undefined) throw new Error(`${service_level} from ${hub.code} has no price`)
  const lapses_at = at + RETURN_MS
  const days = Math.max(1, level.transit_days_max)
  const latest = addWorkingDays(
    localDate(lapses_at, doc.timezone),
    days,
    restrictServiceToZone(level, destination.zone),
  )
  const [, ...route] = doc.route_code.split('-')
  return {
    reference: null,
    customer,
    content_hash: sha256Hex(`return of ${tracking_number}`),
    scenario: null,
    lapses_at,
    plan: {
      service_level,
      hub,
      sender: doc.recipient,
      recipient: doc.sender,
      parcel,
      options: { signature_required: false },
      destination,
      price: priced.price,
      estimated_delivery_date: latest,
      collect_at: lapses_at,
    },
    returns: {
      doc: {
        return_of: { tracking_number, reference, label },
        route_code: [route[0], hub.code, ...route.slice(1)].join('-'),
        origin: doc.home_depot ?? doc.depot,
        depot: doc.origin,
      },
      next:
        sentAfter === undefined
          ? { event: 'return_lapses', due_at: lapses_at }
          : { event: 'collected', due_at: at + sentAfter },
    },
  }
}

/** Creates the planned return of a locked parcel, which then names it. */
export async function openReturn(
  scene: ChangeContext,
  original: ShipmentRecord,
  draft: PlannedShipment,
): Promise<ShipmentRecord> {
  const { tx, world, at } = scene
  const { agreement_id: agreementId, doc } = original
  const [created] = await createShipments(tx, world, at, { agreementId, batchId: null, drafts: [draft] })
  if (created === undefined) throw new Error('no return was created')
  doc.return_number = created.tracking_number
  await SHIPMENT_LIFECYCLE.touch(scene, original)
  return created
}
