/** The resources that can be followed, by the calls that create or change them. */
import { wantedState } from '../../core/resource.ts'
import { type LivingName, RESOURCES } from '../../generated/resources.ts'

/** A resource that can be waited for, as an operation leaves it. */
export type WaitableResource = {
  kind: LivingName
  /** The field that names it, in answers and in the input of `read`. */
  id: string
  /** The operation that reads it. */
  read: string
  /** The final state that is a success of the call. */
  success: string
  /** Every final state. */
  final: readonly string[]
  /** The final states that a call can still change. */
  changeable?: readonly string[]
  /** The command that tracks it. */
  track: string
  /** The usual advance of a frozen clock to the next event: `15m`. */
  suggestedAdvance: string
}

/** Returns the resource that an operation creates or changes; undefined when it cannot be followed. */
export function findWaitable(operation: string): WaitableResource | undefined {
  for (const kind of Object.keys(RESOURCES) as LivingName[]) {
    const { id, show: read, life } = RESOURCES[kind]
    const success = wantedState(RESOURCES[kind], operation)
    if (read !== undefined && life !== undefined && success !== undefined)
      return { ...life, kind, id, read, success }
  }
  return undefined
}
