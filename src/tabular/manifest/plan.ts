import type { OperationInput } from '../../client/operations.ts'
import { type Money, formatGroupedMoney } from '../../core/money.ts'
import { toBatches } from '../import/batches.ts'
import { batchOutcome, localOutcome } from '../import/outcomes.ts'
import { formatRejectedRows, sumAmounts } from '../import/report.ts'
import type { ValidRow, UploadPlan, RowFile } from '../import/row-file.ts'
import { pluralizeList } from '../wording.ts'
import {
  type ParcelBatchResult,
  cancelledLines,
  type ManifestRow,
  type ParcelOutcome,
  type ParcelsReport,
  describeParcelCount,
  repeatLines,
  warningLines,
  summarizeParcels,
  PARCEL_MESSAGES,
} from './outcomes.ts'

type ValidParcel = ValidRow<ManifestRow>

type Manifest = OperationInput<'create_shipments_batch'>

/** The way in which rows are sent: the maker of their body, and the level of those that name none. */
type PlanOptions = {
  toBody: (rows: readonly ValidParcel[]) => Manifest
  level: string
  /** The command that makes cancelled parcels again; undefined where no command is typed. */
  again?: string
}

/** A result, and the rows among which it was found. */
type BatchAnswer = { result: ParcelBatchResult; batch: readonly ValidParcel[] }

/** Returns the expected result and price of each row of a batch. */
export type PriceBatch = (
  body: Manifest & { price_only: true },
  /** The number of rows of all batches that are priced. */
  total: number,
) => Promise<readonly ParcelBatchResult[]>

/** Returns the plan of an upload, with the service's prices and existing parcels. Creates nothing. */
export async function planUpload(
  price: PriceBatch,
  file: RowFile<ManifestRow, ParcelOutcome>,
  good: readonly ValidParcel[],
  { toBody, level, again }: PlanOptions,
): Promise<UploadPlan<ParcelOutcome, ParcelsReport> & { levels: LevelSum[] }> {
  const { repeated, first } = findRepeats(good)
  const results = new Map<ValidParcel, BatchAnswer>(
    repeated.map(([row, result]) => [row, { result, batch: good }]),
  )
  for (const { rows, body } of toBatches(first, toBody)) {
    for (const [index, result] of (await price({ ...body, price_only: true }, first.length)).entries()) {
      const row = rows[index]
      if (row !== undefined) results.set(row, { result, batch: rows })
    }
  }
  const outcomes = file.rows.map((row) => {
    const told = results.get(row as ValidParcel)
    return told === undefined
      ? localOutcome(PARCEL_MESSAGES, row)
      : batchOutcome(PARCEL_MESSAGES, file, told.result, { row, batch: told.batch })
  })
  const summary = summarizeParcels(outcomes, [])
  const total = summary.total ?? { amount: 0, currency: 'GBP' }
  const created = good.filter((row) => results.get(row)?.result.result === 'created')
  const levels = sumLevels(created, results, level, total)
  const parts = [
    levelLines(levels, total),
    duplicateLines(outcomes, again),
    formatRejectedRows('will not be sent', outcomes),
  ]
  return {
    outcomes,
    summary,
    created: created.map((row) => tableRow(row, results, level)),
    text: parts.filter((part) => part !== '').join('\n\n'),
    question: `Create ${describeParcelCount(created.length)} for ${formatGroupedMoney(total)}?`,
    total,
    levels,
  }
}

/** Rows that are the same parcel as an earlier one: a row of its reference with other content was rejected before. */
function findRepeats(good: readonly ValidParcel[]): {
  repeated: [ValidParcel, ParcelBatchResult][]
  first: ValidParcel[]
} {
  const seen = new Map<string, number>()
  const repeated: [ValidParcel, ParcelBatchResult][] = []
  const first: ValidParcel[] = []
  for (const [index, row] of good.entries()) {
    const before = seen.get(row.draft.reference)
    if (before === undefined) {
      seen.set(row.draft.reference, index + 1)
      first.push(row)
    } else {
      const reason = { code: 'duplicate_in_manifest', duplicate_of_row: before }
      repeated.push([row, { row: index + 1, result: 'duplicate', reason }])
    }
  }
  return { repeated, first }
}

function tableRow(
  row: ValidParcel,
  results: ReadonlyMap<ValidParcel, BatchAnswer>,
  level: string,
): Record<string, unknown> {
  return {
    row: row.row,
    reference: row.draft.reference,
    to: row.draft.recipient.contact.name,
    street: streetOf(row.draft.recipient.address),
    postcode: row.draft.recipient.address.postal_code,
    service: row.draft.service_level ?? level,
    weight_grams: row.draft.parcel.weight_grams,
    price: results.get(row)?.result.total,
  }
}

/** Both lines of an address: who agrees to a plan sees where each parcel goes. */
export function streetOf({ line1, line2 }: { line1: string; line2?: string | undefined }): string {
  return line2 === undefined ? line1 : `${line1}, ${line2}`
}

/** The number of parcels of a service level, and their price. */
export type LevelSum = { level: string; parcels: number; total: Money }

function sumLevels(
  created: readonly ValidParcel[],
  results: ReadonlyMap<ValidParcel, BatchAnswer>,
  defaultLevel: string,
  none: Money,
): LevelSum[] {
  const levels = Map.groupBy(created, ({ draft }) => draft.service_level ?? defaultLevel)
  return [...levels].map(([level, parcels]) => {
    const amounts = parcels.flatMap((row) => results.get(row)?.result.total ?? [])
    return { level, parcels: parcels.length, total: sumAmounts(amounts) ?? none }
  })
}

function levelLines(levels: readonly LevelSum[], total: Money): string {
  const rows = levels.map(({ level, parcels, total: sum }) => [
    level,
    String(parcels),
    formatGroupedMoney(sum),
  ])
  const count = levels.reduce((sum, each) => sum + each.parcels, 0)
  if (rows.length > 1) rows.push(['total', String(count), formatGroupedMoney(total)])
  const widths = [0, 1, 2].map((at) => Math.max(0, ...rows.map((row) => (row[at] ?? '').length)))
  const lines = rows.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))),
  )
  return lines.map((cells) => cells.join('   ')).join('\n')
}

function duplicateLines(outcomes: readonly ParcelOutcome[], again: string | undefined): string {
  const there = outcomes.flatMap(({ reason, row }) => (reason?.code === 'already_exists' ? [row] : []))
  return [
    ...pluralizeList(there, '{1 parcel exists|# parcels exist} already and will not be created again.'),
    ...cancelledLines(outcomes, again),
    ...repeatLines(outcomes),
    ...warningLines(outcomes),
  ].join('\n')
}
