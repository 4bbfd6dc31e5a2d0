import type { RenderOptions } from './render-options.ts'
import { pad, width, wrap } from './text.ts'

/** One line of a sheet; without a text it is a heading over what is indented below it. */
export type Entry = { label: string; text?: string; indent?: number; decorate?: (text: string) => string }

const INDENT = '  '

/** The columns of the widest label that has a value beside it. */
export function labelWidth(entries: readonly Entry[]): number {
  return entries.reduce(
    (most, entry) => (entry.text === undefined ? most : Math.max(most, width(indented(entry)))),
    0,
  )
}

/** Aligned labels and values, long values wrapped under themselves; for screen readers one `Label: value` a line. */
export function sheet(
  entries: readonly Entry[],
  renderOptions: RenderOptions,
  labels = labelWidth(entries),
): string {
  return entries
    .map((entry) =>
      renderOptions.accessible === true ? spoken(entry) : drawn(entry, renderOptions.width, labels),
    )
    .join('\n')
}

function spoken(entry: Entry): string {
  return entry.text === undefined ? `${indented(entry)}:` : `${indented(entry)}: ${entry.text}`
}

function drawn(entry: Entry, columns: number, labels: number): string {
  const { text, indent = 0, decorate = (plain: string) => plain } = entry
  const label = indented(entry)
  if (text === undefined) return decorate(label)
  const room = columns - labels - INDENT.length
  if (room < 12) {
    // too narrow for two columns: the value goes below its label
    const margin = INDENT.repeat(indent + 1)
    return [label, ...wrap(text, columns - margin.length).map((line) => margin + decorate(line))].join('\n')
  }
  const [first = '', ...more] = wrap(text, room).map(decorate)
  return [
    pad(label, labels) + INDENT + first,
    ...more.map((line) => ' '.repeat(labels) + INDENT + line),
  ].join('\n')
}

function indented({ label, indent = 0 }: Entry): string {
  return INDENT.repeat(indent) + label
}
