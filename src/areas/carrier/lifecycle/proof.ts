/** The proof that a parcel was handed over, and the cash that was collected for it. */
import { seededInt } from '../../../core/hash.ts'
import { toTimestamp } from '../../../core/time.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { makeProof } from '../../proofs/lifecycle.ts'
import type { Proof, ProofMethod } from '../../proofs/rules/proof.ts'
import type { ShipmentEventRecord } from '../queries/shipment-events.ts'
import type { ShipmentOptions, ShipmentRecord } from '../queries/shipments.ts'
import { recipientPlace } from './places.ts'

/** Writes the proof of a delivery: who took the parcel and where, and what was paid at the door. */
export async function proofOf(
  { tx, world, at }: ChangeContext,
  shipment: ShipmentRecord,
  event: ShipmentEventRecord,
): Promise<Proof> {
  const { doc, tracking_number, ordinal } = shipment
  const { leave_safe_place, cash_on_delivery } = doc.options
  const atDoor = event.attempt_number !== null
  const method = methodOf(doc.options, atDoor)
  const handed = method !== 'left_safe'
  const neighbour = atDoor && cash_on_delivery === undefined ? doc.options.neighbour : undefined
  const target = atDoor ? recipientPlace(doc.recipient.address, doc.depot).point : event.location.point
  const paid =
    cash_on_delivery && ({ amount: cash_on_delivery, method: payment(world.seed, ordinal) } as const)
  const proof = await makeProof(tx, world, {
    kind: 'shipment',
    ordinal,
    step: event.sequence,
    holder: tracking_number,
    ownerId: shipment.agreement_id,
    at,
    method,
    waypoint: 'dropoff',
    target: target ?? { latitude: 0, longitude: 0 },
    // Without a point of its own an address is in the middle of its postcode area.
    ...(atDoor && doc.recipient.address.location === undefined && { precision: 'district' as const }),
    recipientName: handed ? (neighbour ?? doc.recipient.contact.name) : null,
    relationship: handed ? (neighbour === undefined ? 'recipient' : 'neighbour') : null,
    notes: handed ? null : (leave_safe_place ?? null),
    lines: [tracking_number, `delivered ${toTimestamp(at)}`, method.replaceAll('_', ' ')],
  })
  return paid === undefined ? proof : { ...proof, cash_collected: paid }
}

/** A signature goes before a safe place, and so does cash: no recipient signs or pays there. */
function methodOf(options: ShipmentOptions, atDoor: boolean): ProofMethod {
  const { signature_required, leave_safe_place, cash_on_delivery } = options
  if (signature_required === true) return 'signature'
  const isLeft = atDoor && leave_safe_place !== undefined && cash_on_delivery === undefined
  return isLeft ? 'left_safe' : 'handed_to_recipient'
}

/** One recipient in three pays by card. */
function payment(seed: string, ordinal: number): 'cash' | 'card' {
  return seededInt(3, seed, ['shipment', ordinal, 0, 'cash_on_delivery']) === 0 ? 'card' : 'cash'
}
