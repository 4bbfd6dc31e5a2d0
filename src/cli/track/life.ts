import type { Life as ResourceLife } from '../../core/resource.ts'
import type { Progress } from './journey.ts'

/** A resource that can be waited for, as an operation leaves it. */
export type Life = Pick<ResourceLife, 'track' | 'nudge'> & {
  /** The member that names it, in answers and in the input of `read`. */
  id: string
  /** The operation that reads it. */
  read: string
  /** The final state that is a success of the call. */
  success: string
  /** Loads the function that reads the progress out of an answer. */
  load(): Promise<(answer: never, now: number) => Progress>
}
