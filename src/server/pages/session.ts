/** The session of a request: the cookie that a browser got by opening a link, and what a page adds to its calls. */
import type { IncomingMessage } from 'node:http'
import { AppError } from '../../core/errors.ts'
import { SESSION_LIFE_S } from '../../oauth/page-sessions.ts'
import { readCookie, writeCookie } from '../cookies.ts'
import type { Served } from '../route.ts'
import type { PageDesk, Session } from './desk.ts'

const NAME = 'dray_pages'
const PATH = '/pages'
/** A form cannot set it, and a page of another origin must ask for it, which is never granted. */
const PAGE_HEADER = 'dray-page'

/** Returns the browser's secret; undefined when it has none. */
export function secretOf(request: IncomingMessage): string | undefined {
  return readCookie(request, NAME, /^dray_pgs_[\w-]{43}$/)
}

/** Returns the cookie of a browser that is signed in. */
export function sessionCookie(secret: string, request: IncomingMessage): string {
  return writeCookie(request, { name: NAME, value: secret, path: PATH, seconds: SESSION_LIFE_S })
}

/** Returns the cookie that removes the session from its browser. */
export function noCookie(request: IncomingMessage): string {
  return writeCookie(request, { name: NAME, value: '', path: PATH, seconds: 0 })
}

/** Returns the session of a request. Throws `missing_token`, `invalid_token`. */
export async function requireSession(desk: PageDesk, request: IncomingMessage): Promise<Session> {
  const secret = secretOf(request)
  if (secret === undefined)
    throw new AppError('missing_token', 'This browser is not signed in.', { hint: HOW })
  const session = await desk.findSession(secret)
  if (session === undefined)
    throw new AppError('invalid_token', 'This browser’s session is over.', { hint: HOW })
  return session
}

const HOW = '`dray open` prints a link that signs a browser in.'

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
  if (!isOwn) throw new AppError('origin_not_allowed', 'Only the pages of this service may ask for this.')
}

/** Names the account of a session as the caller of a request, for the log and for the caller's share. */
export function noteCaller(note: Served, { account }: Pick<Session, 'account'>): void {
  note.account = account.account_id
  note.caller = account.account_id
}
