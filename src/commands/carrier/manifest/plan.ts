import type { Cli } from '../../../cli/cli.ts'
import { startProgress } from '../../../cli/output/progress.ts'
import { planTable } from '../../../cli/upload/plan-table.ts'
import { faultList, reportOf, sumOf } from '../../../cli/upload/report.ts'
import type { Report } from '../../../cli/upload/report.ts'
import { toBatches } from '../../../cli/upload/send.ts'
import type { Input } from '../../../client/operations.ts'
import type { Money } from '../../../core/money.ts'
import { spellMoney } from '../../../core/money.ts'
import { batchOutcome, localOutcome } from '../manifest/outcomes.ts'
import type { BatchResult, Outcome } from '../manifest/outcomes.ts'
import type { ManifestRow, ShipmentDraft } from '../manifest/row.ts'
import type { Read } from './manifest.ts'

export type Good = ManifestRow & { shipment: ShipmentDraft }

/** `table` and `text` are for people: the first parcels, and totals with what is refused. `report` is what the upload would report. */
export type Plan = { table: string; text: string; count: number; total: Money; report: Report }

type Manifest = Input<'create_shipments_batch'>

/** How rows are sent: what makes a body of them, and the level of those that name none. */
export type RenderOptions = { toBody: (rows: readonly Good[]) => Manifest; level: string }

/** A result, and the rows among which it was found. */
type BatchAnswer = { result: BatchResult; batch: readonly Good[] }

/** Parcels shown before the question; the totals are of all. */
const SHOWN = 10

/** What an upload would do, by the service's own prices and what it has already. Creates nothing. */
export async function planUpload(
  cli: Cli,
  read: Read,
  good: readonly Good[],
  { toBody, level }: RenderOptions,
): Promise<Plan> {
  const { repeated, first } = findRepeats(good)
  const results = new Map<Good, BatchAnswer>(repeated.map(([row, result]) => [row, { result, batch: good }]))
  const progress = startProgress({
    ...cli,
    label: 'Pricing parcels',
    total: first.length,
    now: cli.runtime.elapsed,
    quiet: cli.globals.quiet,
    accessible: cli.settings.accessible,
  })
  try {
    for (const { rows, body } of toBatches(first, toBody)) {
      for (const [index, result] of (await priceBatch(cli, body)).entries()) {
        const row = rows[index]
        if (row !== undefined) results.set(row, { result, batch: rows })
      }
      progress.update(results.size - repeated.length)
    }
  } finally {
    progress.stop()
  }
  const outcomes = read.manifest.rows.map((row) => {
    const told = results.get(row as Good)
    return told === undefined
      ? localOutcome(row)
      : batchOutcome(told.result, row, told.batch, read.table, read.mapping)
  })
  const report = reportOf(outcomes, [])
  const total = report.total ?? { amount: 0, currency: 'GBP' }
  const created = good.filter((row) => results.get(row)?.result.result === 'created')
  const parts = [
    levelLines(created, results, level, total),
    duplicateLines(outcomes),
    faultList({ one: 'will not be sent', many: 'will not be sent' }, outcomes),
  ]
  return {
    table: await parcelTable(cli, created, results, level),
    text: parts.filter((part) => part !== '').join('\n\n'),
    count: created.length,
    total,
    report,
  }
}

/** Rows that repeat a reference of the file: the same parcel again, or another one under its name. */
function findRepeats(good: readonly Good[]): { repeated: [Good, BatchResult][]; first: Good[] } {
  const seen = new Map<string, { row: number; content: string }>()
  const repeated: [Good, BatchResult][] = []
  const first: Good[] = []
  for (const [index, row] of good.entries()) {
    const content = JSON.stringify(row.shipment)
    const before = seen.get(row.shipment.reference)
    if (before === undefined) {
      seen.set(row.shipment.reference, { row: index + 1, content })
      first.push(row)
    } else if (before.content === content) {
      const reason = { code: 'duplicate_in_manifest', duplicate_of_row: before.row }
      repeated.push([row, { row: index + 1, result: 'duplicate', reason }])
    } else {
      const reason = { code: 'reference_conflict', duplicate_of_row: before.row }
      repeated.push([row, { row: index + 1, result: 'rejected', reason }])
    }
  }
  return { repeated, first }
}

/** What the service would do with a batch, at which prices. */
async function priceBatch(cli: Cli, body: Manifest): Promise<BatchResult[]> {
  const client = await cli.client()
  return (await client.call('create_shipments_batch', { ...body, price_only: true })).value.results
}

async function parcelTable(
  cli: Cli,
  created: readonly Good[],
  results: ReadonlyMap<Good, BatchAnswer>,
  defaultLevel: string,
): Promise<string> {
  if (created.length === 0) return ''
  const rows = created.slice(0, SHOWN).map((row) => ({
    row: row.row,
    reference: row.shipment.reference,
    to: row.shipment.recipient.contact.name,
    postcode: row.shipment.recipient.address.postal_code,
    service: row.shipment.service_level ?? defaultLevel,
    weight_grams: row.shipment.parcel.weight_grams,
    price: results.get(row)?.result.total,
  }))
  return planTable(cli, rows, created.length)
}

function levelLines(
  created: readonly Good[],
  results: ReadonlyMap<Good, BatchAnswer>,
  defaultLevel: string,
  total: Money,
): string {
  const levels = Map.groupBy(created, ({ shipment }) => shipment.service_level ?? defaultLevel)
  const rows = [...levels].map(([level, parcels]) => {
    const amounts = parcels.flatMap((row) => results.get(row)?.result.total ?? [])
    return [level, String(parcels.length), spellMoney(sumOf(amounts) ?? total)]
  })
  if (rows.length > 1) rows.push(['total', String(created.length), spellMoney(total)])
  const widths = [0, 1, 2].map((at) => Math.max(0, ...rows.map((row) => (row[at] ?? '').length)))
  return rows
    .map(([name = '', count = '', price = '']) =>
      [name.padEnd(widths[0] ?? 0), count.padStart(widths[1] ?? 0), price.padStart(widths[2] ?? 0)].join(
        '   ',
      ),
    )
    .join('\n')
}

function duplicateLines(outcomes: readonly Outcome[]): string {
  const count = (wanted: string): number => outcomes.filter(({ reason }) => reason?.code === wanted).length
  const there = count('already_exists')
  const twice = count('duplicate_in_manifest')
  return [
    ...(there === 0
      ? []
      : [
          `${there === 1 ? '1 parcel exists' : `${there} parcels exist`} already and will not be created again.`,
        ]),
    ...(twice === 0
      ? []
      : [`${twice === 1 ? '1 row repeats' : `${twice} rows repeat`} an earlier row of the file.`]),
  ].join('\n')
}
