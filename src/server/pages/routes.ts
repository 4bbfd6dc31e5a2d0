/** The routes of the pages for people: their documents and files, their calls, and what they hear. */
import { AppError } from '../../core/errors.ts'
import {
  callsOperation,
  isPageName,
  opensPage,
  pageLink,
  PAGE_NAMES,
  type PageName,
} from '../../core/pages.ts'
import { commonHeaders } from '../../gateway/gateway.ts'
import { WEB } from '../../generated/web.ts'
import { readCredential } from '../bearer.ts'
import { queryOf } from '../call.ts'
import { jsonAnswer } from '../json-response.ts'
import { readRequestOrigin } from '../origin.ts'
import type { HandlerRequest, Route, RouteDeps } from '../route.ts'
import { trackRoutes } from '../track/routes.ts'
import type { BrowserSession } from './backend.ts'
import { callerOf, controlRoute, withoutControl } from './control.ts'
import { redirectBrowser, toProblemResponse, toDocumentResponse } from './documents.ts'
import { makeBroadcaster } from './event-broadcaster.ts'
import type { EventBroadcaster } from './event-broadcaster.ts'
import { labelsRoute } from './labels.ts'
import { appPage, lackingPage, signInPage, startPage } from './layout.ts'
import type { PageDocument } from './layout.ts'
import { parseJsonObject } from './read-object.ts'
import { requestRoutes } from './requests.ts'
import {
  askingPage,
  assertOwnPage,
  endSessions,
  findSession,
  recordSessionCaller,
  requireSession,
  secretsOf,
  sessionCookie,
} from './session.ts'
import { signInRoutes } from './sign-in.ts'
import { uploadRoute } from './upload/route.ts'

export type PagesDeps = Pick<
  RouteDeps,
  'gateway' | 'registry' | 'control' | 'pages' | 'shares' | 'media' | 'serviceTime' | 'onBug' | 'elapsed'
>

const LINK_LIMIT = 1024

/** Returns the routes of the pages. */
export function pageRoutes(given: PagesDeps): Route[] {
  const deps = given.control === undefined ? { ...given, pages: withoutControl(given.pages) } : given
  const hub = makeBroadcaster({
    desk: deps.pages,
    elapsed: deps.elapsed,
    onError: (error) => deps.onBug(error, 'pages'),
  })
  return [
    documentRoute(undefined, deps),
    ...PAGE_NAMES.map((page) => documentRoute(page, deps)),
    ...PAGE_NAMES.map(shortRoute),
    openRoute(deps),
    // Where no account can approve devices, a browser signs in by a link alone.
    ...(deps.control === undefined ? [] : signInRoutes(deps)),
    linkRoute(deps),
    signOutRoute(deps, hub),
    callRoute(deps),
    labelsRoute(deps),
    uploadRoute(deps),
    controlRoute(deps),
    ...requestRoutes(deps),
    eventsRoute(deps, hub),
    fileRoute(),
    ...trackRoutes(deps, hub),
  ]
}

/** Returns the route of the document of a page, or of their list. */
function documentRoute(page: PageName | undefined, { pages, serviceTime, control }: PagesDeps): Route {
  const byCode = control !== undefined
  return {
    name: 'pages',
    method: 'GET',
    path: addressOf(page),
    async answer({ raw, requestId }) {
      const session = await findSession(pages, raw, page)
      const opened = await openedPages(pages, raw)
      const reader = page === undefined ? (session ?? [...opened.values()][0]) : session
      const time = await serviceTime()
      if (reader === undefined)
        return toDocumentResponse(
          requestId,
          time,
          signInPage({ page, origin: readRequestOrigin(raw), spent: false, byCode }),
          undefined,
        )
      const shown = renderSessionPage(page, reader, opened)
      const headers = session === undefined ? {} : { 'Set-Cookie': session.cookie }
      const named = { ...reader, opens: [...opened.keys()] }
      return toDocumentResponse(
        requestId,
        time,
        { ...shown, headers: { ...shown.headers, ...headers } },
        named,
      )
    },
    refusal: toProblemResponse,
  }
}

/** Returns the session of each page that a browser may open. */
async function openedPages(
  desk: PagesDeps['pages'],
  raw: HandlerRequest['raw'],
): Promise<ReadonlyMap<PageName, BrowserSession>> {
  const opened = new Map<PageName, BrowserSession>()
  for (const page of PAGE_NAMES) {
    const session = await findSession(desk, raw, page)
    if (session !== undefined && opensPage(page, session)) opened.set(page, session)
  }
  return opened
}

function renderSessionPage(
  page: PageName | undefined,
  reader: BrowserSession,
  opened: ReadonlyMap<PageName, BrowserSession>,
): PageDocument {
  if (page === undefined) return startPage(reader, opened)
  return opened.has(page) ? appPage(page) : lackingPage(page, reader)
}

function addressOf(page: PageName | undefined): string {
  return page === undefined ? '/pages' : `/pages/${page}`
}

/** Leads from the address that a person types to the page, which asks a browser without a session to sign in. */
function shortRoute(page: PageName): Route {
  return {
    name: 'pages',
    method: 'GET',
    path: `/${page}`,
    async answer({ requestId }) {
      return redirectBrowser(requestId, addressOf(page))
    },
    refusal: toProblemResponse,
  }
}

/** Opens a link: signs the browser in and leads it to its page. */
function openRoute({ pages, serviceTime, control }: PagesDeps): Route {
  const byCode = control !== undefined
  return {
    name: 'open_page',
    method: 'GET',
    path: '/pages/open',
    async answer({ raw, requestId }) {
      const { ticket, page } = readLink(raw)
      const time = await serviceTime()
      // Only GET uses the ticket up: programs that preview a link send HEAD.
      const opened = raw.method === 'GET' ? await pages.openLink(ticket, secretsOf(raw)) : undefined
      if (opened === undefined)
        return toDocumentResponse(
          requestId,
          time,
          signInPage({ page, origin: readRequestOrigin(raw), spent: true, byCode }),
          undefined,
        )
      // The ticket says which page it is for; the address only shows it to a reader.
      const cookie = sessionCookie(opened.secret, opened.page, raw)
      return redirectBrowser(requestId, addressOf(opened.page), cookie)
    },
    refusal: toProblemResponse,
  }
}

function readLink(raw: HandlerRequest['raw']): { ticket: string; page: PageName | undefined } {
  const query = new URLSearchParams(queryOf(raw))
  const page = query.get('page') ?? ''
  return { ticket: query.get('ticket') ?? '', page: isPageName(page) ? page : undefined }
}

/** Makes a link for the holder of an access token. The browser then acts with the scopes that the page uses. */
function linkRoute({ pages, serviceTime }: PagesDeps): Route {
  return {
    name: 'create_page_link',
    method: 'POST',
    path: '/pages/links',
    async answer({ raw, requestId, readBody }) {
      const credential = readCredential(raw)
      if (credential === undefined || !('token' in credential))
        throw new AppError('missing_token', 'The request carries no access token.')
      const { page } = parseJsonObject(await readBody(LINK_LIMIT))
      if (page !== undefined && (typeof page !== 'string' || !isPageName(page)))
        throw new AppError('invalid_request', `page must be one of ${PAGE_NAMES.join(', ')}.`)
      const { ticket, expiresIn } = await pages.createLink(credential.token, page)
      const answer = { path: pageLink(ticket, page), expires_in: expiresIn }
      return jsonAnswer(requestId, await serviceTime(), JSON.stringify(answer), 201)
    },
  }
}

function signOutRoute({ pages }: PagesDeps, hub: EventBroadcaster): Route {
  return {
    name: 'sign_out_page',
    method: 'POST',
    path: '/pages/sign-out',
    async answer({ raw, requestId }) {
      if (raw.headers.origin === undefined)
        throw new AppError('origin_not_allowed', 'The form has no page of origin.')
      // Their cookies, which open nothing now, go with the browser's next sign-in or after a week.
      for (const id of await endSessions(pages, raw)) hub.end(id)
      return redirectBrowser(requestId, '/pages')
    },
    refusal: toProblemResponse,
  }
}

/** Carries a call that a page makes to the gateway, as the session's account and with its scopes. */
function callRoute({ gateway, registry, pages }: PagesDeps): Route {
  return {
    name: 'page_call',
    method: 'POST',
    path: '/pages/call/{operation}',
    async answer({ raw, params, requestId, readBody }, note) {
      const page = askingPage(raw)
      const session = await requireSession(pages, raw, page)
      recordSessionCaller(note, session)
      const credential = callerOf(session, raw)
      const name = params['operation'] ?? ''
      const loaded = await registry.load(name)
      if (loaded === undefined)
        throw new AppError('route_not_found', `Unknown operation ${name.slice(0, 60)}.`)
      if (!session.control && !callsOperation(page, name))
        throw new AppError('insufficient_scope', `The page ${page} does not call ${name}.`)
      note.operation = name
      const input = parseJsonObject(await readBody(loaded.operation.bodyLimit))
      const { 'idempotency-key': key, 'sandbox-scenario': scenario } = raw.headers
      return gateway.invoke({
        operation: name,
        requestId,
        credential,
        input,
        via: 'page',
        ...(key !== undefined && { idempotencyKey: String(key) }),
        ...(scenario !== undefined && { scenario: String(scenario) }),
      })
    },
  }
}

/** Tells a page what happens, until either side leaves. */
function eventsRoute({ pages }: PagesDeps, hub: EventBroadcaster): Route {
  return {
    name: 'page_events',
    method: 'GET',
    path: '/pages/events',
    async answer({ raw, requestId }, note) {
      assertOwnPage(raw)
      const page = pageOf(raw)
      const session = await requireSession(pages, raw, page)
      recordSessionCaller(note, session)
      return {
        status: 200,
        headers: {
          ...commonHeaders(requestId, undefined),
          'Content-Type': 'text/event-stream; charset=utf-8',
          // nginx would keep it back until there is more.
          'X-Accel-Buffering': 'no',
        },
        body: hub.listen(session, {
          build: WEB[page].script,
          everything: session.control,
        }),
      }
    },
  }
}

/** Returns the page that listens. Throws `invalid_request`. */
function pageOf(raw: HandlerRequest['raw']): PageName {
  const page = new URLSearchParams(queryOf(raw)).get('page') ?? ''
  if (isPageName(page)) return page
  throw new AppError('invalid_request', `page must be one of ${PAGE_NAMES.join(', ')}.`)
}

/** Their names hold a hash of their content, so a browser keeps them for ever. */
function fileRoute(): Route {
  return {
    name: 'page_file',
    method: 'GET',
    path: '/pages/files/{file}',
    async answer({ params, requestId }) {
      const name = params['file'] ?? ''
      const entry = Object.values(WEB).find(({ script, style }) => name === script || name === style)
      if (entry === undefined) throw new AppError('route_not_found', 'File not found.')
      const { SCRIPT, STYLE } = await entry.load()
      const isScript = name === entry.script
      return {
        status: 200,
        headers: {
          ...commonHeaders(requestId, undefined),
          'Content-Type': isScript ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8',
          'Cache-Control': 'public, max-age=31536000, immutable',
        },
        body: isScript ? SCRIPT : STYLE,
      }
    },
  }
}
