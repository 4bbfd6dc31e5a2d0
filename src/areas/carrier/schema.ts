import * as Type from 'typebox'
import { localTimes } from '../../core/local-times.ts'
import {
  address,
  aside,
  by,
  closed,
  code,
  contact,
  createdAt,
  date,
  group,
  instant,
  labelled,
  means,
  money,
  moneyUpTo,
  named,
  nameText,
  nullable,
  point,
  remark,
  text,
  updatedAt,
} from '../../core/schema.ts'
import { FAILURE_REASONS } from '../proofs/rules/failures.ts'
import { media, proofOfDelivery } from '../proofs/schema.ts'
import { SERVICE_LEVEL_CODES } from './rules/rates.ts'
import { CANCEL_REASONS, PARCEL_TIMES, SHIPMENT_EVENT_CODES, SHIPMENT_STATUSES } from './states.ts'

export const serviceLevelCode = Type.Enum(SERVICE_LEVEL_CODES, {
  description: 'Service level',
  label: 'Service',
})

export const shipmentStatus = Type.Enum(SHIPMENT_STATUSES, { meaning: 'Status' })

/** Any text here: what is no tracking number is refused with its own code. */
export const trackingNumber = Type.String({
  description: 'Tracking number, spaces and small letters allowed',
})

export const cancelReason = Type.Enum(CANCEL_REASONS, {
  description: 'Reason for cancelling',
  label: 'Cancel reason',
})

export const weightGrams = Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'Weight in grams' })

export function side(name: string) {
  return Type.Integer({ minimum: 1, maximum: 100_000, description: `${name} in millimetres` })
}

const parcel = group('Parcel', {
  weight_grams: weightGrams,
  length_mm: side('Length'),
  width_mm: side('Width'),
  height_mm: side('Height'),
  description: Type.Optional(text(120, { description: 'Contents' })),
  declared_value: Type.Optional(moneyUpTo('insured', 'Insured value')),
  contents_type: Type.Optional(
    Type.Enum(['documents', 'merchandise', 'gift', 'return'] as const, { description: 'Kind of contents' }),
  ),
})

const party = named('Party', {
  contact: means('Contact', contact),
  address: means('Where, as an address', address),
  company: Type.Optional(text(100, { description: 'Company' })),
})

const options = closed({
  signature_required: Type.Optional(Type.Boolean({ description: 'Hand over only against a signature' })),
  leave_safe_place: Type.Optional(text(120, { description: 'Safe place to leave it' })),
  cash_on_delivery: Type.Optional(moneyUpTo('cash_on_delivery', 'Cash that the courier collects')),
  not_before_date: Type.Optional(Type.String({ format: 'date', description: 'Earliest day of delivery' })),
})

export const reference = code(64, 'Your own reference, unique among your parcels')

/** The body of `create_shipment` and, without more, each row of a manifest. */
export const shipmentRequest = {
  recipient: means('Recipient', party),
  parcel,
  service_level: serviceLevelCode,
  hub_id: Type.Optional(code(40, 'Hub that collects it, by id or code; the nearest one when left out')),
  sender: Type.Optional(means('Sender', party)),
  reference: Type.Optional(reference),
  options: Type.Optional(means('Delivery options', options)),
}

/** A parcel of the examples, as it is measured. */
export const BOX_EXAMPLE = { weight_grams: 1400, length_mm: 300, width_mm: 200, height_mm: 100 }

export const SHIPMENT_EXAMPLE = {
  recipient: {
    contact: { name: 'Grace Okoro' },
    address: { line1: '12 Friar Street', city: 'Reading', postal_code: 'RG1 1DB', country_code: 'GB' },
  },
  parcel: BOX_EXAMPLE,
  service_level: 'next_day',
}

export const serviceLevel = named('ServiceLevel', {
  code: serviceLevelCode,
  name: nameText,
  transit_days_min: Type.Integer({ meaning: 'Working days on the way, at least' }),
  transit_days_max: Type.Integer({ meaning: 'Working days on the way, at most' }),
  cutoff_local: Type.String({ description: 'Local time of day by which a parcel must be handed in' }),
  saturday: Type.Boolean({ description: 'Delivers on Saturdays' }),
})

export const zone = Type.Enum(['A', 'B', 'C', 'D'] as const)

export const price = named('ParcelPrice', {
  subtotal: means('The goods alone', money),
  surcharges: Type.Array(
    closed({
      type: Type.Enum(['fuel', 'remote_area', 'oversize', 'insurance'] as const, {
        meaning: 'Type of charge',
      }),
      amount: means('Amount', money),
    }),
    { meaning: 'Surcharges' },
  ),
  surcharges_total: aside(means('All surcharges together', money)),
  tax: group('Tax on it', {
    rate_bps: Type.Integer({ meaning: 'Rate in hundredths of a per cent' }),
    amount: means('The tax itself', money),
  }),
  total: means('Total', money),
})

export const hub = named('Hub', {
  hub_id: Type.String({ meaning: 'Hub' }),
  code: Type.String({ meaning: 'Its short name' }),
  name: nameText,
  address: means('Where, as an address', address),
  location: aside(means('Where, as a point', point)),
  timezone: Type.String({ meaning: 'Time zone there (IANA)' }),
  collection: group('Collection times of the hub', {
    days: Type.Array(Type.Enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const), {
      meaning: 'Days of the week on which the van comes',
      label: 'Collects on',
    }),
    from: Type.String({ meaning: 'Collected from this time on, at the hub' }),
    cutoff: Type.String({ meaning: 'Handed in by this time, it leaves the same day', label: 'Until' }),
  }),
  service_levels: Type.Array(serviceLevelCode, { meaning: 'Service levels there' }),
  capacity_per_day: nullable(Type.Integer(), 'Parcels that it takes in a day'),
  active: Type.Boolean({ meaning: 'True if it takes parcels now' }),
})

export const shipmentEvent = named('ShipmentEvent', {
  event_id: aside(Type.String({ meaning: 'Event' })),
  tracking_number: aside(Type.String({ meaning: 'Tracking number' })),
  sequence: aside(Type.Integer({ minimum: 1, meaning: 'Counts the events of a parcel from 1' })),
  code: Type.Enum(SHIPMENT_EVENT_CODES, { meaning: 'Event, as a word', label: 'What' }),
  status: shipmentStatus,
  location: group('Where, as a point', {
    hub_id: nullable(Type.String(), 'Hub'),
    name: labelled('Where', nameText),
    city: Type.String({ meaning: 'Town or city' }),
    country_code: Type.String({ meaning: 'Country, two letters (ISO 3166-1)' }),
    point: aside(nullable(point, 'Where, as a point')),
  }),
  occurred_at: means('Time of the event', instant, 'When'),
  recorded_at: aside(means('Time of recording', instant)),
  attempt_number: nullable(Type.Integer(), 'Number of the delivery attempt'),
  reason: nullable(
    closed({
      code: Type.Enum(FAILURE_REASONS, { meaning: 'Reason, as a word', label: 'Why' }),
      detail: by('worker', Type.String({ meaning: 'In a sentence' })),
    }),
    'Reason',
  ),
  scanned_by: nullable(Type.String(), 'Scanner'),
  media: Type.Array(media, { meaning: 'Captured files' }),
})

const summary = {
  tracking_number: Type.String({ meaning: 'Tracking number' }),
  reference: nullable(Type.String(), 'Your own reference'),
  status: shipmentStatus,
  status_detail: Type.Enum(SHIPMENT_EVENT_CODES, {
    meaning: 'Reason for the status, as a word',
    label: 'Last scan',
  }),
  service_level: serviceLevelCode,
  hub_id: Type.String({ meaning: 'Hub' }),
  batch_id: nullable(Type.String(), 'The batch it came in'),
  sender: means('Sender', party),
  recipient: means('Recipient', party, 'To'),
  parcel,
  options: means('Delivery options', options),
  price: means('Price', price),
  label: group('Its name, for people', {
    format: aside(Type.Enum(['zpl', 'pdf', 'text'] as const, { meaning: 'Form of the label' })),
    barcode: aside(
      group('For the label', {
        symbology: Type.Literal('code128', { meaning: 'Kind of barcode' }),
        value: Type.String({ meaning: 'Content of the barcode' }),
      }),
    ),
    route_code: aside(Type.String({ meaning: 'Sort code' })),
    files: nullable(
      closed({
        pdf: Type.String({ meaning: 'Path of the label as PDF, on the service' }),
        zpl: Type.String({ meaning: 'Path of the label for label printers, in ZPL' }),
        png: Type.String({ meaning: 'Path of the label as a picture' }),
      }),
      'Path of the file, for the same token; null for a cancelled parcel',
    ),
  }),
  estimated_delivery_date: means('The day on which it should arrive', date, 'Arrives by'),
  attempts: Type.Integer({ minimum: 0, maximum: 3, meaning: 'Delivery attempts so far' }),
  max_attempts: Type.Integer({ meaning: 'Most delivery attempts' }),
  proof_of_delivery: nullable(proofOfDelivery, 'Proof of delivery; null until it is handed over'),
  cancellation: nullable(
    closed({
      reason_code: cancelReason,
      note: remark,
      at: means('Time of cancellation', instant, 'Cancelled'),
      disposition: Type.Enum(['not_collected', 'intercept_and_return', 'lost'] as const, {
        meaning: 'Handling of a parcel that could not be delivered',
      }),
    }),
    'Cancellation; null unless it was cancelled',
  ),
  created_at: createdAt,
  updated_at: updatedAt,
  collected_at: nullable(instant, 'Time of collection'),
  delivered_at: nullable(instant, 'Time of delivery; null until then'),
}

/** A parcel as a list shows it: everything but its events. */
export const shipmentSummary = named('ShipmentSummary', summary)

export const shipment = named('Shipment', {
  ...summary,
  scan_history: Type.Array(shipmentEvent, { meaning: 'Every scan, oldest first' }),
  ...localTimes(PARCEL_TIMES),
})
