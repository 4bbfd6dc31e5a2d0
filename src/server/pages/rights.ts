/** The rules that say who is told of which event. */
import type { Scope } from '../../core/account.ts'
import type { EventTypePrefix } from '../../core/event-kinds.ts'
import { isOwnEvent } from '../../core/event-types.ts'
import type { PageEvent, BrowserSession } from './backend.ts'

/** The scope that shows a kind of resource to its owner, by the first word of its events. */
const OWN: Readonly<Record<EventTypePrefix, Scope>> = {
  food_order: 'food.read',
  payment: 'food.read',
  table_check: 'food.read',
  ride: 'rides.read',
  delivery: 'delivery.read',
  shipment: 'shipments.read',
  service_booking: 'services.read',
  task: 'tasks.read',
  catalog_item: 'menu.read',
  store: 'menu.read',
  membership: 'profile.read',
}

/** The types of events with another scope than their kind. */
const OWN_BY_TYPE: Readonly<Record<string, Scope>> = {
  'store.settings_changed': 'orders.read',
  'store.losses_seen': 'orders.read',
}

/** The news for a page: something happened to a resource. It asks for the rest, under its own scopes. */
export type EventNotice = { type: string; id: string }

/** Returns what a session is told of an event; undefined for one that its account must not see. */
export function toEventNotice(
  session: Pick<BrowserSession, 'account' | 'scopes'>,
  event: PageEvent,
): EventNotice | undefined {
  const { account, scopes } = session
  const { type, resource_id, order_id, counterparty_id } = event
  const byKind: Readonly<Record<string, Scope>> = OWN
  const scope = OWN_BY_TYPE[type] ?? byKind[type.split('.', 1)[0] ?? '']
  if (isOwnEvent(account, event) && scope !== undefined && scopes.includes(scope))
    return { type, id: resource_id }
  // The store of an order learns that something happened to the order: payments and couriers are the customer's.
  const store = account.businessAgreement?.agreement_id
  if (store === undefined || counterparty_id !== store || order_id === null) return undefined
  return scopes.includes('orders.read') ? { type: `order.${lastWord(type)}`, id: order_id } : undefined
}

function lastWord(type: string): string {
  return type.slice(type.indexOf('.') + 1)
}
