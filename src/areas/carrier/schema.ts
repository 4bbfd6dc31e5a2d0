import * as Type from 'typebox'
import {
  address,
  closed,
  contact,
  date,
  instant,
  money,
  moneyFor,
  named,
  nullable,
  point,
  text,
} from '../../core/schema.ts'
import { FAILURE_REASONS } from '../proofs/rules/failures.ts'
import { media, proofOfDelivery } from '../proofs/schema.ts'
import { SERVICE_LEVEL_CODES } from './rules/rates.ts'
import { CANCEL_REASONS, SHIPMENT_EVENT_CODES, SHIPMENT_STATUSES } from './states.ts'

export const serviceLevelCode = Type.Enum(SERVICE_LEVEL_CODES, { description: 'How fast' })

export const shipmentStatus = Type.Enum(SHIPMENT_STATUSES)

/** Any text here: what is no tracking number is refused with its own code. */
export const trackingNumber = Type.String({
  description: 'Tracking number, spaces and small letters allowed',
})

export const cancelReason = Type.Enum(CANCEL_REASONS, { description: 'Why it is cancelled' })

export const weightGrams = Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'Weight in grams' })

export function side(name: string) {
  return Type.Integer({ minimum: 1, maximum: 100_000, description: `${name} in millimetres` })
}

const parcel = closed({
  weight_grams: weightGrams,
  length_mm: side('Length'),
  width_mm: side('Width'),
  height_mm: side('Height'),
  description: Type.Optional(text(120, { description: 'What is in it' })),
  declared_value: Type.Optional(moneyFor('What it is insured for')),
  contents_type: Type.Optional(
    Type.Enum(['documents', 'merchandise', 'gift', 'return'] as const, { description: 'Kind of contents' }),
  ),
})

const sender = closed({ contact, address, company: Type.Optional(text(100, { description: 'Company' })) })
const recipient = sender

const options = closed({
  signature_required: Type.Optional(Type.Boolean({ description: 'Hand over only against a signature' })),
  leave_safe_place: Type.Optional(text(120, { description: 'Where it may be left' })),
  cash_on_delivery: Type.Optional(moneyFor('What the courier collects')),
  not_before_date: Type.Optional(Type.String({ format: 'date', description: 'Earliest day of delivery' })),
})

export const reference = text(64, { description: 'Your own reference, unique among your parcels' })

/** The body of `create_shipment` and, without more, each row of a manifest. */
export const shipmentRequest = {
  recipient,
  parcel,
  service_level: serviceLevelCode,
  hub_id: Type.Optional(
    text(40, { description: 'Hub that collects it, by id or code; the nearest one when left out' }),
  ),
  sender: Type.Optional(sender),
  reference: Type.Optional(reference),
  options: Type.Optional(options),
}

export const shipmentExample = {
  reference: 'A-1001',
  service_level: 'next_day',
  recipient: {
    contact: { name: 'Grace Okoro', phone: '+441184960123' },
    address: { line1: '12 Friar Street', city: 'Reading', postal_code: 'RG1 1DB', country_code: 'GB' },
  },
  parcel: { weight_grams: 1400, length_mm: 300, width_mm: 200, height_mm: 100, description: 'Books' },
}

export const serviceLevel = named('ServiceLevel', {
  code: serviceLevelCode,
  name: Type.String(),
  transit_days_min: Type.Integer(),
  transit_days_max: Type.Integer(),
  cutoff_local: Type.String({ description: 'Local time of day by which a parcel must be handed in' }),
  saturday: Type.Boolean({ description: 'Delivers on Saturdays' }),
})

export const zone = Type.Enum(['A', 'B', 'C', 'D'] as const)

export const price = named('ParcelPrice', {
  subtotal: money,
  surcharges: Type.Array(
    closed({ type: Type.Enum(['fuel', 'remote_area', 'oversize', 'insurance'] as const), amount: money }),
  ),
  surcharges_total: money,
  tax: closed({ rate_bps: Type.Integer(), amount: money }),
  total: money,
})

export const hub = named('Hub', {
  hub_id: Type.String(),
  code: Type.String(),
  name: Type.String(),
  address,
  location: point,
  timezone: Type.String(),
  collection: closed({
    days: Type.Array(Type.Enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const)),
    from: Type.String(),
    cutoff: Type.String(),
  }),
  service_levels: Type.Array(serviceLevelCode),
  capacity_per_day: nullable(Type.Integer()),
  active: Type.Boolean(),
})

export const shipmentEvent = named('ShipmentEvent', {
  event_id: Type.String(),
  tracking_number: Type.String(),
  sequence: Type.Integer({ minimum: 1 }),
  code: Type.Enum(SHIPMENT_EVENT_CODES),
  status: shipmentStatus,
  location: closed({
    hub_id: nullable(Type.String()),
    name: Type.String(),
    city: Type.String(),
    country_code: Type.String(),
    point: nullable(point),
  }),
  occurred_at: instant,
  recorded_at: instant,
  attempt_number: nullable(Type.Integer()),
  reason: nullable(closed({ code: Type.Enum(FAILURE_REASONS), detail: Type.String() })),
  scanned_by: nullable(Type.String()),
  media: Type.Array(media),
})

const summary = {
  tracking_number: Type.String(),
  reference: nullable(Type.String()),
  status: shipmentStatus,
  status_detail: Type.Enum(SHIPMENT_EVENT_CODES),
  service_level: serviceLevelCode,
  hub_id: Type.String(),
  batch_id: nullable(Type.String()),
  sender,
  recipient,
  parcel,
  options,
  price,
  label: closed({
    format: Type.Enum(['zpl', 'pdf', 'text'] as const),
    barcode: closed({ symbology: Type.Literal('code128'), value: Type.String() }),
    route_code: Type.String(),
  }),
  estimated_delivery_date: date,
  attempts: Type.Integer({ minimum: 0, maximum: 3 }),
  max_attempts: Type.Integer(),
  proof_of_delivery: nullable(proofOfDelivery),
  cancellation: nullable(
    closed({
      reason_code: cancelReason,
      note: nullable(Type.String()),
      at: instant,
      disposition: Type.Enum(['not_collected', 'intercept_and_return', 'lost'] as const),
    }),
  ),
  created_at: instant,
  updated_at: instant,
  collected_at: nullable(instant),
  delivered_at: nullable(instant),
}

/** A parcel as a list shows it: everything but its events. */
export const shipmentSummary = named('ShipmentSummary', summary)

export const shipment = named('Shipment', { ...summary, scan_history: Type.Array(shipmentEvent) })
