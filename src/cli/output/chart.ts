/** Draws figures with block characters: bars, and charts of columns with a sparkline. The text beside them says the same. */
import { pad, measureTextWidth } from './text.ts'

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']
const LEVELS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
/** A level below the lowest one: nothing at all. */
const NONE = '·'

/** Returns a bar of at most `columns`, in eighths of a column. Only zero has no bar. */
export function bar(value: number, most: number, columns: number): string {
  if (value <= 0 || most <= 0) return ''
  const eighths = Math.max(1, Math.round((Math.min(value, most) / most) * columns * 8))
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '')
}

/** Returns the character of a sparkline for a value. */
function spark(value: number, most: number): string {
  return value <= 0 ? NONE : (LEVELS[levelOf(value, most, LEVELS.length) - 1] ?? '')
}

/** One column of a chart: its value, that of the time before, and its name below the axis. */
export type ChartColumn = { value: number; before: number; label: string }

type ChartOptions = {
  /** The columns of the terminal. */
  width: number
  /** The lines above the axis. */
  height: number
  /** The texts at the top of the axis and at its foot. */
  top: string
  foot: string
  /** The name of the sparkline below the chart. */
  beforeName: string
  /** Styles the columns, and the time before. */
  strong: (text: string) => string
  faint: (text: string) => string
}

/** Returns the lines of a chart, with a sparkline of the time before in the same scale. Adjacent columns are added up to fit. */
export function columnChart(given: readonly ChartColumn[], options: ChartOptions): string[] {
  const { height, top, foot, beforeName, strong, faint } = options
  const margin = Math.max(measureTextWidth(top), measureTextWidth(foot), measureTextWidth(beforeName))
  const room = Math.max(8, options.width - margin - 3)
  const columns = joined(given, Math.ceil(given.length / room))
  const pitch = Math.max(1, Math.min(8, Math.floor(room / columns.length)))
  const most = Math.max(1, ...columns.flatMap(({ value, before }) => [value, before]))
  const cell = (character: string): string => (pitch === 1 ? character : `${character.repeat(pitch - 1)} `)
  const lines = Array.from({ length: height }, (_, line) => {
    const floor = (height - 1 - line) * 8
    const drawn = columns.map(({ value }) => {
      const level = levelOf(value, most, height * 8) - floor
      return cell(level <= 0 ? ' ' : (LEVELS[Math.min(level, 8) - 1] ?? ' '))
    })
    const axis = line === 0 ? `${pad(top, margin, 'right')} ┤` : `${' '.repeat(margin)} │`
    return `${axis} ${strong(drawn.join('').trimEnd())}`.trimEnd()
  })
  const marks = columns.map(({ before }) => cell(spark(before, most))).join('')
  return [
    ...lines,
    `${pad(foot, margin, 'right')} └${'─'.repeat(columns.length * pitch + 1 - Number(pitch > 1))}`,
    ' '.repeat(margin + 3) + axisLabels(columns, pitch, room),
    ...(columns.some(({ before }) => before > 0)
      ? [`${pad(beforeName, margin, 'right')}   ${faint(marks.trimEnd())}`]
      : []),
  ]
}

/** Returns the height of a value in steps; at least one unless it is zero. */
function levelOf(value: number, most: number, steps: number): number {
  return value <= 0 ? 0 : Math.max(1, Math.round((value / most) * steps))
}

function joined(columns: readonly ChartColumn[], by: number): readonly ChartColumn[] {
  if (by <= 1) return columns
  return Array.from({ length: Math.ceil(columns.length / by) }, (_, at) => {
    const group = columns.slice(at * by, at * by + by)
    return {
      label: group[0]?.label ?? '',
      value: group.reduce((sum, { value }) => sum + value, 0),
      before: group.reduce((sum, { before }) => sum + before, 0),
    }
  })
}

/** Returns as many labels as fit, evenly spaced from the first. */
function axisLabels(columns: readonly ChartColumn[], pitch: number, room: number): string {
  const longest = Math.max(0, ...columns.map(({ label }) => measureTextWidth(label)))
  const step = Math.max(1, Math.ceil((longest + 1) / pitch))
  let line = ''
  for (const [at, { label }] of columns.entries()) {
    if (at % step === 0 && at * pitch + measureTextWidth(label) <= room) line = pad(line, at * pitch) + label
  }
  return line.trimEnd()
}
