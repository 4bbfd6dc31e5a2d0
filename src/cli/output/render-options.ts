/** The form of text: for people on a terminal, or for a program that reads the pipe. */
export type RenderOptions = {
  /**
   * True if the output is a terminal. Otherwise it is tab-separated, with the interface's field names, and never cut.
   */
  tty: boolean
  /** The usable width of the terminal. */
  width: number
  /** The height of the terminal, for redrawn output. */
  height?: number | undefined
  colour: boolean
  /** True if to omit borders, glyphs and cutting, for screen readers. */
  accessible?: boolean | undefined
  /** The IANA zone of shown times; the system's by default. */
  timezone?: string | undefined
}
