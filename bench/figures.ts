/** One line of a table: what was measured, the numbers as text, and the budget where there is one. */
export type Line = { what: string; cells: string[]; measured?: number; budget?: number }

export type Table = { title: string; heads: string[]; lines: Line[]; notes?: string[] }

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** A ratio is met when it is not above its budget as far as it is printed. */
export function verdict({ measured, budget }: Line): 'met' | 'not met' | undefined {
  if (measured === undefined || budget === undefined) return undefined
  return Number(measured.toFixed(2)) <= budget ? 'met' : 'not met'
}

export function renderTable({ title, heads, lines, notes = [] }: Table): string {
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

/** `1,234` for large numbers, two digits after the point for small ones. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-GB')
}

/** As per cent, with a digit after the point where that is small. */
export function share(part: number, whole: number): string {
  const percent = (part / whole) * 100
  return `${percent.toFixed(percent < 10 ? 1 : 0)} %`
}
