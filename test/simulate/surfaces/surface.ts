/** The declaration of a surface: whatever shows a resource to a person or a program. */
import type { Facts } from './facts.ts'
import type { SurfaceWorld } from './world.ts'

/** A resource of a story, with what a person needs to ask for it. */
export type Subject = {
  kind: SubjectKind
  /** `order 1`: what the story calls it. */
  name: string
  id: string
  /** The name for people: an order number, a reference, a day. */
  number: string
  /** The account that bought it, and the one that carries it out. */
  owner: string
  keeper: string
  /** The store or provider, as its keeper names it. */
  store: string
}

export type SubjectKind =
  | 'order'
  | 'ride'
  | 'delivery'
  | 'booking'
  | 'task'
  | 'parcel'
  | 'day'
  | 'days'
  | 'month'

export type Surface = {
  of: SubjectKind
  name: string
  /** True where one reading takes long: it is read after the last command of few stories. */
  isSlow: boolean
  /** Returns the facts that it shows; undefined where it does not show this resource. */
  read(world: SurfaceWorld, subject: Subject): Promise<Facts | undefined>
}
