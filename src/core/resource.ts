/**
 * The type of a resource, which operations create, read and end. `areas/<area>/resource.ts` has one row for each; the
 * tables of the command line and the tools are generated from these rows.
 */
import type { Scope } from './account.ts'
import type { Area } from './areas.ts'
import type { ErrorCode } from './errors.ts'
import type { Spending } from './spending.ts'

export type Resource = {
  area: Area
  /** The name for people: `ride`. Lists have its plural, `rides`. */
  noun: string
  /** The name of the purchase, where it is not the noun: `food order`. */
  bought?: string
  /** The field with its id, in inputs and responses. */
  id: string
  /** The prefix of its ids, before the `_`. Absent for parcels, which have tracking numbers. */
  prefix?: string
  notFound: ErrorCode
  /** The operation that quotes its price. */
  quote?: string
  /** The kind of quote and how long it holds, for a price that is confirmed later. */
  held?: { kind: string; ms: number }
  /** The operations that create it. The first one creates a single resource. */
  creates: readonly string[]
  show?: string
  list?: string
  cancel?: string
  /** The operations that change it in another way. */
  changes?: readonly string[]
  /** The public word for it on the page of a shared link, which is also stored. Absent where it cannot be shared. */
  shared?: string
  /** Present when its state advances by itself, so that a command can wait for it. */
  life?: LifecycleInfo
  /** Present when an account can be told of its events: the words of their types, and the scope of `show`. */
  events?: { name: string; scope: Scope; words: readonly string[] }
  /** The error and hint when there is no last resource. Present where `last` is allowed. */
  last?: { none: string; hint: string }
  /** The operations by which an agent finds offers, their contents, and free start times. */
  find?: string
  menu?: string
  starts?: string
}

export type LifecycleInfo = {
  /** The final state after success. */
  success: string
  /** The final state after cancellation. */
  cancelled: string
  /** Every final state: nothing moves it by itself. */
  final: readonly string[]
  /** The final states that a call can still change: a lost parcel can be cancelled. */
  changeable?: readonly string[]
  /** The command that tracks it. */
  track: string
  /** The usual advance of a frozen clock to the next event: `15m`. */
  suggestedAdvance: string
}

/** An identity function: a resource is plain data. */
export function defineResource<const R extends Resource>(resource: R): R {
  return resource
}

/** Returns the spending of a confirm: the quote's total, or the fare that the input named `fareBy` chooses. */
export function makeQuoteSpending(
  { quote, noun, bought = noun }: Resource & { quote: string },
  fareBy?: string,
): Extract<Spending, { how: 'quote' }> {
  return { how: 'quote', quotedBy: quote, ...(fareBy !== undefined && { fareBy }), buys: bought }
}

/** Returns the state that an operation leads to; undefined where waiting is impossible. */
export function wantedState({ creates, changes = [], cancel, life }: Resource, operation: string) {
  // The cancelled state is the success of a cancellation.
  if (operation === cancel) return life?.cancelled
  return creates.includes(operation) || changes.includes(operation) ? life?.success : undefined
}

/** Returns whether a text begins like the ids of a resource. */
export function hasIdPrefix({ prefix }: Resource, text: string): boolean {
  return prefix !== undefined && text.startsWith(`${prefix}_`)
}

/** Returns the first resource with ids that begin like this one; undefined for other ids. */
export function findResourceByIdPrefix(
  resources: Readonly<Record<string, Resource>>,
  id: string,
): Resource | undefined {
  return Object.values(resources).find((resource) => hasIdPrefix(resource, id))
}
