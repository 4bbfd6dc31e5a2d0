/** A priced task item by item, as on a bill, with the evidence that it buys. */
import type { TaskLine } from '../../areas/tasks/rules/task.ts'
import { billOf } from '../../cli/output/bill.ts'
import { cellText } from '../../cli/output/cell.ts'
import { hourOf } from '../../cli/output/hour.ts'
import type { RenderOptions } from '../../cli/output/render-options.ts'
import { clean, fit, wrap } from '../../cli/output/text.ts'
import type { Answer } from '../../client/operations.ts'
import { spellMoney } from '../../core/money.ts'

type TaskQuote = Answer<'quote_task'>

const LABELS: Readonly<Record<TaskLine['type'], string>> = {
  base: 'The work',
  travel: 'Travel',
  duration: 'Extra time',
  express: 'Express',
  extra_evidence: 'Extra evidence',
}

export function quoteText(quote: TaskQuote, renderOptions: RenderOptions): string {
  const { style, columns, row, rule } = billOf(renderOptions)
  const clock = (at: string): string => hourOf(at, quote.created_at, renderOptions)
  const { window, place, evidence_rules: rules } = quote
  const where =
    place.address === undefined && place.name !== undefined
      ? clean(place.name)
      : cellText(place.address ?? place, 'place', renderOptions)
  return [
    style.bold(fit(clean(quote.task_name), columns)),
    ...wrap(
      `At ${where}, between ${clock(window.starts_at)} and ${clock(window.ends_at)}, ${clock(quote.earliest_start_at)} at the earliest`,
      columns,
    ),
    '',
    ...rules.flatMap(({ label, kind, min_count }) =>
      wrap(`Evidence: ${clean(label)}, ${min_count} ${kind}${min_count === 1 ? '' : 's'}`, columns),
    ),
    '',
    ...quote.lines.map(({ type, amount }) => row(LABELS[type], spellMoney(amount))),
    rule,
    style.bold(row('Total', spellMoney(quote.total))),
    style.dim(row('  of which VAT', spellMoney(quote.tax_included))),
    ...wrap(`If it cannot be done ${spellMoney(quote.callout_fee)} is kept.`, columns).map(style.dim),
  ].join('\n')
}
