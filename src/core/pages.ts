/** The pages of the service for people, in the order of their list. */
import type { Scope } from './account.ts'

export const PAGES = {
  kitchen: {
    title: 'Kitchen',
    summary: 'The orders of your store, as they come, to accept, prepare and hand over.',
    /** The scope that a session needs to see anything on it. */
    scope: 'orders.read',
  },
} as const satisfies Readonly<Record<string, { title: string; summary: string; scope: Scope }>>

export type PageName = keyof typeof PAGES

export const PAGE_NAMES = Object.keys(PAGES) as PageName[]

export function isPageName(name: string): name is PageName {
  return Object.hasOwn(PAGES, name)
}

/** Returns path and query of the link that signs a browser in with a ticket, and opens a page or their list. */
export function pageLink(ticket: string, page: PageName | undefined): string {
  return `/pages/open?ticket=${ticket}${page === undefined ? '' : `&page=${page}`}`
}
