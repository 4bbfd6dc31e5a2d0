/** The screen of `dray doctor`. */
import type { CommandContext } from '../../cli/cli.ts'
import { makePaint } from '../../cli/output/colour.ts'
import { renderOptionsOf } from '../../cli/output/render-options-of.ts'
import { sanitizeForTerminal, pad, wrapText } from '../../cli/output/text.ts'
import type { Check } from './check.ts'

const MARKS: Readonly<Record<Check['status'], readonly [glyph: string, word: string]>> = {
  ok: ['✔', 'ok'],
  warning: ['!', 'warning'],
  wrong: ['✖', 'wrong'],
  skipped: ['-', 'skipped'],
}

/** Returns one line for each finding, and below it, where it is not good, the command that fixes it. */
export function toPage(checks: readonly Check[], cli: Pick<CommandContext, 'io' | 'settings'>): string {
  const { colour, width, accessible = false } = renderOptionsOf(cli, 'stdout')
  const style = makePaint(colour)
  const colours = { ok: style.green, warning: style.yellow, wrong: style.red, skipped: style.dim }
  const names = Math.max(...checks.map(({ check }) => check.length))
  const lines = checks.flatMap(({ check, status, detail, fix }) => {
    const [glyph, word] = MARKS[status]
    if (accessible)
      return [
        `${check}: ${word}. ${sanitizeForTerminal(detail)}.`,
        ...(fix === null ? [] : [`  Fix: ${sanitizeForTerminal(fix)}`]),
      ]
    const margin = ' '.repeat(2 + names + 2)
    const [first = '', ...rest] = wrapText(sanitizeForTerminal(detail), Math.max(20, width - margin.length))
    return [
      `${colours[status](glyph)} ${pad(check, names)}  ${first}`,
      ...rest.map((line) => margin + line),
      // A command to be copied is not wrapped.
      ...(fix === null ? [] : [`${margin}${style.bold('Fix:')} ${sanitizeForTerminal(fix)}`]),
    ]
  })
  return `${[...lines, '', summaryOf(checks)].join('\n')}\n`
}

function summaryOf(checks: readonly Check[]): string {
  const count = (status: Check['status']): number => checks.filter((check) => check.status === status).length
  const wrongs = count('wrong')
  const warnings = count('warning')
  const more = warnings === 0 ? '' : ` ${warnings === 1 ? 'One warning' : `${warnings} warnings`}.`
  if (wrongs === 0) return `All checks passed.${more}`
  return `${wrongs === 1 ? 'One thing is' : `${wrongs} things are`} wrong.${more}`
}
