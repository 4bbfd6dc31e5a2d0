/** When the examples were run: on a new sandbox whose clock stands at a Friday morning. */
export const EXAMPLES_NOW = '2026-11-20T09:00:00.000Z'
/** The account that ran them: it has a membership, a carrier agreement and a store. */
export const EXAMPLES_AS = 'everything'

/** A call that was made, as a reader can make it, and its answer. */
export type Example = {
  operation: string
  /** The operation; another word where it is there for a later example. */
  name: string
  /** The later example that needs this call; undefined for the operation's own. */
  neededBy?: string
  input: Readonly<Record<string, unknown>>
  curl: string
  dray: string
  status: number
  answer: unknown
}
