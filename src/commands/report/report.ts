/** A report as people see it: the same figures and words for the screen and for the page. */
/** One figure beside the one of the time before. */
export type Figure = { label: string; value: string; before: string; change: string }

export type ChartPart = {
  /** Its name below the axis, and its name in full. */
  label: string
  name: string
  value: number
  text: string
  before: number
  beforeText: string
  /** The detail that the page adds, such as how many orders. */
  detail?: string
}

/** A chart of columns: how much happened when. */
export type Timeline = { kind: 'timeline'; title: string; parts: readonly ChartPart[]; beforeName: string }

export type ReportRow = {
  label: string
  /** The length of its bar, if it has one. */
  value?: number
  cells: readonly string[]
  /** True if it counts what was lost: its bar has the colour of that. */
  isLost?: boolean
}

/** Rows with bars and figures. */
export type Breakdown = {
  kind: 'breakdown'
  title: string
  /** The headings of the label and of the cells. */
  headings: readonly string[]
  rows: readonly ReportRow[]
  /** The number of rows in all, where only the first of them are given. */
  rowCount?: number
  total?: ReportRow
  /** A sentence about the rows, such as how many are omitted. */
  note?: string
  /** The number of rows that a screen shows; the page shows all. */
  screenRows?: number
  /** The number of leading cells that are words, which stand on the left. */
  words?: number
}

export type Report = {
  title: string
  period: string
  beside: string
  zone: string
  /** The answer in one sentence. */
  headline: string
  figures: readonly Figure[]
  sections: readonly (Timeline | Breakdown)[]
  notes: readonly string[]
}

/** A line of the report as a table, for spreadsheets and pipes. */
export type ReportTableRow = Readonly<Record<string, unknown>>
