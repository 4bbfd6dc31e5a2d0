import { isTerminal, type ShipmentStatus } from '../../areas/carrier/states.ts'
import type { Proof } from '../../areas/proofs/rules/proof.ts'
import type { Progress } from '../../cli/track/journey.ts'

/** A parcel as `get_shipment` answers, as far as the commands read it. */
export type Shipment = {
  tracking_number: string
  status: ShipmentStatus
  proof_of_delivery: Proof | null
  scan_history: Scan[]
}

export type Scan = {
  sequence: number
  code: string
  status: ShipmentStatus
  occurred_at: string
  location: { name: string; city: string }
  reason: { code: string; detail: string } | null
}

/** Saves the pictures of the proof. */
export const OPEN_PROOF = 'dray carrier show {tracking_number} --save proof'

/** How far a parcel is: a change for each scan. */
export function toShipmentProgress({ tracking_number, status, scan_history }: Shipment): Progress {
  return {
    name: tracking_number,
    status,
    over: isTerminal(status),
    history: scan_history.map(({ code, occurred_at, location, reason }) => ({
      status: code,
      at: occurred_at,
      by: location.name,
      reason: reason?.detail ?? null,
    })),
    role: 'courier',
    mover: null,
  }
}
