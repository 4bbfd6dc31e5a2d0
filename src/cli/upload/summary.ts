import type { Money } from '../../domain/money.ts'
import { formatMoney } from '../../domain/money.ts'
import { EXIT } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { batchOutcome, localOutcome } from '../manifest/outcomes.ts'
import type { Outcome } from '../manifest/outcomes.ts'
import type { ManifestRow, ShipmentDraft } from '../manifest/parse.ts'
import { startProgress } from '../output/progress.ts'
import type { Read } from './manifest.ts'
import { priceParcels } from './pricing.ts'

export type Counts = { total: number; created: number; duplicate: number; rejected: number; not_sent: number }

export type Report = {
  outcomes: Outcome[]
  counts: Counts
  total: Money | undefined
  batchIds: string[]
  exitCode: number
}

/** 0 when nothing was rejected, 6 when everything was, 9 in between. */
export function reportOf(outcomes: Outcome[], batchIds: string[]): Report {
  const count = (result: Outcome['result']): number =>
    outcomes.filter((outcome) => outcome.result === result).length
  const rejected = count('rejected')
  return {
    outcomes,
    counts: {
      total: outcomes.length,
      created: count('created'),
      duplicate: count('duplicate'),
      rejected,
      not_sent: count('not_sent'),
    },
    total: sumOf(
      outcomes.flatMap(({ result, total }) => (result === 'created' && total !== undefined ? [total] : [])),
    ),
    batchIds,
    exitCode: rejected === 0 ? EXIT.ok : rejected === outcomes.length ? EXIT.rejected : EXIT.partial,
  }
}

function sumOf(amounts: readonly Money[]): Money | undefined {
  const [first] = amounts
  return first && { amount: amounts.reduce((sum, { amount }) => sum + amount, 0), currency: first.currency }
}

type Plan = { text: string; count: number; total: Money; report: Report }

/** What an upload would do: parcels and prices by service level, refused rows by reason. Asks the service for each price. */
export async function describePlan(
  cli: Cli,
  read: Read,
  good: readonly (ManifestRow & { shipment: ShipmentDraft })[],
  defaultLevel: string,
): Promise<Plan> {
  const progress = startProgress({
    ...cli,
    label: 'Pricing parcels',
    total: good.length,
    now: cli.runtime.elapsed,
    quiet: cli.globals.quiet,
    accessible: cli.settings.accessible,
  })
  const prices = await priceParcels(
    await cli.client(),
    good.map(({ shipment }) => shipment),
    defaultLevel,
    progress.update,
  ).finally(progress.stop)

  const byRow = new Map<number, Outcome>()
  const levels = new Map<string, Money[]>()
  for (const [index, row] of good.entries()) {
    const priced = prices[index]
    if (priced === undefined) continue
    const level = row.shipment.service_level ?? defaultLevel
    if ('total' in priced) levels.set(level, [...(levels.get(level) ?? []), priced.total])
    const result =
      'total' in priced
        ? { row: index + 1, result: 'created' as const, total: priced.total }
        : { row: index + 1, result: 'rejected' as const, reason: { code: priced.refused.code } }
    byRow.set(row.row, batchOutcome(result, row, good, read.table, read.mapping))
  }
  const outcomes = read.manifest.rows.map((row) => byRow.get(row.row) ?? localOutcome(row))
  const report = reportOf(outcomes, [])
  const total = report.total ?? { amount: 0, currency: 'GBP' }
  return {
    text: [...levelLines(levels, total), ...rejectedLines(outcomes)].join('\n'),
    count: report.counts.created,
    total,
    report,
  }
}

function levelLines(levels: ReadonlyMap<string, readonly Money[]>, total: Money): string[] {
  const rows = [...levels].map(
    ([level, amounts]) => [level, String(amounts.length), formatMoney(sumOf(amounts) ?? total)] as const,
  )
  const count = [...levels.values()].reduce((sum, amounts) => sum + amounts.length, 0)
  return alignRows([
    ...rows,
    ...(rows.length > 1 ? [['together', String(count), formatMoney(total)] as const] : []),
  ])
}

function alignRows(rows: readonly (readonly [string, string, string])[]): string[] {
  const widths = [0, 1, 2].map((at) => Math.max(0, ...rows.map((row) => (row[at] ?? '').length)))
  return rows.map(
    ([name, count, price]) =>
      `  ${name.padEnd(widths[0] ?? 0)}   ${count.padStart(widths[1] ?? 0)}   ${price.padStart(widths[2] ?? 0)}`,
  )
}

/** Refused rows grouped by what is wrong, each with its lines. */
function rejectedLines(outcomes: readonly Outcome[]): string[] {
  const groups = new Map<string, number[]>()
  for (const { result, line, reason } of outcomes) {
    if (result !== 'rejected') continue
    const errors = reason?.errors.length
      ? reason.errors.map(({ column, detail }) => `${column}: ${detail}`)
      : [reason?.code ?? '']
    for (const error of errors) groups.set(error, [...(groups.get(error) ?? []), line])
  }
  const rejected = outcomes.filter(({ result }) => result === 'rejected').length
  if (rejected === 0) return []
  const lines = [...groups].map(
    ([error, at]) =>
      `  ${error} (line${at.length === 1 ? '' : 's'} ${at.slice(0, 10).join(', ')}${at.length > 10 ? ', …' : ''})`,
  )
  return [`${rejected} ${rejected === 1 ? 'row' : 'rows'} will not be sent:`, ...lines]
}
