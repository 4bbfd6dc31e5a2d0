import type { Tx } from '../../core/db.ts'
import { haversineMetres, offsetPoint, type Point } from '../../core/geometry.ts'
import { seededInt, sha256Hex } from '../../core/hash.ts'
import { sandboxId } from '../../core/ids.ts'
import type { Precision } from '../../core/places/place.ts'
import { toTimestamp } from '../../core/time.ts'
import type { WorldSettings } from '../../core/world.ts'
import { insertMedia } from './queries.ts'
import { deviceOf } from './rules/device.ts'
import { textPng } from './rules/png.ts'
import { claimedDistance, type Proof, type ProofMethod } from './rules/proof.ts'

export type ProofInputs = {
  /** The kind and creation ordinal of what is proven, and which step of its life: every draw derives from them. */
  kind: string
  ordinal: number
  step: number
  /** The person with the device that takes the picture. */
  holder: string
  /** The account or agreement that may see the picture. */
  ownerId: string
  at: number
  method: ProofMethod
  waypoint: Proof['waypoint']
  target: Point
  /** Absent where the target is a given point. */
  precision?: Precision | undefined
  recipientName: string | null
  relationship: string | null
  notes: string | null
  /** The lines of text in the picture. */
  lines: string[]
}

/** The longest distance from the door at which a picture may be taken, in metres. */
const GEOFENCE_M = 150
const GPS_ERROR_M = 40
/** Takes the sandbox's picture, a true PNG with the same bytes for a seed, stores it, and writes the proof. */
export async function makeProof(tx: Tx, { seed }: WorldSettings, inputs: ProofInputs): Promise<Proof> {
  const { kind, ordinal, at, target } = inputs
  const below = (limit: number, purpose: string) =>
    seededInt(limit, seed, [kind, ordinal, inputs.step, purpose])
  const location = offsetPoint(target, below(GPS_ERROR_M, 'gps_distance'), below(360, 'gps_bearing'))
  const accuracy = 5 + below(15, 'gps_accuracy')
  const bytes = textPng([...inputs.lines, `seed ${seed}`])
  const media_id = sandboxId('med', { seed, ordinal, at }, `${kind}|${inputs.step}|media`)
  const sha256 = sha256Hex(bytes)
  await insertMedia(tx, { media_id, owner_id: inputs.ownerId, content_type: 'image/png', sha256, bytes })
  const distance = Math.round(haversineMetres(location, target))
  return {
    proof_id: sandboxId('pod', { seed, ordinal, at }, `${kind}|${inputs.step}|proof`),
    method: inputs.method,
    waypoint: inputs.waypoint,
    collected_at: toTimestamp(at),
    location,
    recipient_name: inputs.recipientName,
    relationship: inputs.relationship,
    media: [
      {
        media_id,
        content_type: 'image/png',
        byte_size: bytes.length,
        sha256,
        url: `/media/${media_id}`,
        captured_at: toTimestamp(at),
        received_at: toTimestamp(at),
        capture_location: { ...location, accuracy_m: accuracy },
        device: {
          ...deviceOf(seed, inputs.holder),
          clock_offset_ms: 0,
        },
        provenance: { kind: 'none' },
        integrity: {
          hash_verified: true,
          within_geofence: distance <= GEOFENCE_M,
          distance_to_target_m: claimedDistance(distance, inputs.precision),
          clock_skew_ok: true,
        },
      },
    ],
    notes: inputs.notes,
  }
}
