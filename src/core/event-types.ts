/** The events that an account may be told of: their types, and who may see which. Derived from the rows of the resources. */
import type { Account, Scope } from './account.ts'
import { EVENT_KINDS, UNTOLD_EVENTS } from './event-kinds.ts'
import type { Resource } from './resource.ts'

type Resources = Readonly<Record<string, Resource>>

/** A type of events, such as `ride.completed`. */
export type EventType = {
  type: string
  /** The scope of the call that shows its resource. */
  scope: Scope
  /** The call that shows its resource, and the field of its input with the id. */
  show: string
  id: string
  noun: string
  /** Its last word. */
  word: string
}

/** An event as it was recorded, and the order that it is about, with the agreement of that order's store. */
export type EventWithOrder = {
  type: string
  resource_id: string
  owner_id: string
  order_id: string | null
  counterparty_id: string | null
}

/** The account that is to be told, and the scopes that count. */
export type Viewer = {
  account: Pick<Account, 'account_id' | 'carrierAgreement' | 'businessAgreement'>
  scopes: readonly Scope[]
}

/** Returns every type, in the order of the resources and of their states. */
export function listEventTypes(resources: Resources): EventType[] {
  return Object.values(resources).flatMap(({ events, show = '', id, noun }) =>
    (events?.words ?? []).map((word) => ({
      type: `${events?.name}.${word}`,
      scope: events?.scope as Scope,
      show,
      id,
      noun,
      word,
    })),
  )
}

/** Returns every type that the events of a store have. A store is told of its orders under types of its own. */
export function listRecordedTypes(resources: Resources): string[] {
  const own = listEventTypes(resources).map(({ type }) => type)
  const others = Object.entries(UNTOLD_EVENTS).flatMap(([kind, words]) =>
    words.map((word) => `${kind}.${word}`),
  )
  const kinds: readonly string[] = EVENT_KINDS
  return [...own.filter((type) => kinds.includes(type.split('.', 1)[0] ?? '')), ...others]
}

/** Returns true for an event that is the account's own. */
export function isOwnEvent(
  { account_id, carrierAgreement, businessAgreement }: Viewer['account'],
  { owner_id }: Pick<EventWithOrder, 'owner_id'>,
): boolean {
  return [account_id, carrierAgreement?.agreement_id, businessAgreement?.agreement_id].includes(owner_id)
}

/**
 * Returns the types under which an account is told of an event; none for one that it must not see. Of its store's orders it
 * is told as the store, and of its own as the customer: an account that orders from itself is told twice.
 */
export function typesFor(
  types: ReadonlyMap<string, EventType>,
  viewer: Viewer,
  event: EventWithOrder,
): EventType[] {
  const { account, scopes } = viewer
  const store = account.businessAgreement?.agreement_id
  const isStores =
    store !== undefined && event.counterparty_id === store && event.type.startsWith('food_order.')
  const found = [
    isOwnEvent(account, event) ? types.get(event.type) : undefined,
    isStores ? types.get(event.type.replace('food_order.', 'business_order.')) : undefined,
  ]
  return found.flatMap((type) => (type !== undefined && scopes.includes(type.scope) ? [type] : []))
}
