/** The meaning of the same call of a tool once more. Only a call without a key of the caller's own is repeated by it. */
import type { Spending } from './spending.ts'

export type Repetition =
  /**
   * Carried out each time. It sets a state, which another call may have changed in the meantime, or takes what the service itself
   * takes once: the parcels that are on no manifest, the days that are open.
   */
  | 'each_time'
  /** Carried out once: it ends or answers what it names, or uses up a quote. */
  | 'once'
  /** Makes a thing once, until that thing is cancelled or deleted. */
  | 'makes'

type RepetitionSource = {
  name: string
  method: string
  spends?: Spending | undefined
  repetition?: Repetition | undefined
}

/**
 * Returns the declared repetition of an operation that changes something, or the one that follows from its kind: a quote is
 * used once, PUT sets a state, and what DELETE removed is gone. Throws Error where neither says it.
 */
export function repetitionOf({ name, method, spends, repetition }: RepetitionSource): Repetition {
  if (repetition !== undefined) return repetition
  if (spends?.how === 'quote' || method === 'DELETE') return 'once'
  if (method === 'PUT') return 'each_time'
  throw new Error(`${name} declares no repetition`)
}
