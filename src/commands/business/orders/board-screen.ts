import type { Paint } from '../../../cli/output/colour.ts'

/** The place and the form in which the board is drawn. */
export type BoardScreen = {
  columns: number
  rows: number
  style: Paint
  /** The time zone of the times on the screen. */
  timezone: string
}
