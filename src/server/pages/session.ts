/**
 * The session of a request: the cookie that a browser got by opening a link, and what a page adds to its calls. Each page has
 * a cookie of its own; that of their list opens the pages for which there is no other.
 */
import type { IncomingMessage } from 'node:http'
import { AppError } from '../../core/errors.ts'
import { isPageName, PAGE_NAMES, type PageName } from '../../core/pages.ts'
import { SESSION_LIFE_S } from '../../oauth/page-sessions.ts'
import { readCookie, formatCookie } from '../cookies.ts'
import type { RouteLogFields } from '../route.ts'
import type { PageBackend, BrowserSecrets, BrowserSession } from './backend.ts'

const PATH = '/pages'
/**
 * Names the page that asks. A form cannot set it, and a page of another origin must ask for it, which is never granted.
 */
const PAGE_HEADER = 'dray-page'
/** The pages that may have a cookie; undefined is their list. */
const HOLDERS: readonly (PageName | undefined)[] = [undefined, ...PAGE_NAMES]

function cookieOf(page: PageName | undefined): string {
  return page === undefined ? 'dray_pages' : `dray_${page}`
}

/** Returns the secrets of a browser. */
export function secretsOf(request: IncomingMessage): BrowserSecrets {
  return new Map(
    HOLDERS.flatMap((page) => {
      const secret = readCookie(request, cookieOf(page), /^dray_pgs_[\w-]{43}$/)
      return secret === undefined ? [] : [[page, secret]]
    }),
  )
}

/** Returns the cookie of a browser that is signed in to a page, or to their list. */
export function sessionCookie(secret: string, page: PageName | undefined, request: IncomingMessage): string {
  return formatCookie(request, { name: cookieOf(page), value: secret, path: PATH, seconds: SESSION_LIFE_S })
}

/** `cookie` makes that of the browser live as long as the session. */
type SessionWithCookie = BrowserSession & { cookie: string }

/** Returns the session of a browser on a page, or on their list; undefined when it has none that is not over. */
export async function findSession(
  desk: PageBackend,
  request: IncomingMessage,
  page: PageName | undefined,
): Promise<SessionWithCookie | undefined> {
  const secrets = secretsOf(request)
  for (const holder of new Set([page, undefined])) {
    const secret = secrets.get(holder)
    const found = secret === undefined ? undefined : await desk.findSession(secret, page)
    if (secret === undefined || found === undefined) continue
    return { ...found, cookie: sessionCookie(secret, holder, request) }
  }
  return undefined
}

/** Ends all sessions of a browser. Returns their ids. */
export async function endSessions(desk: PageBackend, request: IncomingMessage): Promise<string[]> {
  const ended: string[] = []
  for (const [page, secret] of secretsOf(request)) {
    const session = await desk.findSession(secret, page)
    if (session === undefined) continue
    await desk.endSession(secret)
    ended.push(session.id)
  }
  return ended
}

/** Returns the session of a page that asks. Throws `missing_token`, `invalid_token`. */
export async function requireSession(
  desk: PageBackend,
  request: IncomingMessage,
  page: PageName,
): Promise<BrowserSession> {
  const session = await findSession(desk, request, page)
  if (session !== undefined) return session
  const secrets = secretsOf(request)
  if (secrets.has(page) || secrets.has(undefined))
    throw new AppError('invalid_token', 'This browser’s session is over.', { hint: howTo(page) })
  throw new AppError('missing_token', 'This browser is not signed in to this page.', { hint: howTo(page) })
}

/** Returns the page that sent a request. Throws `origin_not_allowed` for one that none of this service sent. */
export function askingPage(request: IncomingMessage): PageName {
  assertOwnPage(request)
  const page = String(request.headers[PAGE_HEADER])
  if (isPageName(page)) return page
  throw new AppError('origin_not_allowed', 'The request has no page of origin.', {
    hint: 'Load the page again.',
  })
}

function howTo(page: PageName): string {
  return `\`dray open ${page}\` prints a link that signs a browser in.`
}

/**
 * Throws `origin_not_allowed` for a request that a page of this service did not send. Its Origin, where there is one,
 * was compared with its Host before.
 */
export function assertOwnPage({ method, headers }: IncomingMessage): void {
  const site = headers['sec-fetch-site']
  const isRead = method === 'GET' || method === 'HEAD'
  const isOwn =
    (site === undefined || site === 'same-origin') &&
    (isRead || (headers.origin !== undefined && headers[PAGE_HEADER] !== undefined))
  if (!isOwn) throw new AppError('origin_not_allowed', 'Only the pages of this server can request this.')
}

/** Names the account of a session as the caller of a request, for the log and for the caller's share. */
export function recordSessionCaller(
  note: RouteLogFields,
  { account }: Pick<BrowserSession, 'account'>,
): void {
  note.account = account.account_id
  note.caller = account.account_id
}
