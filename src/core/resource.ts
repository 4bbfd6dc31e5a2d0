/**
 * A resource: a kind of thing that operations create, read and end. One row for each in `areas/<area>/resource.ts`;
 * what the command line and the tools need of them is generated from these rows.
 */
import type { ErrorCode } from './errors.ts'
import type { Area } from './operation.ts'
import type { Spending } from './spending.ts'

export type Resource = {
  area: Area
  /** In the words of people: `ride`. Its lists are of `rides`. */
  noun: string
  /** The name under which people pay for it, where that is not the noun: `food order`. */
  bought?: string
  /** The member that names it, in inputs and answers. */
  id: string
  /** Before the `_` of its ids. A parcel has a tracking number. */
  prefix?: string
  notFound: ErrorCode
  /** The operation that tells its price. */
  quote?: string
  /** Where that price holds until it is confirmed: the kind of the quote, and how long. */
  held?: { kind: string; ms: number }
  /** The operations that create it; the first one creates one alone. */
  creates: readonly string[]
  show?: string
  list?: string
  cancel?: string
  /** The operations that change it otherwise. */
  changes?: readonly string[]
  /** Where its state goes by itself, so that it can be waited for. */
  life?: Life
  /** Where `last` may stand for the last one: what is said when there is none. */
  last?: { none: string; hint: string }
  /** Where an agent looks for what can be had, what belongs to it, and when it can begin. */
  find?: string
  menu?: string
  starts?: string
}

export type Life = {
  /** The final state of one that went well. */
  success: string
  /** The final state of one that was cancelled. */
  cancelled: string
  /** The command that follows it. */
  track: string
  /** How far a frozen clock is to be moved for something to happen: `15m`. */
  nudge: string
}

/** A resource whose price holds until it is confirmed. */
export type QuotedResource = Resource & Required<Pick<Resource, 'quote' | 'held'>>

/** An identity function: a resource is plain data. */
export function defineResource<const R extends Resource>(resource: R): R {
  return resource
}

/** How a confirm pays: the quote's total, or the fare that the input named `fareBy` chooses. */
export function paysQuote(
  { quote, noun, bought = noun }: Resource & { quote: string },
  fareBy?: string,
): Extract<Spending, { how: 'quote' }> {
  return { how: 'quote', quotedBy: quote, ...(fareBy !== undefined && { fareBy }), buys: bought }
}

/** The state that an operation wants for what it creates or changes; undefined where nothing is to be waited for. */
export function wantedState({ creates, changes = [], cancel, life }: Resource, operation: string) {
  // A cancelled resource is the success of its cancellation.
  if (operation === cancel) return life?.cancelled
  return creates.includes(operation) || changes.includes(operation) ? life?.success : undefined
}

/** Whether a text has the beginning of the ids of a resource. */
export function isId({ prefix }: Resource, text: string): boolean {
  return prefix !== undefined && text.startsWith(`${prefix}_`)
}

/** The first resource whose ids begin as this one does; undefined for an id of something else. */
export function findByPrefix(
  resources: Readonly<Record<string, Resource>>,
  id: string,
): Resource | undefined {
  return Object.values(resources).find((resource) => isId(resource, id))
}
