import { AppError } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { requireCarrierAgreement } from './access.ts'
import { hashShipmentRequest, createShipments, lockReferences } from './lifecycle/creation.ts'
import { makePlanner } from './lifecycle/plan.ts'
import { readShipmentScenario, SHIPMENT_SCENARIOS } from './lifecycle/scenario.ts'
import { firstScan } from './queries/scans.ts'
import { RECIPIENT_FLAGS, shipment, SHIPMENT_EXAMPLE, shipmentRequest } from './schema.ts'
import { serializeShipmentWithEvents } from './views.ts'

export const createShipment = defineOperation({
  name: 'create_shipment',
  area: 'carrier',
  summary: 'Create one parcel',
  description:
    'Returns the tracking number and the label. Costs the price of quote_rates, billed to your agreement. Each reference must be unique among parcels that are not cancelled.',
  method: 'POST',
  path: '/v1/shipments',
  scope: 'shipments.create',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  spends: { how: 'invoice', pricedBy: 'create_shipments_batch', buys: 'parcel' },
  idempotency: 'supported',
  repetition: 'makes',
  status: 201,
  location: '/v1/shipments/{tracking_number}',
  input: strictObject(shipmentRequest),
  output: shipment,
  errors: [
    'hub_not_found',
    'duplicate_reference',
    'destination_not_covered',
    'service_level_not_available',
    'parcel_limits_exceeded',
    'amount_too_large',
    'options_conflict',
    'address_unresolvable',
    'currency_mismatch',
  ],
  scenarios: SHIPMENT_SCENARIOS,
  example: () => ({ ...SHIPMENT_EXAMPLE, reference: 'A-1001' }),
  cli: {
    command: 'carrier create',
    danger: 'spend',
    flags: {
      ...RECIPIENT_FLAGS,
      'sender.contact.name': 'from-name',
      'sender.contact.phone': 'from-phone',
      'sender.contact.email': 'from-email',
      'sender.company': 'from-company',
      'sender.address.line1': 'from-line1',
      'sender.address.line2': 'from-line2',
      'sender.address.city': 'from-city',
      'sender.address.region': 'from-region',
      'sender.address.postal_code': 'from-postal-code',
      'sender.address.country_code': 'from-country',
      'sender.address.location.latitude': 'from-latitude',
      'sender.address.location.longitude': 'from-longitude',
      'sender.address.access_notes': 'from-notes',
      'parcel.weight_grams': 'weight',
      'parcel.length_mm': 'length',
      'parcel.width_mm': 'width',
      'parcel.height_mm': 'height',
      'parcel.description': 'description',
      'parcel.declared_value': 'declared-value',
      'parcel.contents_type': 'contents',
      'options.signature_required': 'signature',
      'options.leave_safe_place': 'safe-place',
      'options.cash_on_delivery': 'cash-on-delivery',
      'options.not_before_date': 'not-before',
      service_level: 'service',
      hub_id: 'hub',
    },
    columns: [
      'tracking_number',
      'reference',
      'status',
      'service_level',
      'price.total',
      'estimated_delivery_date',
    ],
    done: 'Created parcel {tracking_number}; delivery date {estimated_delivery_date}.',
    next: 'dray carrier label {tracking_number}',
    examples: [
      'dray carrier create --to-name "Grace Okoro" --to-line1 "12 Friar Street" --to-city Reading --to-postal-code "RG1 1DB" --to-country GB --weight 1.4kg --length 30cm --width 20cm --height 10cm --service next_day --reference A-1001',
    ],
  },
  async run(context, input) {
    const { tx, world, now } = context
    const agreementId = requireCarrierAgreement(context)
    const scenario = readShipmentScenario(context.scenario)
    const { plan } = await makePlanner(tx, agreementId, now)
    const draft = {
      reference: input.reference ?? null,
      customer: input.customer ?? null,
      content_hash: hashShipmentRequest(input),
      plan: plan(input),
      scenario,
    }
    const references = input.reference === undefined ? [] : [input.reference]
    const { at, existing } = await lockReferences(tx, now, agreementId, references)
    for (const { reference, tracking_number } of [...existing.values()].flat()) {
      throw new AppError(
        'duplicate_reference',
        `Reference ${reference} is already used by parcel ${tracking_number}.`,
        {
          extra: { existing_tracking_number: tracking_number },
          hint: 'Use another reference, or cancel that parcel first.',
        },
      )
    }
    const [created] = await createShipments(tx, world, at, { agreementId, batchId: null, drafts: [draft] })
    if (created === undefined) throw new Error('no shipment was created')
    return serializeShipmentWithEvents(world, created, [firstScan(created)])
  },
})
