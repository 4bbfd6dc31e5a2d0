/** The time at which the examples were run: a Friday morning, by the frozen clock of a new sandbox. */
export const EXAMPLES_TIME = '2026-11-20T09:00:00.000Z'
/** The account that ran them. It has a membership, a carrier agreement and a store. */
export const EXAMPLES_ACCOUNT = 'everything'

/** A recorded call, as a reader can repeat it, and its response. */
export type Example = {
  operation: string
  /** The operation's name, or another name for a call that prepares a later example. */
  name: string
  /** The later example that needs this call; undefined for the operation's own. */
  neededBy?: string
  /** Spans by which the clock was advanced before the call. */
  advanced?: readonly string[]
  input: Readonly<Record<string, unknown>>
  curl: string
  dray: string
  status: number
  answer: unknown
}

/** A recorded control call, as a reader can repeat it, and its response, whose lists are cut. */
export type ControlExample = Omit<Example, 'dray' | 'neededBy' | 'advanced'>
