import * as Type from 'typebox'
import { canonicalJson } from '../../core/canonical-json.ts'
import { AppError } from '../../core/errors.ts'
import { formatMoney, type Money } from '../../core/money.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, describeField, moneyFor } from '../../core/schema.ts'
import { localDate } from '../../core/time.ts'
import { requireCarrierAgreement, loadOwnShipment } from './access.ts'
import { assertNoReturn, correctShipmentRecipient } from './lifecycle/change.ts'
import { makePlanner } from './lifecycle/plan.ts'
import type { ShipmentRecord } from './queries/shipments.ts'
import { normalizeTrackingNumber } from './rules/tracking-number.ts'
import { party, RECIPIENT_FLAGS, shipment, SHIPMENT_EXAMPLE, trackingNumber } from './schema.ts'
import { serializeShipment } from './views.ts'

export const correctRecipient = defineOperation({
  name: 'correct_recipient',
  area: 'carrier',
  toolset: 'parcel-changes',
  summary: 'Correct the recipient of a parcel',
  description:
    'Allowed until the parcel is collected. The number stays, and a new label replaces the old one, which is refused when the parcel is collected. A new price has to be sent as expected_total.',
  details: 'The same recipient again changes nothing.',
  method: 'PUT',
  path: '/v1/shipments/{tracking_number}/recipient',
  scope: 'shipments.manage',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  spends: { how: 'difference', seenBy: 'get_shipment', by: 'tracking_number', buys: 'correction' },
  idempotency: 'supported',
  input: strictObject({
    tracking_number: trackingNumber,
    recipient: describeField('Recipient', party),
    expected_total: Type.Optional(moneyFor('New price of the parcel; needed where it changes')),
  }),
  output: shipment,
  errors: [
    'invalid_tracking_number',
    'shipment_not_found',
    'invalid_state',
    'quote_mismatch',
    'hub_not_found',
    'destination_not_covered',
    'service_level_not_available',
    'address_unresolvable',
  ],
  example: (done) => ({
    tracking_number: done['create_shipments_batch'].results[1]?.tracking_number ?? '',
    recipient: {
      ...SHIPMENT_EXAMPLE.recipient,
      address: { ...SHIPMENT_EXAMPLE.recipient.address, line1: '21 Friar Street' },
    },
  }),
  cli: {
    command: 'carrier correct',
    danger: 'spend',
    positionals: ['tracking_number'],
    flags: RECIPIENT_FLAGS,
    columns: ['tracking_number', 'reference', 'recipient', 'price.total', 'estimated_delivery_date'],
    done: 'Corrected parcel {tracking_number}. Its old label is void.',
    next: 'dray carrier label {tracking_number}',
    examples: [
      'dray carrier correct A-1001 --to-name "Grace Okoro" --to-line1 "21 Friar Street" --to-city Reading --to-postal-code "RG1 1DB" --to-country GB',
    ],
  },
  touches: ({ tracking_number }) => ({ resource: normalizeTrackingNumber(tracking_number) }),
  async run(context, { tracking_number, recipient, expected_total }) {
    const { tx, world, now } = context
    const found = await loadOwnShipment(context, tracking_number, { lock: true })
    assertWaiting(found)
    const { doc, service_level, hub_id } = found
    const { plan } = await makePlanner(tx, requireCarrierAgreement(context), now)
    const { sender, parcel, options: chosen, timezone } = doc
    const { not_before_date: asked } = chosen
    // The other options stay as they are, and so does a day that has come.
    const options = asked !== undefined && asked > localDate(now, timezone) ? { not_before_date: asked } : {}
    const planned = plan({ recipient, parcel, service_level, hub_id, sender, options })
    assertPrice(planned.price.total, doc.price.total, expected_total)
    if (canonicalJson(planned.recipient) !== canonicalJson(doc.recipient))
      await correctShipmentRecipient({ tx, world, at: now }, found, planned)
    return serializeShipment(tx, world, found)
  },
})

function assertWaiting(shipment: ShipmentRecord): void {
  const { tracking_number, status } = shipment
  assertNoReturn(shipment)
  if (status === 'pre_transit') return
  throw new AppError(
    'invalid_state',
    `${tracking_number} is ${status}: a recipient is corrected until the parcel is collected.`,
    {
      extra: { current_status: status },
      hint: `Deliver it elsewhere: \`dray carrier redirect ${tracking_number}\`.`,
    },
  )
}

function assertPrice(total: Money, before: Money, expected: Money | undefined): void {
  const { amount, currency } = expected ?? before
  if (amount === total.amount && currency === total.currency) return
  throw new AppError(
    'quote_mismatch',
    `The price of the parcel becomes ${formatMoney(total)}; it was ${formatMoney(before)}.`,
    { extra: { total }, hint: 'To agree, send the new price as expected_total.' },
  )
}
