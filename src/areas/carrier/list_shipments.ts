import * as Type from 'typebox'
import type { Static } from 'typebox'
import type { OperationContext, ResultPage } from '../../core/context.ts'
import { type JsonText, toPageText } from '../../core/json-text.ts'
import { defineOperation } from '../../core/operation.ts'
import {
  strictObject,
  identifierText,
  paginated,
  paginationParams,
  dateOrDateTime,
} from '../../core/schema.ts'
import { sliceByCreation } from '../../core/slice.ts'
import { toInstant } from '../../core/time.ts'
import { cached } from '../../db/read-cache.ts'
import { requireCarrierAgreement, CARRIER_AGREEMENT } from './access.ts'
import { listAgreementShipments, type ShipmentFilters } from './queries/shipment-list.ts'
import { SERVICE_LEVELS, type ServiceLevelCode } from './rules/rates.ts'
import {
  customerOrNone,
  shipmentReference,
  serviceLevelCode,
  shipmentStatus,
  shipmentSummary,
} from './schema.ts'
import { SHIPMENT_STATUSES, type ShipmentStatus } from './states.ts'
import { type ShipmentSummary, toSummaryText } from './views.ts'

const filters = strictObject({
  status: Type.Optional(
    Type.Array(shipmentStatus, { minItems: 1, maxItems: 10, description: 'Statuses to include' }),
  ),
  service_level: Type.Optional(serviceLevelCode),
  reference: Type.Optional(shipmentReference),
  batch_id: Type.Optional(identifierText(40, 'Batch (one uploaded manifest)')),
  customer: Type.Optional(customerOrNone),
  created_from: Type.Optional(dateOrDateTime('Earliest creation time, included')),
  created_to: Type.Optional(dateOrDateTime('Latest creation time, excluded')),
  delivered_from: Type.Optional(dateOrDateTime('Earliest delivery time, included')),
  delivered_to: Type.Optional(dateOrDateTime('Latest delivery time, excluded')),
  ...paginationParams,
})

export const listShipments = defineOperation({
  name: 'list_shipments',
  area: 'carrier',
  summary: 'List your parcels, newest first',
  description: 'A date begins at midnight in London. A page may be short or empty while has_more is true.',
  details:
    'Time ranges include the start and exclude the end. A filter that matches few of many parcels may need several pages.',
  method: 'GET',
  path: '/v1/shipments',
  scope: 'shipments.read',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: filters,
  output: paginated(shipmentSummary),
  errors: ['invalid_cursor'],
  example: () => ({ status: ['pre_transit'], reference: 'A-1001' }),
  cli: {
    command: 'carrier list',
    danger: 'read',
    flags: { service_level: 'service', batch_id: 'batch' },
    columns: [
      'tracking_number',
      'reference',
      { field: 'customer', dropOrder: 1 },
      'status',
      { field: 'service_level', dropOrder: 2 },
      'recipient.contact.name',
      { field: 'recipient.address.postal_code', dropOrder: 1 },
      'price.total',
      'estimated_delivery_date',
    ],
    examples: [
      'dray carrier list',
      'dray carrier list --status delivery_attempted --status available_for_pickup',
      'dray carrier list --customer "Green Cup" --created-from 2026-11-01',
      'dray carrier list --created-from 2026-11-01 --all --output csv',
    ],
  },
  touches: CARRIER_AGREEMENT.touches,
  async run(context, input) {
    const { tx, account, cursor } = context
    const read = (): Promise<JsonText<ResultPage<ShipmentSummary>>> => readPage(context, input)
    // Later pages are read once; boards and commands ask for the first one again and again.
    if (cursor.after !== undefined) return read()
    return cached(
      tx,
      {
        // The cursor of the next page is the account's own.
        key: JSON.stringify(['parcels', account.account_id, requireCarrierAgreement(context), input]),
        tables: ['shipments'],
        holds: () => true,
        sizeOf: ({ text: pageText }) => pageText.length,
      },
      read,
    )
  },
})

async function readPage(
  context: OperationContext,
  input: Static<typeof filters>,
): Promise<JsonText<ResultPage<ShipmentSummary>>> {
  const { tx, cursor, world } = context
  const { rows, scannedTo } = await listAgreementShipments(
    tx,
    requireCarrierAgreement(context),
    {
      kinds: kindsOf(input),
      reference: input.reference,
      batch_id: input.batch_id,
      customer: input.customer,
      created_from: toInstant(input.created_from, world.timezone),
      created_to: toInstant(input.created_to, world.timezone),
      delivered_from: toInstant(input.delivered_from, world.timezone),
      delivered_to: toInstant(input.delivered_to, world.timezone),
    },
    sliceByCreation(cursor),
  )
  const shown = cursor.page(
    rows,
    (row) => [row.created_at, row.seq],
    toSummaryText,
    scannedTo && [scannedTo.created_at, scannedTo.seq],
  )
  return toPageText(shown)
}

type ShipmentKindFilter = { status?: ShipmentStatus[]; service_level?: ServiceLevelCode }

/** Statuses and levels together: a filter by one of them lists every value of the other. */
function kindsOf({ status, service_level: level }: ShipmentKindFilter): ShipmentFilters['kinds'] {
  if (status === undefined && level === undefined) return undefined
  return {
    statuses: status ?? SHIPMENT_STATUSES,
    levels: level === undefined ? SERVICE_LEVELS.map(({ code }) => code) : [level],
  }
}
