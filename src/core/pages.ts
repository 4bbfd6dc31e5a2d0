/** The pages of the service for people, in the order of their list. */
import type { Scope } from './account.ts'

/** `need` is what a session must have to see anything on it: a scope, or the sandbox's own switches. */
type Page = { title: string; summary: string; need: Scope | 'control' }

export const PAGES = {
  kitchen: {
    title: 'Kitchen',
    summary: 'The orders of your store, as they come, to accept, prepare and hand over.',
    need: 'orders.read',
  },
  parcels: {
    title: 'Parcels',
    summary: 'Your parcels by state: upload a sheet, find one, follow it, print labels, cancel.',
    need: 'shipments.read',
  },
  world: {
    title: 'World',
    summary: 'The sandbox on a map of London: who moves, what comes next, its clock, accounts and requests.',
    need: 'control',
  },
} as const satisfies Readonly<Record<string, Page>>

/** The most bytes of a file that a page uploads. A sheet of 500 parcels is far smaller. */
export const MOST_UPLOAD_BYTES = 4 * 1_048_576

export type PageName = keyof typeof PAGES

export const PAGE_NAMES = Object.keys(PAGES) as PageName[]

export function isPageName(name: string): name is PageName {
  return Object.hasOwn(PAGES, name)
}

/** Returns whether a session has what a page needs. */
export function opensPage(
  page: PageName,
  { scopes, control }: { scopes: readonly Scope[]; control: boolean },
): boolean {
  const { need } = PAGES[page]
  return need === 'control' ? control : scopes.includes(need)
}

/** Returns path and query of the link that signs a browser in with a ticket, and opens a page or their list. */
export function pageLink(ticket: string, page: PageName | undefined): string {
  return `/pages/open?ticket=${ticket}${page === undefined ? '' : `&page=${page}`}`
}
