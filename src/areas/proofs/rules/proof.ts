import type { Point } from '../../../core/geometry.ts'
import type { Money } from '../../../core/money.ts'
import type { Precision } from '../../../core/places/place.ts'

export type ProofMethod = 'photo' | 'signature' | 'pincode' | 'barcode' | 'handed_to_recipient' | 'left_safe'

/** A proof of delivery as on the wire (docs/rules/deliveries.md#every-handover-has-a-proof). */
export type Proof = {
  proof_id: string
  method: ProofMethod
  waypoint: 'pickup' | 'dropoff' | 'return'
  collected_at: string
  location: Point
  recipient_name: string | null
  relationship: string | null
  media: Media[]
  /** Present when the recipient had to name a code; the code itself is never shown. */
  pincode_verified?: boolean
  /** Present when cash on delivery was collected. */
  cash_collected?: { amount: Money; method: 'cash' | 'card' }
  notes: string | null
}

export type Media = {
  media_id: string
  content_type: string
  byte_size: number
  sha256: string
  url: string
  captured_at: string
  received_at: string
  capture_location: Point & { accuracy_m: number }
  device: {
    device_id_hash: string
    platform: string
    clock_offset_ms: number
    /** Stored on the device and uploaded later: received long after it was captured. */
    offline_upload?: boolean
  }
  /** With the hash that the device sent before the bytes. */
  provenance: { kind: 'none'; claim_sha256?: string }
  integrity: {
    hash_verified: boolean
    within_geofence: boolean
    /** Null where the place is known to its street, postcode or district only. */
    distance_to_target_m: number | null
    clock_skew_ok: boolean
  }
}

/** Returns whether one of the proofs has a picture. */
export function hasPictures(proofs: readonly (Pick<Proof, 'media'> | null)[]): boolean {
  return proofs.some((proof) => (proof?.media.length ?? 0) > 0)
}

/** Returns the distance in metres that a picture may claim: null from a place of which only the surroundings are known. */
export function claimedDistance(metres: number, precision: Precision = 'exact'): number | null {
  return precision === 'exact' ? metres : null
}
