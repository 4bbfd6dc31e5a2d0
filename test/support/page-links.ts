/** Links that sign a browser in to the pages of a served store. */
import { randomBytes } from 'node:crypto'
import type { Scope } from '../../src/core/account.ts'
import { type PageName, pageLink } from '../../src/core/pages.ts'
import { createControlTicket } from '../../src/oauth/page-sessions.ts'
import { NOON_MS } from './served.ts'
import type { ServedStore } from './served.ts'

/** Returns the address of a link for an account, as `dray open` makes it. */
export async function linkFor(
  { url, db }: Pick<ServedStore, 'url' | 'db'>,
  account: string,
  page?: PageName,
): Promise<string> {
  const random = (count: number): Uint8Array => randomBytes(count)
  const ticket = await db.write((tx) =>
    createControlTicket(tx, { account, page }, { machineNow: NOON_MS, random }),
  )
  return url + pageLink(ticket, page)
}

/** A browser without a screen: its cookie, and calls as a page makes them. */
export type Visitor = {
  cookie: string
  call(operation: string, input?: object, headers?: Record<string, string>): Promise<Response>
  /** Uses one of the sandbox's own switches. */
  control(name: string, input?: object, headers?: Record<string, string>): Promise<Response>
}

/**
 * Opens a link to a page, or to their list, as a browser would, and calls as that page, or as the kitchen. `scopes` are
 * those of a token that makes the link; without them the control token makes it.
 */
export async function visit(
  served: Pick<ServedStore, 'url' | 'db' | 'token'>,
  account: string,
  { page, scopes }: { page?: PageName; scopes?: readonly Scope[] } = {},
): Promise<Visitor> {
  const link =
    scopes === undefined
      ? await linkFor(served, account, page)
      : await ownLink(served, { account, page, scopes })
  const opened = await fetch(link, { redirect: 'manual' })
  const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';', 1)
  const post = (path: string, input: object, headers: Record<string, string>): Promise<Response> =>
    fetch(served.url + path, {
      method: 'POST',
      headers: {
        cookie,
        origin: served.url,
        'dray-page': page ?? 'kitchen',
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(input),
    })
  return {
    cookie,
    call: (operation, input = {}, headers = {}) => post(`/pages/call/${operation}`, input, headers),
    control: (name, input = {}, headers = {}) => post(`/pages/control/${name}`, input, headers),
  }
}

async function ownLink(
  { url, token }: Pick<ServedStore, 'url' | 'token'>,
  { account, page, scopes }: { account: string; page: PageName | undefined; scopes: readonly Scope[] },
): Promise<string> {
  const made = await fetch(`${url}/pages/links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await token(account, { scopes })}` },
    body: JSON.stringify({ page }),
  })
  return url + ((await made.json()) as { path: string }).path
}
