import * as Type from 'typebox'
import type { OperationContext } from '../../core/context.ts'
import { MAX_REQUEST_ROWS } from '../../core/cut-rows.ts'
import { AppError, type ProblemFieldError } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, identifierText, objectField, nullable } from '../../core/schema.ts'
import { RESULTS_PARAM } from '../../core/views.ts'
import { requireCarrierAgreement } from './access.ts'
import {
  hashShipmentRequest,
  createShipments,
  type PlannedShipment,
  lockReferences,
  newBatchId,
} from './lifecycle/creation.ts'
import { makePlanner, type Planner, type ShipmentRequest } from './lifecycle/plan.ts'
import { readShipmentScenario, SHIPMENT_SCENARIOS } from './lifecycle/scenario.ts'
import {
  findCancelledShipmentsByReference,
  findLiveShipmentsByReference,
  type LiveReference,
  type ReferencedShipment,
} from './queries/shipments.ts'
import {
  hintOf,
  invalid,
  toReasonDetails,
  NO_REFERENCE,
  toRejectedRow,
  rowResult,
  type ManifestRowResult,
  toReason,
} from './row-results.ts'
import { findOptionWarnings } from './rules/options.ts'
import { customer, serviceLevelCode, SHIPMENT_EXAMPLE } from './schema.ts'

const FIVE_MEBIBYTES = 5 * 1_048_576

export const createShipmentsBatch = defineOperation({
  name: 'create_shipments_batch',
  area: 'carrier',
  summary: 'Create parcels from a manifest of up to 500 rows',
  description:
    'Returns one result per row, in order: created, duplicate (a parcel with the same reference and content exists) or rejected with the reason. Each row is a body of create_shipment with a reference. Sending the same manifest again creates only parcels that were cancelled since.',
  details:
    'A rejected row does not affect the others. With on_cancelled skip, cancelled parcels are not created again. With price_only nothing is created: the results are a forecast with prices.',
  method: 'POST',
  path: '/v1/shipments/batch',
  scope: 'shipments.create',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  spends: { how: 'invoice', pricedBy: 'create_shipments_batch', buys: 'manifest' },
  idempotency: 'supported',
  repetition: 'makes',
  bodyLimit: FIVE_MEBIBYTES,
  input: strictObject({
    // Rows are open here and checked one by one: a bad one is a result, not an error of all
    // (docs/rules/parcels.md#a-bad-row-does-not-stop-the-others).
    shipments: Type.Array(
      Type.Object(
        {},
        {
          additionalProperties: true,
          'x-body-of': 'create_shipment',
          // `default_service_level` may stand for it; a row without either is rejected.
          'x-optional': ['service_level'],
        },
      ),
      { minItems: 1, description: 'Parcels to create' },
    ),
    manifest_reference: Type.Optional(identifierText(64, 'Your reference for the manifest')),
    default_service_level: Type.Optional(serviceLevelCode),
    default_hub_id: Type.Optional(identifierText(40, 'Default hub, by code or ID')),
    customer: Type.Optional({ ...customer, description: 'Your customer for parcels that name none' }),
    on_cancelled: Type.Optional(
      Type.Enum(['create', 'skip'] as const, {
        default: 'create',
        description:
          'Handling of rows that match a cancelled parcel (same reference and content): create creates the parcel again, skip leaves it out',
      }),
    ),
    results: Type.Optional(RESULTS_PARAM),
    price_only: Type.Optional(
      Type.Boolean({ description: 'True to check and price every row without creating parcels' }),
    ),
  }),
  output: strictObject({
    batch_id: nullable(
      'Batch of the parcel; null if created alone',
      Type.String({ description: 'ID of the batch; null with price_only' }),
    ),
    price_only: Type.Optional(
      Type.Literal(true, {
        description: 'True if the rows were only priced and no parcel was created',
      }),
    ),
    manifest_reference: nullable('Your reference for the manifest', Type.String()),
    counts: objectField('Row counts by result', {
      total: Type.Integer({ meaning: 'Total rows' }),
      created: Type.Integer({ meaning: 'Rows created' }),
      duplicate: Type.Integer({ meaning: 'Rows skipped because they already exist' }),
      rejected: Type.Integer({ meaning: 'Rows rejected' }),
    }),
    results: Type.Array(rowResult, { meaning: 'Row results in the order sent' }),
  }),
  errors: ['manifest_too_large'],
  scenarios: SHIPMENT_SCENARIOS,
  brief: {
    long: { results: 'problems' },
    rest: 'list_shipments with batch_id lists the parcels, and the same call again the results of fewer rows',
  },
  example: () => ({
    manifest_reference: 'M-118',
    shipments: [
      { ...SHIPMENT_EXAMPLE, reference: 'A-1001' },
      { ...SHIPMENT_EXAMPLE, reference: 'A-1002' },
    ],
  }),
  cli: { command: 'carrier upload', danger: 'bulk', columns: [{ field: 'batch_id' }, { field: 'counts' }] },
  async run(context, input) {
    const { tx, world, now } = context
    const { shipments, manifest_reference = null, on_cancelled = 'create', price_only = false } = input
    if (shipments.length > MAX_REQUEST_ROWS) {
      throw new AppError(
        'manifest_too_large',
        `The manifest has ${shipments.length} rows; the limit is ${MAX_REQUEST_ROWS}.`,
        { extra: { limit: MAX_REQUEST_ROWS } },
      )
    }
    const scenario = readShipmentScenario(context.scenario)
    const agreementId = requireCarrierAgreement(context)
    const planner = await makePlanner(tx, agreementId, now)
    const rows = await readRows(context, input)
    const references = [...new Set(rows.flatMap((row) => ('request' in row ? [row.reference] : [])))]
    const findSkipped = async (): Promise<KnownReferences['cancelled']> =>
      on_cancelled === 'skip' ? findCancelledShipmentsByReference(tx, agreementId, references) : new Map()
    if (price_only) {
      const live = await findLiveShipmentsByReference(tx, agreementId, references)
      const { results } = decideParcelRows(rows, { live, cancelled: await findSkipped() }, planner, scenario)
      return { batch_id: null, price_only, manifest_reference, counts: countsOf(results), results }
    }
    const { at, existing } = await lockReferences(tx, now, agreementId, references)
    const batchId = await newBatchId(tx, world, at)
    const known = { live: existing, cancelled: await findSkipped() }
    const { drafts, results } = decideParcelRows(rows, known, planner, scenario)
    const created = await createShipments(tx, world, at, { agreementId, batchId, drafts })
    const numbers = new Map(created.map((shipment) => [shipment.reference, shipment.tracking_number]))
    return {
      batch_id: batchId,
      manifest_reference,
      counts: countsOf(results),
      results: results.map((result) => withNumber(result, numbers)),
    }
  },
})

type Manifest = {
  shipments: object[]
  default_service_level?: string | undefined
  default_hub_id?: string | undefined
  customer?: string | undefined
}

/** The rows with what the manifest says for all, each held against the schema of one parcel. */
async function readRows(
  context: Pick<OperationContext, 'readRow'>,
  { shipments, default_service_level, default_hub_id, customer }: Manifest,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const [index, given] of shipments.entries()) {
    const value = {
      ...(default_service_level !== undefined && { service_level: default_service_level }),
      ...(default_hub_id !== undefined && { hub_id: default_hub_id }),
      ...(customer !== undefined && { customer }),
      ...given,
    }
    const { input, errors } = await context.readRow('create_shipment', value)
    rows.push(toRow(index + 1, input, errors))
  }
  return rows
}

function countsOf(results: readonly ManifestRowResult[]) {
  const count = (kind: ManifestRowResult['result']) => results.filter(({ result }) => result === kind).length
  return {
    total: results.length,
    created: count('created'),
    duplicate: count('duplicate'),
    rejected: count('rejected'),
  }
}

/** The result with the number of the parcel that it is about, if there is one. */
function withNumber(
  { row, reference, result, ...rest }: ManifestRowResult,
  numbers: ReadonlyMap<string | null, string>,
): ManifestRowResult {
  const number = rest.tracking_number ?? (result === 'rejected' ? undefined : numbers.get(reference))
  return { row, reference, result, ...(number !== undefined && { tracking_number: number }), ...rest }
}

/** A row that fits the schema, or the result of one that does not. */
type Row =
  | { row: number; reference: string; hash: string; request: ShipmentRequest }
  | { row: number; result: ManifestRowResult }

function toRow(row: number, value: Record<string, unknown>, unfit: ProblemFieldError[]): Row {
  const { reference } = value
  const errors = reference === undefined ? [...unfit, NO_REFERENCE] : unfit
  if (errors.length > 0) return { row, result: invalid(row, reference, errors) }
  // The checker has just held the row against the schema of `create_shipment`.
  const request = value as unknown as ShipmentRequest
  return { row, reference: String(reference), hash: hashShipmentRequest(request), request }
}

type ShipmentRequestRow = Extract<Row, { request: object }>

/**
 * The first row of a reference, which decides what that stands for in the rest. One that is rejected keeps its reference: the
 * parcel of another row under it would be another person's.
 */
type Earlier = { row: number; result: 'accepted' | 'refused'; hash?: string }

/** The parcels that have the references of the manifest; the cancelled ones that had them, where those are omitted. */
type KnownReferences = {
  live: ReadonlyMap<string, readonly LiveReference[]>
  cancelled: ReadonlyMap<string, readonly ReferencedShipment[]>
}

/** Returns whether a parcel has the content of a row. The content of an older parcel has the reference as it was stored. */
function isSame(
  { reference, hash, request }: ShipmentRequestRow,
  { stored, content_hash }: ReferencedShipment,
): boolean {
  return (
    content_hash === (stored === reference ? hash : hashShipmentRequest({ ...request, reference: stored }))
  )
}

/** Decides every row in order; tracking numbers of those that are created come later. */
function decideParcelRows(
  rows: readonly Row[],
  { live, cancelled }: KnownReferences,
  planner: Planner,
  scenario: PlannedShipment['scenario'],
) {
  const drafts: PlannedShipment[] = []
  const results: ManifestRowResult[] = []
  const earlier = new Map<string, Earlier>()
  for (const row of rows) {
    if ('result' in row) {
      const { reference } = row.result
      if (reference !== null && !earlier.has(reference))
        earlier.set(reference, { row: row.row, result: 'refused' })
      results.push(row.result)
      continue
    }
    const { reference, hash } = row
    const known = repeat(row, live.get(reference), earlier.get(reference))
    if (known !== undefined) {
      results.push(known)
      continue
    }
    const before = cancelled.get(reference) ?? []
    const same = before.find((parcel) => isSame(row, parcel))
    if (same !== undefined) {
      earlier.set(reference, { row: row.row, result: 'accepted', hash })
      results.push(toCancelledRow(row, same))
      continue
    }
    const plan = attempt(() => planner.plan(row.request))
    if (plan instanceof AppError) {
      const { message: detail, errors } = plan
      earlier.set(reference, { row: row.row, result: 'refused', hash })
      results.push(
        toRejectedRow(
          { row: row.row, reference },
          { code: toReason(plan), detail, errors, ...hintOf(plan), ...toReasonDetails(plan) },
        ),
      )
      continue
    }
    earlier.set(reference, { row: row.row, result: 'accepted', hash })
    const { customer = null } = row.request
    drafts.push({ reference, customer, content_hash: hash, plan, scenario })
    results.push({
      row: row.row,
      reference,
      result: 'created',
      total: plan.price.total,
      ...findOptionWarnings(plan.options),
      ...(before[0] !== undefined && { cancelled_tracking_number: before[0].tracking_number }),
    })
  }
  return { drafts, results }
}

/** Returns the result of a row with a reference that a parcel or an earlier row has; undefined when the reference is new. */
function repeat(
  fitting: ShipmentRequestRow,
  existing: readonly LiveReference[] | undefined,
  earlier: Earlier | undefined,
): ManifestRowResult | undefined {
  const { row, reference, hash } = fitting
  const same = existing?.find((parcel) => isSame(fitting, parcel))
  const taken = same ?? existing?.[0]
  if (taken !== undefined) {
    const { tracking_number, doc } = taken
    if (taken === same) {
      const detail = `The parcel already exists: ${tracking_number}.`
      return {
        row,
        reference,
        result: 'duplicate',
        tracking_number,
        total: doc.price.total,
        reason: { code: 'already_exists', detail },
      }
    }
    const detail = `The reference is already used by parcel ${tracking_number} with different content. Each parcel needs its own reference.`
    const place = { existing_tracking_number: tracking_number }
    return toRejectedRow({ row, reference }, { code: 'reference_conflict', detail, ...place })
  }
  // The same row as a rejected one is rejected for the same reason.
  if (earlier === undefined || (earlier.result === 'refused' && earlier.hash === hash)) return undefined
  const place = { duplicate_of_row: earlier.row }
  if (earlier.hash === hash) {
    const reason = {
      code: 'duplicate_in_manifest' as const,
      detail: `Duplicate of row ${earlier.row}.`,
      ...place,
    }
    return { row, reference, result: 'duplicate', reason }
  }
  const detail = `Row ${earlier.row} has the same reference and different content. Each parcel needs its own reference.`
  return toRejectedRow({ row, reference }, { code: 'reference_conflict', detail, ...place })
}

/** Returns the result of a row after its parcel was created and cancelled. */
function toCancelledRow(
  { row, reference }: ShipmentRequestRow,
  { tracking_number }: ReferencedShipment,
): ManifestRowResult {
  const detail = `The same parcel was created and cancelled before: ${tracking_number}.`
  return {
    row,
    reference,
    result: 'duplicate',
    cancelled_tracking_number: tracking_number,
    reason: { code: 'cancelled_before', detail },
  }
}

function attempt<T>(work: () => T): T | AppError {
  try {
    return work()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
