/** How text is to look: for eyes on a terminal, or for whatever reads the pipe. */
export type RenderOptions = {
  /** False: tab-separated, named by the wire's fields, nothing cut, no colour needed to read it. */
  tty: boolean
  /** Usable columns of the terminal. */
  width: number
  /** Rows of the terminal, where what is drawn over has to fit. */
  height?: number | undefined
  colour: boolean
  /** No borders, glyphs or cutting, for screen readers. */
  accessible?: boolean | undefined
  /** IANA zone of the times shown; the system's when absent. */
  timezone?: string | undefined
}
