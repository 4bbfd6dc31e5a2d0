/** Parcels that their service does not reach, and that go by another one. */
import type { ServiceLevelCode } from '../../areas/carrier/rules/rates.ts'
import type { OperationInput } from '../../client/operations.ts'
import { toBatches } from '../import/batches.ts'
import type { ValidRow, RowFile } from '../import/row-file.ts'
import { joinFirst } from '../wording.ts'
import { type ManifestRow, type ParcelOutcome, describeParcelCount } from './outcomes.ts'
import type { PriceBatch } from './plan.ts'

type ManifestFile = RowFile<ManifestRow, ParcelOutcome>

/** Gives parcels that their service does not reach another one, and says so. Asks the service, and creates nothing. */
export async function withFallback(
  price: PriceBatch,
  file: ManifestFile,
  fallback: ServiceLevelCode,
  toBody: (rows: readonly ValidRow<ManifestRow>[]) => OperationInput<'create_shipments_batch'>,
): Promise<ManifestFile> {
  const good = file.rows.filter((row): row is ValidRow<ManifestRow> => row.draft !== undefined)
  const beyond = new Set<ManifestRow>()
  for (const { rows, body } of toBatches(good, toBody))
    for (const [at, { reason }] of (await price({ ...body, price_only: true }, good.length)).entries())
      if (reason?.code === 'service_level_not_available' && rows[at] !== undefined) beyond.add(rows[at])
  if (beyond.size === 0) return file
  const names = [...beyond].map(({ reference, row }) => reference ?? `row ${row}`)
  const text = `${describeParcelCount(beyond.size)} will go by ${fallback}, because their own service does not reach them: ${joinFirst(names)}.`
  return {
    ...file,
    rows: file.rows.map((row) =>
      beyond.has(row) && row.draft !== undefined
        ? { ...row, draft: { ...row.draft, service_level: fallback } }
        : row,
    ),
    notes: [...file.notes, { kind: 'warning', text }],
  }
}
