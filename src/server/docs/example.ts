/** A call that was made, as a reader can make it, and what came of it. */
export type Example = {
  operation: string
  /** Under which operation it stands: its own, or the one whose example needs it. */
  section: string
  curl: string
  dray: string
  status: number
  answer: unknown
}
