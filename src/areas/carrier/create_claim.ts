import { defineOperation } from '../../core/operation.ts'
import { strictObject, moneyField } from '../../core/schema.ts'
import { clampToLastUpdate } from '../../db/lifecycle.ts'
import { OWN_SHIPMENT } from './access.ts'
import { openClaim } from './lifecycle/claim.ts'
import { SHIPMENT_LIFECYCLE } from './lifecycle/shipment.ts'
import { CLAIM_DAYS } from './rules/claims.ts'
import { normalizeTrackingNumber } from './rules/tracking-number.ts'
import { claim, claimReason, trackingNumber } from './schema.ts'
import { serializeClaim } from './views.ts'

export const createClaim = defineOperation({
  name: 'create_claim',
  area: 'carrier',
  toolset: 'parcel-changes',
  summary: 'Claim for a lost or damaged parcel',
  description: `Within ${CLAIM_DAYS} days of the parcel's creation, up to its insured value, or 50.00 without. Decided after two working days: lost or damaged if the carrier's scans say so, contents_missing if a later scan weighed less. An accepted claim credits the price with VAT and the value on the invoice.`,
  details:
    'A parcel has one open or accepted claim at most; a rejected one says why, and another may follow. A lost parcel that was cancelled can be claimed for, too. get_shipment shows its claims.',
  method: 'POST',
  path: '/v1/shipments/{tracking_number}/claims',
  scope: 'shipments.manage',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'makes',
  status: 201,
  location: '/v1/shipments/{tracking_number}',
  input: strictObject({
    tracking_number: trackingNumber,
    reason_code: claimReason,
    value: moneyField('Value of the contents that are lost or damaged'),
  }),
  output: claim,
  errors: [
    'invalid_tracking_number',
    'shipment_not_found',
    'claim_not_allowed',
    'amount_too_large',
    'currency_mismatch',
  ],
  exampleNeeds: [{ advance: '1d' }],
  example: (done) => ({
    tracking_number: done['create_shipments_batch'].results[1]?.tracking_number ?? '',
    reason_code: 'damaged',
    value: { amount: 3500, currency: 'GBP' },
  }),
  cli: {
    command: 'carrier claim',
    danger: 'write',
    positionals: ['tracking_number'],
    flags: { reason_code: 'reason' },
    columns: ['claim_id', 'tracking_number', 'reason_code', 'value', 'status', 'decision_due_at'],
    done: 'Claimed {value} for parcel {tracking_number}; decision by {decision_due_at}.',
    next: 'dray carrier show {tracking_number}',
    examples: [
      'dray carrier claim ZC968043370GB --reason lost --value 120.00',
      'dray carrier claim A-1001 --reason damaged --value 35.00',
    ],
  },
  touches: ({ tracking_number }) => ({ resource: normalizeTrackingNumber(tracking_number) }),
  async run(context, { tracking_number, reason_code, value }) {
    const { tx, world, now } = context
    const found = await OWN_SHIPMENT.load(context, tracking_number, { lock: true })
    const scene = clampToLastUpdate({ tx, world, at: now }, found)
    const { claim: opened, move } = await openClaim(scene, found, { reason_code, value })
    await SHIPMENT_LIFECYCLE.transition(scene, found, move)
    return serializeClaim(found, opened)
  },
})
