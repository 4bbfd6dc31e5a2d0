/** Pictures and proofs as every area shows them (`contract.md` A12). */
import * as Type from 'typebox'
import { closed, instant, named, nullable, point } from '../../core/schema.ts'

export const media = named('Media', {
  media_id: Type.String(),
  content_type: Type.String(),
  byte_size: Type.Integer(),
  sha256: Type.String(),
  url: Type.String(),
  captured_at: instant,
  received_at: instant,
  capture_location: closed({ ...point.properties, accuracy_m: Type.Number() }),
  device: closed({
    device_id_hash: Type.String(),
    platform: Type.String(),
    clock_offset_ms: Type.Integer(),
    offline_upload: Type.Optional(Type.Boolean()),
  }),
  provenance: closed({ kind: Type.Literal('none'), claim_sha256: Type.Optional(Type.String()) }),
  integrity: closed({
    hash_verified: Type.Boolean(),
    within_geofence: Type.Boolean(),
    distance_to_target_m: Type.Integer(),
    clock_skew_ok: Type.Boolean(),
  }),
})

export const proofOfDelivery = named('ProofOfDelivery', {
  proof_id: Type.String(),
  method: Type.Enum([
    'photo',
    'signature',
    'pincode',
    'barcode',
    'handed_to_recipient',
    'left_safe',
  ] as const),
  waypoint: Type.Enum(['pickup', 'dropoff', 'return'] as const),
  collected_at: instant,
  location: point,
  recipient_name: nullable(Type.String()),
  relationship: nullable(Type.String()),
  media: Type.Array(media),
  pincode_verified: Type.Optional(Type.Boolean()),
  notes: nullable(Type.String()),
})
