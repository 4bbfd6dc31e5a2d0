import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, dateOrDateTime } from '../../core/schema.ts'
import { toInstant } from '../../core/time.ts'
import { requireCarrierAgreement } from './access.ts'
import { MAX_COUNTED_SHIPMENTS, countAgreementShipmentsByStatus } from './queries/shipment-counts.ts'
import { customerOrNone, shipmentStatus } from './schema.ts'

export const countShipments = defineOperation({
  name: 'count_shipments',
  area: 'carrier',
  toolset: null,
  summary: 'Count your parcels by status',
  description: `Counts the parcels in each status, up to ${MAX_COUNTED_SHIPMENTS}; more is true if there are more. A time range is that of creation, including its start and excluding its end. A date begins at midnight in London.`,
  method: 'GET',
  path: '/v1/shipment-counts',
  scope: 'shipments.read',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    created_from: Type.Optional(dateOrDateTime('Earliest creation time, included')),
    created_to: Type.Optional(dateOrDateTime('Latest creation time, excluded')),
    customer: Type.Optional(customerOrNone),
  }),
  output: strictObject({
    data: Type.Array(
      strictObject({
        status: shipmentStatus,
        count: Type.Integer({ meaning: `Parcels in this status; ${MAX_COUNTED_SHIPMENTS} at most` }),
        more: Type.Boolean({ meaning: 'True if there are more than the count' }),
      }),
      { meaning: 'Statuses in the order of a parcel’s journey' },
    ),
  }),
  errors: [],
  example: () => ({ created_from: '2026-11-01' }),
  cli: { command: 'carrier list', danger: 'read', columns: ['status', 'count', 'more'] },
  async run(context, { created_from, created_to, customer }) {
    const { tx, world } = context
    const counts = await countAgreementShipmentsByStatus(tx, requireCarrierAgreement(context), {
      created_from: toInstant(created_from, world.timezone),
      created_to: toInstant(created_to, world.timezone),
      customer,
    })
    return {
      data: counts.map(({ status, count }) => ({
        status,
        count: Math.min(count, MAX_COUNTED_SHIPMENTS),
        more: count > MAX_COUNTED_SHIPMENTS,
      })),
    }
  },
})
