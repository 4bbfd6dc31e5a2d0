/** One line of a table: the measured case, its numbers as text, and its budget if there is one. */
export type FigureLine = { what: string; cells: string[]; measured?: number; budget?: number }

export type FigureTable = { title: string; heads: string[]; lines: FigureLine[]; notes?: string[] }

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** Returns whether a ratio is within its budget, at its printed precision. */
export function verdict({ measured, budget }: FigureLine): 'met' | 'not met' | undefined {
  if (measured === undefined || budget === undefined) return undefined
  return Number(measured.toFixed(2)) <= budget ? 'met' : 'not met'
}

export function renderTable({ title, heads, lines, notes = [] }: FigureTable): string {
  const budgets = lines.some(({ budget }) => budget !== undefined)
  const rows = [
    ['', ...heads, ...(budgets ? ['budget', ''] : [])],
    ...lines.map((line) => [
      line.what,
      ...line.cells,
      ...(budgets ? [line.budget?.toFixed(2) ?? '', verdict(line) ?? ''] : []),
    ]),
  ]
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length))) ?? []
  const text = rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
  return [title, ...text.map((line) => `  ${line}`), ...notes.map((note) => `  ${note}`), ''].join('\n')
}

/** Formats a number as `1,234`. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-GB')
}

/** Formats a share in per cent, with one decimal for small values. */
export function formatShare(part: number, whole: number): string {
  const percent = (part / whole) * 100
  return `${percent.toFixed(percent < 10 ? 1 : 0)} %`
}
