import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, paginated, paginationParams } from '../../core/schema.ts'
import { OWN_SHIPMENT } from './access.ts'
import { listScans } from './queries/scans.ts'
import { normalizeTrackingNumber } from './rules/tracking-number.ts'
import { shipmentEvent, trackingNumber } from './schema.ts'
import { toShipmentEvent } from './views.ts'

export const listShipmentEvents = defineOperation({
  name: 'list_shipment_events',
  area: 'carrier',
  summary: 'List the scans of a parcel, oldest first',
  description: 'Each scan has its place and time; a failed attempt has its reason.',
  method: 'GET',
  path: '/v1/shipments/{tracking_number}/events',
  scope: 'shipments.read',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    tracking_number: trackingNumber,
    ...paginationParams,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'Rows per page' }),
    ),
  }),
  output: paginated(shipmentEvent),
  errors: ['invalid_tracking_number', 'shipment_not_found', 'invalid_cursor'],
  example: (done) => ({ tracking_number: done['create_shipment'].tracking_number }),
  cli: {
    command: 'carrier events',
    danger: 'read',
    positionals: ['tracking_number'],
    columns: ['occurred_at', 'code', 'location.name', 'location.city', 'status', 'reason.code'],
    examples: ['dray carrier events ZC968043370GB', 'dray carrier events A-1001'],
  },
  touches: ({ tracking_number }) => ({ resource: normalizeTrackingNumber(tracking_number) }),
  async run(context, { tracking_number }) {
    const { tx, world, cursor } = context
    const shipment = await OWN_SHIPMENT.load(context, tracking_number)
    const rows = await listScans(tx, shipment, Number(cursor.after?.[0] ?? 0), cursor.limit + 1)
    return cursor.page(
      rows,
      ({ sequence }) => [sequence],
      (event) => toShipmentEvent(world, shipment, event),
    )
  },
})
