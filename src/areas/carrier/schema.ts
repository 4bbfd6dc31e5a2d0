import * as Type from 'typebox'
import { makeLocalTimeFields } from '../../core/local-times.ts'
import {
  address,
  secondaryField,
  writtenBy,
  strictObject,
  IDENTIFIER,
  identifierText,
  contact,
  createdAt,
  date,
  objectField,
  instant,
  withLabel,
  describeField,
  money,
  cappedMoneyField,
  component,
  nameField,
  nullable,
  point,
  noteField,
  nonBlankText,
  updatedAt,
} from '../../core/schema.ts'
import { FAILURE_REASONS } from '../proofs/rules/failures.ts'
import { cashCollected, media, proofOfDelivery } from '../proofs/schema.ts'
import { CLAIM_REASONS, CLAIM_STATUSES, REJECTIONS } from './rules/claims.ts'
import { SERVICE_LEVEL_CODES } from './rules/rates.ts'
import { RETURN_LABELS } from './rules/returns.ts'
import { CANCEL_REASONS, PARCEL_TIMES, SHIPMENT_EVENT_CODES, SHIPMENT_STATUSES } from './states.ts'

export const serviceLevelCode = Type.Enum(SERVICE_LEVEL_CODES, {
  description: 'Service level',
  label: 'Service',
})

export const shipmentStatus = Type.Enum(SHIPMENT_STATUSES, { meaning: 'Status' })

/** Any text here: what is no tracking number is rejected with its own code. */
export const trackingNumber = Type.String({
  ...IDENTIFIER,
  description: 'Tracking number; spaces and lower case allowed',
})

export const cancelReason = Type.Enum(CANCEL_REASONS, {
  description: 'Cancellation reason',
  label: 'Cancel reason',
})

export function weightGrams(description: string) {
  return Type.Integer({ minimum: 1, maximum: 10_000_000, description })
}

export function side(name: string) {
  return Type.Integer({ minimum: 1, maximum: 100_000, description: `${name} in millimetres` })
}

const BOX = {
  weight_grams: weightGrams('Weight in grams'),
  length_mm: side('Length'),
  width_mm: side('Width'),
  height_mm: side('Height'),
  description: Type.Optional(nonBlankText(120, { description: 'Contents' })),
  declared_value: Type.Optional(cappedMoneyField('insured', 'Insured value')),
}

/** The contents of a return. */
export const returnedParcel = objectField(
  'Returned parcel; by default as it was sent, without insurance',
  BOX,
)

const parcel = objectField('Parcel', {
  ...BOX,
  contents_type: Type.Optional(
    Type.Enum(['documents', 'merchandise', 'gift', 'return'] as const, { description: 'Kind of contents' }),
  ),
})

export const party = component('Party', {
  contact: describeField('Contact', contact),
  address: describeField('Address', address),
  company: Type.Optional(nonBlankText(100, { description: 'Company' })),
})

export const safePlace = nonBlankText(120, { description: 'Safe place' })
export const neighbour = nonBlankText(120, { description: 'Neighbour who takes the parcel: name and house' })

const OPTIONS = {
  signature_required: Type.Optional(Type.Boolean({ description: 'Signature on delivery' })),
  leave_safe_place: Type.Optional(safePlace),
  cash_on_delivery: Type.Optional(cappedMoneyField('cash_on_delivery', 'Cash on delivery amount')),
  not_before_date: Type.Optional(Type.String({ format: 'date', description: 'Earliest delivery date' })),
}

const options = strictObject(OPTIONS)

/** The options of a parcel: those it was created with, as later redirects changed them. */
const deliveryOptions = strictObject({
  ...OPTIONS,
  neighbour: Type.Optional(neighbour),
  pickup_hub_id: Type.Optional(Type.String({ description: 'Hub where the recipient collects the parcel' })),
})

/** The flags of a recipient. */
export const RECIPIENT_FLAGS = {
  'recipient.contact.name': 'to-name',
  'recipient.contact.phone': 'to-phone',
  'recipient.contact.email': 'to-email',
  'recipient.company': 'to-company',
  'recipient.address.line1': 'to-line1',
  'recipient.address.line2': 'to-line2',
  'recipient.address.city': 'to-city',
  'recipient.address.region': 'to-region',
  'recipient.address.postal_code': 'to-postal-code',
  'recipient.address.country_code': 'to-country',
  'recipient.address.location.latitude': 'to-latitude',
  'recipient.address.location.longitude': 'to-longitude',
  'recipient.address.access_notes': 'instructions',
} as const

export const shipmentReference = identifierText(64, 'Your own reference, unique among your parcels')

export const customer = identifierText(64, 'Your customer that the parcel is for, by name or code')

/** The filter by customer: empty for parcels without one. */
export const customerOrNone = Type.String({
  maxLength: 64,
  pattern: String.raw`^$|\S`,
  errorMessage: 'must be a customer, or empty for parcels without one',
  ...IDENTIFIER,
  description: 'Your customer; empty for parcels without one',
})

/** The body of `create_shipment` and, without more, each row of a manifest. */
export const shipmentRequest = {
  recipient: describeField('Recipient', party),
  parcel,
  service_level: serviceLevelCode,
  hub_id: Type.Optional(identifierText(40, 'Collection hub, by code or ID. Default: the nearest hub')),
  sender: Type.Optional(describeField('Sender', party)),
  reference: Type.Optional(shipmentReference),
  customer: Type.Optional(customer),
  options: Type.Optional(describeField('Delivery options', options)),
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

export const serviceLevel = component('ServiceLevel', {
  code: serviceLevelCode,
  name: nameField,
  transit_days_min: Type.Integer({ meaning: 'Transit time in working days, at least' }),
  transit_days_max: Type.Integer({ meaning: 'Transit time in working days, at most' }),
  cutoff_local: Type.String({ description: 'Local cut-off time for handing parcels in' }),
  saturday: Type.Boolean({ description: 'True if delivered on Saturdays' }),
})

export const zone = Type.Enum(['A', 'B', 'C', 'D'] as const)

export const parcelPrice = component('ParcelPrice', {
  subtotal: describeField('Price before surcharges', money),
  surcharges: Type.Array(
    strictObject({
      type: Type.Enum(['fuel', 'remote_area', 'oversize', 'insurance'] as const, {
        meaning: 'Surcharge type',
      }),
      amount: describeField('Amount', money),
    }),
    { meaning: 'Surcharges' },
  ),
  surcharges_total: secondaryField(describeField('Total surcharges', money)),
  tax: objectField('Tax', {
    rate_bps: Type.Integer({ meaning: 'Tax rate in basis points (2000 = 20%)' }),
    amount: describeField('Tax amount', money),
  }),
  total: describeField('Total', money),
})

export const hub = component('Hub', {
  hub_id: Type.String({ meaning: 'Hub' }),
  code: Type.String({ meaning: 'Hub code' }),
  name: nameField,
  address: describeField('Address', address),
  location: secondaryField(describeField('Location', point)),
  timezone: Type.String({ meaning: 'Local time zone (IANA)' }),
  collection: objectField('Collection schedule', {
    days: Type.Array(Type.Enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const), {
      meaning: 'Collection days',
      label: 'Collection days',
    }),
    from: Type.String({ meaning: 'Start of collection, local time' }),
    cutoff: Type.String({ meaning: 'Cut-off time for leaving the same day', label: 'Cut-off' }),
  }),
  service_levels: Type.Array(serviceLevelCode, { meaning: 'Available service levels' }),
  capacity_per_day: nullable('Capacity in parcels per day', Type.Integer()),
  active: Type.Boolean({ meaning: 'True if the hub accepts parcels' }),
})

export const shipmentEvent = component('ShipmentEvent', {
  event_id: secondaryField(Type.String({ meaning: 'Event' })),
  tracking_number: secondaryField(Type.String({ meaning: 'Tracking number' })),
  sequence: secondaryField(Type.Integer({ minimum: 1, meaning: 'Number of the event, from 1' })),
  code: Type.Enum(SHIPMENT_EVENT_CODES, { meaning: 'Event code', label: 'Event' }),
  status: shipmentStatus,
  location: objectField('Location', {
    hub_id: nullable('Hub', Type.String()),
    name: withLabel('Location', nameField),
    city: Type.String({ meaning: 'Town or city' }),
    country_code: Type.String({ meaning: 'Country code (ISO 3166-1)' }),
    point: secondaryField(nullable('Location', point)),
  }),
  occurred_at: describeField('Time of the event', instant, 'Time'),
  recorded_at: secondaryField(describeField('Recording time', instant)),
  attempt_number: nullable('Delivery attempt number', Type.Integer()),
  reason: nullable(
    'Reason',
    strictObject({
      code: Type.Enum(FAILURE_REASONS, { meaning: 'Reason code', label: 'Reason' }),
      detail: writtenBy('worker', Type.String({ meaning: 'Description' })),
    }),
  ),
  scanned_by: nullable('Scanner', Type.String()),
  weight_grams: Type.Optional(Type.Integer({ meaning: 'Weight at the scan in grams' })),
  cash_collected: Type.Optional(cashCollected),
  media: Type.Array(media, { meaning: 'Captured files' }),
})

export const claimReason = Type.Enum(CLAIM_REASONS, { description: 'Reason for the claim', label: 'Reason' })

export const claim = component('Claim', {
  claim_id: Type.String({ meaning: 'Claim' }),
  tracking_number: Type.String({ meaning: 'Tracking number' }),
  reason_code: claimReason,
  value: describeField('Claimed value of the contents', money, 'Value'),
  status: Type.Enum(CLAIM_STATUSES, { meaning: 'Status' }),
  created_at: createdAt,
  decision_due_at: describeField('Time by which it is decided', instant, 'Decision by'),
  decided_at: nullable('Time of the decision', instant),
  rejection: Type.Optional(
    strictObject(
      {
        code: Type.Enum(REJECTIONS, { meaning: 'Reason code of the rejection', label: 'Rejected because' }),
        detail: Type.String({ meaning: 'Description' }),
      },
      { meaning: 'Reason of the rejection; only of a rejected claim' },
    ),
  ),
})

export const returnOf = strictObject(
  {
    tracking_number: Type.String({ meaning: 'Tracking number' }),
    reference: nullable('Your own reference', Type.String()),
    label: Type.Enum(RETURN_LABELS, { meaning: 'Place of the return label', label: 'Label' }),
  },
  { meaning: 'Parcel that this is the return of' },
)

const summary = {
  tracking_number: Type.String({ meaning: 'Tracking number' }),
  reference: nullable('Your own reference', Type.String()),
  customer: nullable('Your customer', Type.String()),
  status: shipmentStatus,
  status_detail: Type.Enum(SHIPMENT_EVENT_CODES, {
    meaning: 'Status detail code',
    label: 'Last scan',
  }),
  service_level: serviceLevelCode,
  hub_id: Type.String({ meaning: 'Hub' }),
  batch_id: nullable('Batch of the parcel; null if created alone', Type.String()),
  sender: describeField('Sender', party),
  recipient: describeField('Recipient', party, 'Recipient'),
  parcel,
  options: describeField('Delivery options', deliveryOptions),
  price: describeField('Price', parcelPrice),
  label: objectField('Label', {
    format: secondaryField(Type.Enum(['zpl', 'pdf', 'text'] as const, { meaning: 'Label format' })),
    barcode: secondaryField(
      objectField('Label barcode', {
        symbology: Type.Literal('code128', { meaning: 'Barcode type' }),
        value: Type.String({ meaning: 'Barcode content' }),
      }),
    ),
    route_code: secondaryField(Type.String({ meaning: 'Sort code' })),
    files: nullable(
      'Label file paths; null for a cancelled parcel',
      strictObject({
        pdf: Type.String({ meaning: 'Path of the label as PDF' }),
        zpl: Type.String({ meaning: 'Path of the label as ZPL, for label printers' }),
        png: Type.String({ meaning: 'Path of the label as PNG' }),
      }),
    ),
  }),
  estimated_delivery_date: describeField('Estimated delivery date', date, 'Delivery date'),
  promised_date: nullable('Delivery date promised at creation; null for parcels of older versions', date),
  attempts: Type.Integer({ minimum: 0, maximum: 3, meaning: 'Delivery attempts so far' }),
  max_attempts: Type.Integer({ meaning: 'Maximum delivery attempts' }),
  proof_of_delivery: nullable('Proof of delivery; null until it is handed over', proofOfDelivery),
  cancellation: nullable(
    'Cancellation; null if not cancelled',
    strictObject({
      reason_code: cancelReason,
      note: noteField,
      at: describeField('Time of cancellation', instant, 'Cancelled at'),
      disposition: Type.Enum(['not_collected', 'intercept_and_return', 'lost'] as const, {
        meaning: 'Handling after cancellation',
      }),
    }),
  ),
  created_at: createdAt,
  updated_at: updatedAt,
  collected_at: nullable('Time of collection', instant),
  delivered_at: nullable('Delivery time; null until then', instant),
  return_of: Type.Optional(returnOf),
  return_number: Type.Optional(Type.String({ meaning: 'Tracking number of its newest return' })),
  claims: Type.Optional(Type.Array(claim, { meaning: 'Claims, oldest first' })),
}

export const manifest = {
  manifest_id: nullable('Manifest, and the text of its barcode; null for a preview', Type.String()),
  hub_id: Type.String({ meaning: 'Hub' }),
  hub_code: Type.String({ meaning: 'Hub code', label: 'Hub' }),
  sender_name: withLabel('Sender', nameField),
  created_at: nullable('Time of creation; null for a preview', instant),
  counts: objectField('Parcels by state', {
    total: Type.Integer({ meaning: 'Parcels', label: 'Parcels' }),
    waiting: Type.Integer({ meaning: 'Parcels that await collection', label: 'Waiting' }),
    collected: Type.Integer({ meaning: 'Collected parcels', label: 'Collected' }),
    cancelled: Type.Integer({ meaning: 'Parcels cancelled before collection', label: 'Cancelled' }),
  }),
  parcels: Type.Array(
    strictObject({
      tracking_number: Type.String({ meaning: 'Tracking number' }),
      reference: nullable('Your own reference', Type.String()),
      status: shipmentStatus,
      service_level: serviceLevelCode,
      route_code: Type.String({ meaning: 'Sort code' }),
      recipient_name: withLabel('Recipient', nameField),
      postal_code: Type.String({ meaning: 'Postcode' }),
      country_code: Type.String({ meaning: 'Country code (ISO 3166-1)' }),
      weight_grams: Type.Integer({ meaning: 'Weight in grams' }),
      collected_at: nullable('Time of collection', instant),
    }),
    { meaning: 'Parcels, oldest first' },
  ),
}

export const collectionManifest = component('CollectionManifest', manifest)

export const warnings = Type.Optional(
  Type.Array(Type.String(), { meaning: 'Warnings about the delivery options' }),
)

/** A parcel as a list shows it: everything but its events. */
export const shipmentSummary = component('ShipmentSummary', summary)

export const shipment = component('Shipment', {
  ...summary,
  scan_history: Type.Array(shipmentEvent, { meaning: 'Scans, oldest first' }),
  manifest_id: Type.Optional(Type.String({ meaning: 'Collection manifest that it is on' })),
  warnings,
  ...makeLocalTimeFields(PARCEL_TIMES),
})
