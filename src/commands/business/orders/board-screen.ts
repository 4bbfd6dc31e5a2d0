import type { Paint } from '../../../cli/output/colour.ts'

/** Where and how the board is drawn. */
export type Screen = {
  columns: number
  rows: number
  style: Paint
  /** The time zone of the times on the screen. */
  timezone: string
}
