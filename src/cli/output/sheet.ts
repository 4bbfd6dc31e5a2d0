import type { RenderOptions } from './render-options.ts'
import { pad, measureTextWidth, wrapText } from './text.ts'

/** One line of a sheet. Without a text it is a heading for the indented lines below. */
export type SheetLine = { label: string; text?: string; indent?: number; decorate?: (text: string) => string }

const INDENT = '  '

/** Returns the width of the widest label that has a value. */
export function labelWidth(entries: readonly SheetLine[]): number {
  return entries.reduce(
    (most, entry) => (entry.text === undefined ? most : Math.max(most, measureTextWidth(indented(entry)))),
    0,
  )
}

/** Renders aligned labels and values, with long values wrapped; for screen readers one `Label: value` per line. */
export function sheet(
  entries: readonly SheetLine[],
  renderOptions: RenderOptions,
  labels = labelWidth(entries),
): string {
  return entries
    .map((entry) =>
      renderOptions.accessible === true ? spoken(entry) : drawn(entry, renderOptions.width, labels),
    )
    .join('\n')
}

function spoken(entry: SheetLine): string {
  return entry.text === undefined ? `${indented(entry)}:` : `${indented(entry)}: ${entry.text}`
}

function drawn(entry: SheetLine, columns: number, labels: number): string {
  const { text, indent = 0, decorate = (plain: string) => plain } = entry
  const label = indented(entry)
  if (text === undefined) return decorate(label)
  const room = columns - labels - INDENT.length
  if (room < 12) {
    // too narrow for two columns: the value goes below its label
    const margin = INDENT.repeat(indent + 1)
    return [label, ...wrapText(text, columns - margin.length).map((line) => margin + decorate(line))].join(
      '\n',
    )
  }
  const [first = '', ...more] = wrapText(text, room).map(decorate)
  return [
    pad(label, labels) + INDENT + first,
    ...more.map((line) => ' '.repeat(labels) + INDENT + line),
  ].join('\n')
}

function indented({ label, indent = 0 }: SheetLine): string {
  return INDENT.repeat(indent) + label
}
