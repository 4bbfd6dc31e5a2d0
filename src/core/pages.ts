/**
 * The pages of the service for people, in the order of their list. The link and the session of a browser are for one page:
 * they open what this list says of it, and nothing else.
 */
import { liveScopes, type Scope } from './account.ts'

type Page = {
  title: string
  summary: string
  /** The right that a session must have to see anything on it: a scope, or control of the sandbox. */
  need: Scope | 'control'
  /** The operations that it calls, each under its scope. Control calls any operation for any account. */
  calls: Readonly<Partial<Record<Scope, readonly string[]>>>
}

export const PAGES = {
  kitchen: {
    title: 'Kitchen',
    summary: 'Live orders of your store, to accept, prepare and complete.',
    need: 'orders.read',
    calls: {
      'orders.read': ['list_business_orders', 'get_business_order', 'get_store_settings'],
      'orders.manage': [
        'accept_business_order',
        'reject_business_order',
        'start_business_order_prep',
        'mark_business_order_ready',
        'complete_business_order',
        'adjust_business_order',
        'answer_order_problem',
        'set_store_settings',
        'tick_order_lines',
        'mark_losses_seen',
        'pause_store',
        'resume_store',
        'set_store_busy',
      ],
      'menu.read': ['list_catalog_items', 'list_catalog_changes', 'get_store_hours'],
      'menu.manage': ['set_catalog_item_availability'],
    },
  },
  parcels: {
    title: 'Parcels',
    summary: 'Your parcels by state: upload a sheet, find one, follow it, print labels, cancel.',
    need: 'shipments.read',
    calls: {
      'shipments.read': ['list_shipments', 'get_shipment', 'count_shipments', 'find_shipments'],
      'shipments.create': ['create_shipments_batch'],
      'shipments.manage': ['cancel_shipment', 'redirect_shipment'],
      'coverage.read': ['list_hubs'],
    },
  },
  world: {
    title: 'World',
    summary:
      'The sandbox on a map of London: couriers and drivers, next events, clock, accounts and requests.',
    need: 'control',
    calls: {},
  },
} as const satisfies Readonly<Record<string, Page>>

/** The most bytes of a file that a page uploads. A sheet of 500 parcels is far smaller. */
export const MAX_UPLOAD_BYTES = 4 * 1_048_576

/** The most characters that an upload puts before the references of a sheet. */
export const MAX_REFERENCE_PREFIX = 60

export type PageName = keyof typeof PAGES

export const PAGE_NAMES = Object.keys(PAGES) as PageName[]

export function isPageName(name: string): name is PageName {
  return Object.hasOwn(PAGES, name)
}

export type Rights = { scopes: readonly Scope[]; control: boolean }

/**
 * Returns the rights that a session has on a page, out of those of its account or login. Control of the sandbox is for
 * the page that needs it. Without a page, which is their list, there are none.
 */
export function rightsOn(page: PageName | undefined, { scopes, control }: Rights): Rights {
  if (page === undefined) return { scopes: [], control: false }
  return {
    scopes: liveScopes(pageScopes(page), { scopes }),
    control: control && PAGES[page].need === 'control',
  }
}

/** Returns the scopes that a page uses; without a page those of all pages. */
export function pageScopes(page: PageName | undefined): Scope[] {
  if (page === undefined) return [...new Set(PAGE_NAMES.flatMap((name) => pageScopes(name)))]
  return Object.keys(PAGES[page].calls) as Scope[]
}

/** Returns whether a page calls an operation. */
export function callsOperation(page: PageName, operation: string): boolean {
  return Object.values<readonly string[]>(PAGES[page].calls).some((names) => names.includes(operation))
}

/** Returns whether a session has what a page needs. */
export function opensPage(page: PageName, { scopes, control }: Rights): boolean {
  const { need } = PAGES[page]
  return need === 'control' ? control : scopes.includes(need)
}

/** Returns path and query of the link that signs a browser in with a ticket, and opens a page or their list. */
export function pageLink(ticket: string, page: PageName | undefined): string {
  return `/pages/open?ticket=${ticket}${page === undefined ? '' : `&page=${page}`}`
}
