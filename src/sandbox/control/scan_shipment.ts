import * as Type from 'typebox'
import { applyManualScan } from '../../areas/carrier/lifecycle/shipment.ts'
import { findHubByIdOrCode, type Hub } from '../../areas/carrier/queries/hubs.ts'
import { lockShipment } from '../../areas/carrier/queries/shipments.ts'
import { weightGrams } from '../../areas/carrier/schema.ts'
import { SCANNABLE_EVENT_CODES, SHIPMENT_EVENT_CODES, SHIPMENT_STATUSES } from '../../areas/carrier/states.ts'
import { FAILURE_REASONS } from '../../areas/proofs/rules/failures.ts'
import type { Tx } from '../../core/db.ts'
import { AppError } from '../../core/errors.ts'
import { strictObject, instant, describeField, nullable, nonBlankText } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { runDueEvents } from '../due-events.ts'
import { defineControl } from './control.ts'
import { findAgreementHolderHandle } from './holders.ts'
import { noParcel, readNamedParcel } from './named-parcel.ts'

export const scanShipment = defineControl({
  name: 'scan_shipment',
  method: 'POST',
  path: '/sandbox/shipments/{tracking_number}/scan',
  summary: 'Scan a parcel by hand, as a hub or a courier would',
  description:
    'A scan that does not fit the parcel’s status is rejected (exit 7). Attempts, delays, damage and returns need a --reason.',
  input: strictObject({
    tracking_number: Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'the parcel, by its number, the barcode of its label or its reference',
    }),
    code: Type.Enum(SCANNABLE_EVENT_CODES, { description: 'type of scan' }),
    hub_id: Type.Optional(nonBlankText(40, { description: 'hub of the scan, by code or ID' })),
    reason: Type.Optional(Type.Enum(FAILURE_REASONS, { description: 'reason, where something went wrong' })),
    weight_grams: Type.Optional(weightGrams('weight by the scale, in grams')),
    detail: Type.Optional(nonBlankText(200, { description: 'reason, in words' })),
  }),
  output: strictObject({
    tracking_number: Type.String({ meaning: 'Tracking number' }),
    sequence: Type.Integer({ meaning: 'Position of the scan in the history of the parcel' }),
    code: Type.Enum(SHIPMENT_EVENT_CODES, { meaning: 'Type of the scan', label: 'Scan' }),
    status: Type.Enum(SHIPMENT_STATUSES, { meaning: 'Status of the parcel after the scan' }),
    occurred_at: describeField('Time of the scan', instant),
    location: Type.String({ meaning: 'Name of the place of the scan' }),
    account: nullable('Account that sent it', Type.String()),
  }),
  errors: ['shipment_not_found', 'hub_not_found', 'invalid_state'],
  example: (done) => ({ tracking_number: done['create_shipment'].tracking_number, code: 'collected' }),
  cli: {
    command: 'sandbox scan',
    danger: 'write',
    positionals: ['tracking_number', 'code'],
    flags: { hub_id: 'hub', weight_grams: 'weight' },
    columns: ['tracking_number', 'code', 'status', 'location', 'occurred_at'],
    done: '{tracking_number} is {status}.',
    next: 'dray carrier show {tracking_number} --as {account}',
    examples: [
      'dray sandbox scan ZC968043370GB collected',
      'dray sandbox scan ORDER-1001 collected',
      'dray sandbox scan ZC968043370GB delivery_attempted --reason recipient_unavailable',
    ],
  },
  run: ({ write }, { tracking_number, code, hub_id, reason, weight_grams, detail }) =>
    write(async (tx, { world }, now) => {
      const { number, label } = await readNamedParcel(tx, tracking_number)
      const hub = hub_id === undefined ? undefined : await loadHub(tx, hub_id)
      await runDueEvents({ tx, world, at: now }, { resource: number })
      const shipment = await lockShipment(tx, number)
      if (shipment === undefined) throw noParcel(number)
      const event = await applyManualScan({ tx, world, at: now }, shipment, {
        code,
        by: 'sandbox',
        reason,
        detail,
        hub,
        label,
        weight_grams,
      })
      return {
        tracking_number: number,
        sequence: event.sequence,
        code: event.code,
        status: event.status,
        occurred_at: toTimestamp(event.occurred_at),
        location: event.location.name,
        account: await findAgreementHolderHandle(tx, shipment.agreement_id),
      }
    }),
})

async function loadHub(tx: Tx, idOrCode: string): Promise<Hub> {
  const hub = await findHubByIdOrCode(tx, idOrCode.includes('_') ? idOrCode : idOrCode.toUpperCase())
  if (hub === undefined)
    throw new AppError('hub_not_found', `No hub ${idOrCode.slice(0, 40)}.`, {
      hint: '`dray carrier hubs` lists the hubs.',
    })
  return hub
}
