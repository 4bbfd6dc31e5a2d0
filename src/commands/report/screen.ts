/** A report on a terminal. Bars and columns only show what the figures beside them say. */
import { bar, columnChart } from '../../cli/output/chart.ts'
import { makePaint, type Paint } from '../../cli/output/colour.ts'
import type { RenderOptions } from '../../cli/output/render-options.ts'
import {
  sanitizeForTerminal,
  truncateToWidth,
  pad,
  measureTextWidth,
  wrapText,
} from '../../cli/output/text.ts'
import type { Breakdown, Figure, Report, ReportRow, Timeline } from './report.ts'

const GAP = '  '
const MAX_BAR_WIDTH = 24
const MIN_BAR_WIDTH = 5
const MIN_LABEL_WIDTH = 12
const MAX_REPORT_WIDTH = 100

/** Returns the whole report as text that fits the terminal. */
export function reportScreen(report: Report, given: RenderOptions): string {
  const renderOptions = { ...given, width: Math.min(given.width, MAX_REPORT_WIDTH) }
  const style = makePaint(given.colour)
  const labels = labelsBesideBars(report.sections)
  const blocks = [
    head(report, renderOptions, style),
    figureLines(report.figures, report.beside, renderOptions, style),
    ...report.sections.map((section) =>
      section.kind === 'timeline'
        ? timelineLines(section, renderOptions, style)
        : breakdownLines(section, renderOptions, style, labels),
    ),
    report.notes.flatMap((note) => wrapText(sanitizeForTerminal(note), renderOptions.width).map(style.dim)),
  ]
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

function head(
  { title, period, headline, zone }: Report,
  { width: room }: RenderOptions,
  style: Paint,
): string[] {
  return [
    ...wrapText(`${title}: ${period} (${zone})`, room).map(style.dim),
    ...wrapText(sanitizeForTerminal(headline), room).map(style.bold),
  ]
}

function figureLines(
  figures: readonly Figure[],
  beside: string,
  { accessible = false, width: room }: RenderOptions,
  style: Paint,
): string[] {
  if (figures.length === 0) return []
  if (accessible) {
    return figures.map(({ label, value, before, change }) => {
      const beside_ = before === '' ? '' : `; ${beside}: ${before}`
      return `${label}: ${value}${beside_}${change === '' ? '' : ` (${change})`}`
    })
  }
  const [label, value, change] = (['label', 'value', 'change'] as const).map((key) =>
    Math.max(...figures.map((figure) => measureTextWidth(figure[key]))),
  ) as [number, number, number]
  const margin = label + value + change + 3 * GAP.length
  const before = Math.max(...figures.map((figure) => measureTextWidth(figure.before)))
  return [
    style.dim(
      `${' '.repeat(label + GAP.length)}${truncateToWidth(`beside ${beside}`, room - label - GAP.length)}`,
    ),
    ...figures.map((figure) =>
      [
        pad(figure.label, label),
        style.bold(pad(figure.value, value, 'right')),
        pad(figure.change, change, 'right'),
        ...(margin + before <= room ? [style.dim(pad(figure.before, before, 'right'))] : []),
      ]
        .join(GAP)
        .trimEnd(),
    ),
  ]
}

function timelineLines(
  { title, parts, beforeName }: Timeline,
  { accessible = false, width: room }: RenderOptions,
  style: Paint,
): string[] {
  const shown = trimmed(parts)
  if (shown.length === 0) return []
  if (accessible) {
    return [
      `${title}:`,
      ...shown.flatMap(({ name, value, text, detail, before, beforeText }) =>
        value === 0 && before === 0
          ? []
          : [
              `${name}: ${[text, ...(detail === undefined ? [] : [detail])].join(', ')}; ${beforeName}: ${beforeText}`,
            ],
      ),
    ]
  }
  const most = shown.reduce((best, part) => (part.value > best.value ? part : best))
  const before = shown.reduce((best, part) => (part.before > best.before ? part : best))
  const top = most.value >= before.before ? most.text : before.beforeText
  const chart = columnChart(shown, {
    width: room,
    height: 5,
    top,
    foot: '0',
    beforeName,
    strong: style.cyan,
    faint: style.dim,
  })
  return [style.bold(title), ...chart]
}

/** Leaves out the empty parts at both ends. */
function trimmed(parts: Timeline['parts']): Timeline['parts'] {
  const isFull = ({ value, before }: Timeline['parts'][number]): boolean => value > 0 || before > 0
  const first = parts.findIndex(isFull)
  return first < 0 ? [] : parts.slice(first, parts.findLastIndex(isFull) + 1)
}

/** Returns the width of the labels beside bars, so that the bars of all sections begin at one line. */
function labelsBesideBars(sections: Report['sections']): number {
  const labels = sections.flatMap((section) =>
    section.kind === 'breakdown' && hasBars(section.rows)
      ? [section.headings[0] ?? '', ...shownRows(section).map(({ label }) => sanitizeForTerminal(label))]
      : [],
  )
  return Math.max(0, ...labels.map((label) => measureTextWidth(label)))
}

function hasBars(rows: readonly ReportRow[]): boolean {
  return rows.some(({ value }) => value !== undefined)
}

function shownRows({ rows, screenRows = rows.length }: Breakdown): readonly ReportRow[] {
  return rows.slice(0, screenRows)
}

function breakdownLines(
  section: Breakdown,
  renderOptions: RenderOptions,
  style: Paint,
  labels: number,
): string[] {
  const { title, rows, rowCount = rows.length, total, note, headings, words = 0 } = section
  if (rows.length === 0) return []
  const shown = shownRows(section)
  const left = rowCount - shown.length
  const notes = [
    ...(left > 0 ? [`… and ${left} more: --json, --csv and --html show all.`] : []),
    ...(note === undefined ? [] : [note]),
  ]
  const all = total === undefined ? shown : [...shown, total]
  const lines =
    renderOptions.accessible === true
      ? all.map((row) => spoken(row, headings))
      : drawn(
          all,
          { headings, words, labels, room: renderOptions.width, hasTotal: total !== undefined },
          style,
        )
  return [
    ...(renderOptions.accessible === true ? [`${title}:`] : []),
    ...lines,
    ...notes.flatMap((text) => wrapText(sanitizeForTerminal(text), renderOptions.width).map(style.dim)),
  ]
}

function spoken({ label, cells }: ReportRow, headings: readonly string[]): string {
  const said = cells.flatMap((cell, at) =>
    cell === '' ? [] : [`${headings[at + 1] ?? ''} ${sanitizeForTerminal(cell)}`],
  )
  return `${sanitizeForTerminal(label)}: ${said.join(', ')}`
}

type Layout = { headings: readonly string[]; words: number; labels: number; room: number; hasTotal: boolean }

/** Draws label, bar and cells. Where there is little room, first the bar gets shorter, then the label, then last cells go. */
function drawn(
  rows: readonly ReportRow[],
  { headings, words, labels, room, hasTotal }: Layout,
  style: Paint,
): string[] {
  const texts = rows.map(({ cells }) => cells.map((cell) => sanitizeForTerminal(cell)))
  const widths = headings
    .slice(1)
    .map((heading, at) =>
      Math.max(measureTextWidth(heading), ...texts.map((cells) => measureTextWidth(cells[at] ?? ''))),
    )
  const most = Math.max(0, ...rows.map(({ value = 0 }) => value))
  const withBars = hasBars(rows)
  const own = Math.max(
    measureTextWidth(headings[0] ?? ''),
    ...rows.map(({ label }) => measureTextWidth(sanitizeForTerminal(label))),
  )
  const longest = withBars ? Math.max(labels, own) : own
  const used = (): number => widths.reduce((sum, each) => sum + each + GAP.length, 0)
  while (widths.length > 1 && used() + Math.min(longest, MIN_LABEL_WIDTH) > room) widths.pop()
  const spare = room - used() - longest - GAP.length
  const bars = withBars ? Math.min(MAX_BAR_WIDTH, Math.max(MIN_BAR_WIDTH, spare)) : 0
  const isTight = room - used() - bars - GAP.length < Math.min(longest, MIN_LABEL_WIDTH)
  const barWidth = isTight ? 0 : bars
  const labelWidth = Math.min(longest, room - used() - (barWidth === 0 ? 0 : barWidth + GAP.length))
  const line = (label: string, drawnBar: string, cells: readonly string[], colour = style.cyan): string =>
    [
      pad(truncateToWidth(label, labelWidth), labelWidth),
      ...(barWidth === 0
        ? []
        : [colour(drawnBar) + ' '.repeat(Math.max(0, barWidth - measureTextWidth(drawnBar)))]),
      ...widths.map((columns, at) => pad(cells[at] ?? '', columns, at < words ? 'left' : 'right')),
    ]
      .join(GAP)
      .trimEnd()
  const body = rows.map(({ label, value = 0, isLost = false }, at) =>
    line(
      sanitizeForTerminal(label),
      bar(value, most, barWidth),
      texts[at] ?? [],
      isLost ? style.red : style.cyan,
    ),
  )
  const heading = style.bold(line(headings[0] ?? '', '', headings.slice(1)))
  if (!hasTotal) return [heading, ...body]
  const rule = style.dim('─'.repeat(labelWidth + used() + (barWidth === 0 ? 0 : barWidth + GAP.length)))
  return [heading, ...body.slice(0, -1), rule, ...body.slice(-1)]
}
