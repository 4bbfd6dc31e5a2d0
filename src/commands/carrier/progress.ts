import { isTerminal } from '../../areas/carrier/states.ts'
import type { Progress } from '../../cli/track/journey.ts'
import type { Answer } from '../../client/operations.ts'

/** A parcel, as far as the commands read it. */
export type Shipment = Pick<
  Answer<'get_shipment'>,
  'tracking_number' | 'status' | 'proof_of_delivery' | 'scan_history' | 'recipient'
>

export type Scan = Shipment['scan_history'][number]

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
