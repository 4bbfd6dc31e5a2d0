/**
 * All that the page of a shared link knows of a resource. It names each field: whoever has the link sees them, and
 * nobody who has it may see anything else.
 */
import type { Point } from './geometry.ts'

export type SharedStep = {
  words: string
  /** Null for a step that is still ahead, or was omitted. */
  at: string | null
  /** The reason, or the town. */
  note: string | null
}

export type SharedView = {
  /** The `shared` word of its resource. */
  kind: string
  /** A store, a service, a kind of task: never a thing that a user described. */
  title: string
  /** Its state, in a few large words. */
  state: string
  mood: 'waiting' | 'moving' | 'done' | 'failed'
  over: boolean
  /** Its expected time: an instant, an instant and the end of its window, or a day. */
  eta: { words: string; at: string; until: string | null; day: boolean } | null
  /** Oldest first, then those that are ahead. */
  steps: SharedStep[]
  who: {
    role: string
    /** The first name of a person. */
    name: string
    vehicle: string | null
    /** A car is recognised by it. */
    plate: string | null
  } | null
  map: {
    /** The place that a worker is coming to, or where a parcel was last seen. */
    door: { point: Point; words: string } | null
    mover: { point: Point; words: string } | null
  } | null
  proof: { words: string; at: string; pictures: number } | null
  /** True of a return that waits for its sender, who gets the label from this page. */
  label?: boolean
  /** True of a visit with a time that lies ahead: the page offers it as a calendar file. */
  calendar?: boolean
}

/** Returns the path of a link's page. */
export function sharedPath(secret: string): string {
  return `/track/${secret}`
}
