/** A receipt as a report: the page and the paper show the same rows. Pure. */
import { layOutBill } from '../../cli/output/bill.ts'
import { sanitizeForTerminal } from '../../cli/output/text.ts'
import { MARKET_TIMEZONE } from '../../core/market.ts'
import { formatGroupedMoney } from '../../core/money.ts'
import type { BillLine, Receipt } from '../../core/presenter.ts'
import { formatLocalDateTime } from '../../core/time.ts'
import type { Breakdown, Report, ReportRow } from '../report/report.ts'

/** Returns the report of a receipt. It is called a bill as long as nothing was paid. */
export function receiptReport(receipt: Receipt, name: string): Report {
  const { head, about, lines, added, total, included, settled, notes, made, paid } = receipt
  const { textOf } = layOutBill(receipt, {
    tty: false,
    width: 200,
    height: 50,
    colour: false,
    accessible: false,
  })
  const rowOf = ({ label, amount }: BillLine): ReportRow => ({
    label: textOf(label),
    cells: [formatGroupedMoney(amount)],
  })
  const section = (title: string, rows: readonly BillLine[]): Breakdown => ({
    kind: 'breakdown',
    title,
    headings: [title, 'Amount'],
    rows: rows.map(rowOf),
  })
  const priced = [...lines, ...added].flatMap((line): ReportRow[] => [
    rowOf(line),
    ...(line.details ?? []).map((text) => ({ label: `· ${textOf(text)}`, cells: [''] })),
  ])
  return {
    title: paid ? 'Receipt' : 'Bill',
    period: formatLocalDateTime(Date.parse(made), MARKET_TIMEZONE),
    beside: '',
    zone: MARKET_TIMEZONE,
    headline: textOf(head),
    figures: [],
    sections: [
      {
        ...section('Price', []),
        rows: priced,
        ...(total !== null && { total: rowOf({ label: 'Total', amount: total }) }),
      },
      ...(included.length === 0 ? [] : [section('Included in the total', included)]),
      section('Payment', settled),
    ],
    notes: [sanitizeForTerminal(name), ...about.map(textOf), ...notes.map(textOf)],
  }
}
