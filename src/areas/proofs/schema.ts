/** Pictures and proofs as every area shows them. */
import * as Type from 'typebox'
import {
  secondaryField,
  writtenBy,
  objectField,
  instant,
  describeField,
  money,
  component,
  nullable,
  point,
  noteField,
} from '../../core/schema.ts'
import { IF_ABSENT } from './rules/absent.ts'

/** The customer's wish, in a quote's request. */
export const ifAbsent = Type.Enum(IF_ABSENT, {
  default: 'return',
  description: 'If nobody answers the door: return it, or leave it there',
})

export const captureLocation = objectField('Location of the device', {
  ...point.properties,
  accuracy_m: Type.Number({ meaning: 'Position accuracy in metres' }),
})

export const media = component('Media', {
  media_id: Type.String({ meaning: 'File' }),
  content_type: Type.String({ meaning: 'Media type of the bytes' }),
  byte_size: secondaryField(Type.Integer({ meaning: 'Size in bytes' })),
  sha256: secondaryField(Type.String({ meaning: 'SHA-256 of the file in hex' })),
  url: Type.String({ meaning: 'Path of the file; needs the same token' }),
  captured_at: secondaryField(describeField('Capture time (device clock)', instant)),
  received_at: secondaryField(describeField('Time of receipt (service clock)', instant)),
  capture_location: secondaryField(captureLocation),
  device: secondaryField(
    objectField('Device', {
      device_id_hash: Type.String({ meaning: 'Hash of the device ID' }),
      platform: Type.String({ meaning: 'Operating system' }),
      clock_offset_ms: Type.Integer({ meaning: 'Clock offset of the device in milliseconds' }),
      offline_upload: Type.Optional(Type.Boolean({ meaning: 'True if captured offline' })),
    }),
  ),
  provenance: secondaryField(
    objectField('Provenance', {
      kind: Type.Literal('none', { meaning: 'Kind' }),
      claim_sha256: Type.Optional(Type.String({ meaning: 'SHA-256 of the provenance claim' })),
    }),
  ),
  integrity: objectField('Integrity checks', {
    hash_verified: Type.Boolean({ meaning: 'True if the hash matches the file' }),
    within_geofence: Type.Boolean({ meaning: 'True if captured within the geofence' }),
    distance_to_target_m: nullable(
      'Distance from the place in metres; null where only its street, postcode or district is known',
      Type.Integer(),
    ),
    clock_skew_ok: Type.Boolean({ meaning: 'True if the device clock is accurate enough' }),
  }),
})

/** Present when cash on delivery was collected. */
export const cashCollected = objectField('Cash collected at the door', {
  amount: describeField('Amount', money),
  method: Type.Enum(['cash', 'card'] as const, { meaning: 'Payment method' }),
})

export const proofOfDelivery = component('ProofOfDelivery', {
  proof_id: secondaryField(Type.String({ meaning: 'Proof' })),
  method: Type.Enum(
    ['photo', 'signature', 'pincode', 'barcode', 'handed_to_recipient', 'left_safe'] as const,
    { meaning: 'Type of proof', label: 'Proof' },
  ),
  waypoint: Type.Enum(['pickup', 'dropoff', 'return'] as const, { meaning: 'Waypoint: pickup or drop-off' }),
  collected_at: describeField('Time of collection', instant),
  location: describeField('Location', point),
  recipient_name: writtenBy(
    'worker',
    nullable('Name of the person who received it', Type.String(), 'Received by'),
  ),
  relationship: writtenBy('worker', nullable('Relationship to the recipient', Type.String())),
  media: Type.Array(media, { meaning: 'Captured files' }),
  cash_collected: Type.Optional(cashCollected),
  pincode_verified: Type.Optional(
    Type.Boolean({ meaning: 'True if the PIN was correct', label: 'PIN was right' }),
  ),
  notes: writtenBy('worker', noteField),
})
