import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, instant, describeField, component, nullable } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { clampToLastUpdate } from '../../db/lifecycle.ts'
import { lockClock } from '../../db/world.ts'
import { requireCarrierAgreement, OWN_SHIPMENT } from './access.ts'
import { makePlanner } from './lifecycle/plan.ts'
import { assertReturnable, openReturn, planReturn } from './lifecycle/return.ts'
import { readReturnScenario, RETURN_SCENARIOS } from './lifecycle/scenario.ts'
import { RETURN_DAYS, RETURN_LABELS } from './rules/returns.ts'
import { normalizeTrackingNumber } from './rules/tracking-number.ts'
import {
  BOX_EXAMPLE,
  parcelPrice,
  returnedParcel,
  returnOf,
  serviceLevelCode,
  trackingNumber,
} from './schema.ts'

const label = Type.Enum(RETURN_LABELS, {
  default: 'box',
  description: 'Place of the return label: in the box, or a link for the recipient of a delivered parcel',
})

const parcelReturn = component('ParcelReturn', {
  tracking_number: nullable('Tracking number of the return; null with price_only', Type.String()),
  price_only: Type.Optional(
    Type.Literal(true, { meaning: 'True if the return was only priced and not created' }),
  ),
  return_of: returnOf,
  service_level: serviceLevelCode,
  price: describeField('Price', parcelPrice),
  lapses_at: describeField('Time at which it is cancelled if it is not sent', instant, 'Send by'),
})

export const createReturn = defineOperation({
  name: 'create_return',
  area: 'carrier',
  toolset: 'parcel-changes',
  summary: 'Create the return of a parcel',
  description: `A parcel from the recipient back to the sender with a number and a label of its own. Costs the same as the outbound parcel without insurance; billed at the first scan, and cancelled if not sent within ${RETURN_DAYS} days.`,
  details:
    'A parcel has one return at most that is not cancelled, and a return has none. Cancelling a parcel cancels its return unless it was sent. With price_only nothing is created.',
  method: 'POST',
  path: '/v1/shipments/{tracking_number}/return',
  scope: 'shipments.create',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  spends: { how: 'invoice', pricedBy: 'create_return', buys: 'return' },
  idempotency: 'supported',
  repetition: 'makes',
  input: strictObject({
    tracking_number: trackingNumber,
    parcel: Type.Optional(returnedParcel),
    label: Type.Optional(label),
    price_only: Type.Optional(
      Type.Boolean({ description: 'True to check and price the return without creating it' }),
    ),
  }),
  output: parcelReturn,
  errors: [
    'invalid_tracking_number',
    'shipment_not_found',
    'invalid_state',
    'parcel_limits_exceeded',
    'amount_too_large',
    'currency_mismatch',
  ],
  scenarios: RETURN_SCENARIOS,
  example: (done) => ({
    tracking_number: done['create_shipments_batch'].results[1]?.tracking_number ?? '',
    parcel: { ...BOX_EXAMPLE, weight_grams: 900 },
    label: 'box',
  }),
  cli: {
    command: 'carrier return',
    danger: 'spend',
    positionals: ['tracking_number'],
    flags: {
      'parcel.weight_grams': 'weight',
      'parcel.length_mm': 'length',
      'parcel.width_mm': 'width',
      'parcel.height_mm': 'height',
      'parcel.description': 'description',
      'parcel.declared_value': 'declared-value',
    },
    columns: [
      'tracking_number',
      { field: 'return_of.tracking_number', label: 'Return of' },
      'service_level',
      'price.total',
      'lapses_at',
    ],
    done: 'Created return {tracking_number} of parcel {return_of.tracking_number}; to be sent by {lapses_at}.',
    next: 'dray carrier label {tracking_number}',
    examples: ['dray carrier return ZC968043370GB', 'dray carrier return A-1001 --label link'],
  },
  touches: ({ tracking_number }) => ({ resource: normalizeTrackingNumber(tracking_number) }),
  async run(context, { tracking_number, label: asked = 'box', price_only = false, parcel: contents }) {
    const { tx, world, now } = context
    const sentAfter = readReturnScenario(context.scenario)
    const found = await OWN_SHIPMENT.load(context, tracking_number, { lock: true })
    await assertReturnable(context, found, asked)
    const planner = await makePlanner(tx, requireCarrierAgreement(context), now)
    const moment = price_only ? now : await lockClock(tx, now)
    const scene = clampToLastUpdate({ tx, world, at: moment }, found)
    const draft = planReturn(planner, found, { parcel: contents, label: asked, sentAfter }, scene.at)
    const created = price_only ? undefined : await openReturn(scene, found, draft)
    return {
      tracking_number: created?.tracking_number ?? null,
      ...(price_only && { price_only }),
      return_of: { tracking_number: found.tracking_number, reference: found.reference, label: asked },
      service_level: found.service_level,
      price: draft.plan.price,
      lapses_at: toTimestamp(draft.lapses_at),
    }
  },
})
