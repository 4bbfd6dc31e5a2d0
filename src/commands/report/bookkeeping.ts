/** Rows that bookkeeping programs import: Xero, QuickBooks and FreeAgent. */
import type { CommandContext } from '../../cli/cli.ts'
import { sanitizeForTerminal } from '../../cli/output/text.ts'
import { AppError } from '../../core/errors.ts'
import { formatMajorUnits, type Money } from '../../core/money.ts'
import { writeCsv } from '../../tabular/csv/write.ts'

export const BOOKKEEPING_FLAG = {
  flag: 'bookkeeping',
  kind: 'boolean',
  description: 'rows for Xero, QuickBooks and FreeAgent: Date, Description, Amount, Reference',
} as const

/** `date` is 2026-11-20. */
export type BookkeepingRow = { date: string; description: string; amount: Money; reference: string }

/** Throws AppError('usage') for a form of the output that contradicts --bookkeeping. */
export function assertBookkeeping(
  { globals }: Pick<CommandContext, 'globals'>,
  { csv, html }: { csv?: boolean | undefined; html?: string | undefined } = {},
): void {
  const [other] = [
    ...(globals.json ? ['--json'] : []),
    ...(globals.output === undefined || globals.output === 'csv' ? [] : [`--output ${globals.output}`]),
    ...(globals.fields === undefined ? [] : ['--fields']),
    ...(globals.query === undefined ? [] : ['--query']),
    ...(csv === true ? ['--csv'] : []),
    ...(html === undefined ? [] : ['--html']),
  ]
  if (other === undefined) return
  throw new AppError('usage', `Give --bookkeeping or ${other}, not both.`)
}

/**
 * Prints rows with days as 20/11/2026 and amounts in major units. It is for programs, some of which take no byte order mark and no
 * quotes: descriptions have neither commas nor quotes.
 */
export async function printBookkeeping(
  { io }: Pick<CommandContext, 'io'>,
  rows: readonly BookkeepingRow[],
): Promise<void> {
  const lines = rows.map(({ date, description, amount, reference }) => [
    date.split('-').toReversed().join('/'),
    sanitizeForTerminal(description)
      .replaceAll(/[,;"\s]+/g, ' ')
      .trim(),
    formatMajorUnits(amount),
    reference,
  ])
  const text = writeCsv(
    [['Date', 'Description', 'Amount', 'Reference'], ...lines],
    undefined,
    undefined,
    (cell) => cell,
  )
  await io.stdout.write(text.replaceAll('\r\n', '\n'))
}
