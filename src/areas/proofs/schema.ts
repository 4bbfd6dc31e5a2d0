/** Pictures and proofs as every area shows them (`contract.md` A12). */
import * as Type from 'typebox'
import { aside, by, group, instant, means, named, nullable, point, remark } from '../../core/schema.ts'

export const captureLocation = group('Location of the device', {
  ...point.properties,
  accuracy_m: Type.Number({ meaning: 'Accuracy of the position in metres' }),
})

export const media = named('Media', {
  media_id: Type.String({ meaning: 'Picture or file' }),
  content_type: Type.String({ meaning: 'Media type of the bytes' }),
  byte_size: aside(Type.Integer({ meaning: 'Size in bytes' })),
  sha256: aside(Type.String({ meaning: 'Hash of the bytes, in hex' })),
  url: Type.String({ meaning: 'Path of the file, for the same token' }),
  captured_at: aside(means('Capture time (device clock)', instant)),
  received_at: aside(means('Time of receipt, by the clock of the service', instant)),
  capture_location: aside(captureLocation),
  device: aside(
    group('Capturing device', {
      device_id_hash: Type.String({ meaning: 'Tells devices apart without naming them' }),
      platform: Type.String({ meaning: 'Its operating system' }),
      clock_offset_ms: Type.Integer({ meaning: "How far the device's clock is off" }),
      offline_upload: Type.Optional(Type.Boolean({ meaning: 'True if the device was offline at the time' })),
    }),
  ),
  provenance: aside(
    group('Provenance', {
      kind: Type.Literal('none', { meaning: 'Kind' }),
      claim_sha256: Type.Optional(Type.String({ meaning: 'Hash of the claim of origin' })),
    }),
  ),
  integrity: group('Checks of integrity', {
    hash_verified: Type.Boolean({ meaning: 'True if the bytes are those that were sent' }),
    within_geofence: Type.Boolean({ meaning: 'True if it was captured near enough' }),
    distance_to_target_m: Type.Integer({ meaning: 'Distance from the place of capture in metres' }),
    clock_skew_ok: Type.Boolean({ meaning: "Whether the device's clock could be trusted" }),
  }),
})

export const proofOfDelivery = named('ProofOfDelivery', {
  proof_id: aside(Type.String({ meaning: 'Proof' })),
  method: Type.Enum(
    ['photo', 'signature', 'pincode', 'barcode', 'handed_to_recipient', 'left_safe'] as const,
    { meaning: 'Type of proof', label: 'Proof' },
  ),
  waypoint: Type.Enum(['pickup', 'dropoff', 'return'] as const, { meaning: 'At which end of the way' }),
  collected_at: means('Time of collection', instant),
  location: means('Where, as a point', point),
  recipient_name: by('worker', nullable(Type.String(), 'Name of the person who took it', 'Received by')),
  relationship: by('worker', nullable(Type.String(), 'Relationship to the recipient')),
  media: Type.Array(media, { meaning: 'Captured files' }),
  pincode_verified: Type.Optional(
    Type.Boolean({ meaning: 'True if the right code was told', label: 'PIN was right' }),
  ),
  notes: by('worker', remark),
})
