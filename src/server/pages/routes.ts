/** The routes of the pages for people: their documents and files, their calls, and what they hear. */
import { AppError } from '../../core/errors.ts'
import { isPageName, opensPage, pageLink, PAGE_NAMES, type PageName } from '../../core/pages.ts'
import { commonHeaders } from '../../gateway/gateway.ts'
import { WEB } from '../../generated/web.ts'
import { readCredential } from '../bearer.ts'
import { jsonAnswer } from '../json-answer.ts'
import { originOf } from '../origin.ts'
import type { Incoming, Route, RouteDeps } from '../route.ts'
import { trackRoutes } from '../track/routes.ts'
import { callerOf, controlRoute, withoutControl } from './control.ts'
import type { Session } from './desk.ts'
import { redirect, refuse, toAnswer } from './documents.ts'
import { makeHub } from './hub.ts'
import type { Hub } from './hub.ts'
import { labelsRoute } from './labels.ts'
import { appPage, lackingPage, signInPage, startPage } from './layout.ts'
import type { Shown } from './layout.ts'
import { readObject } from './read-object.ts'
import { requestRoutes } from './requests.ts'
import { assertOwnPage, noCookie, noteCaller, requireSession, secretOf, sessionCookie } from './session.ts'
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
  const hub = makeHub({
    desk: deps.pages,
    elapsed: deps.elapsed,
    onError: (error) => deps.onBug(error, 'pages'),
  })
  return [
    documentRoute('/pages', deps, (session) => startPage(session)),
    ...PAGE_NAMES.map((page) =>
      documentRoute(`/pages/${page}`, deps, (session) => showPage(page, session), page),
    ),
    ...PAGE_NAMES.map(shortRoute),
    openRoute(deps),
    // Where nobody can approve devices, a browser signs in by a link alone.
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

function showPage(page: PageName, session: Session): Shown {
  return opensPage(page, session) ? appPage(page) : lackingPage(page, session)
}

function documentRoute(
  path: string,
  { pages, serviceTime, control }: PagesDeps,
  show: (session: Session) => Shown,
  page?: PageName,
): Route {
  const byCode = control !== undefined
  return {
    name: 'pages',
    method: 'GET',
    path,
    async answer({ raw, requestId }) {
      const secret = secretOf(raw)
      const session = secret === undefined ? undefined : await pages.findSession(secret)
      const time = await serviceTime()
      if (secret === undefined || session === undefined)
        return toAnswer(
          requestId,
          time,
          signInPage({ page, origin: originOf(raw), spent: false, byCode }),
          undefined,
        )
      const shown = show(session)
      const headers = session.prolonged ? { 'Set-Cookie': sessionCookie(secret, raw) } : {}
      return toAnswer(requestId, time, { ...shown, headers: { ...shown.headers, ...headers } }, session)
    },
    refusal: refuse,
  }
}

/** Leads from the address that a person types to the page, which asks a browser without a session to sign in. */
function shortRoute(page: PageName): Route {
  return {
    name: 'pages',
    method: 'GET',
    path: `/${page}`,
    async answer({ requestId }) {
      return redirect(requestId, `/pages/${page}`)
    },
    refusal: refuse,
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
      const { ticket, page } = readLink(raw.url ?? '')
      const time = await serviceTime()
      // Only GET uses the ticket up: programs that preview a link send HEAD.
      const secret = raw.method === 'GET' ? await pages.openLink(ticket, secretOf(raw)) : undefined
      if (secret === undefined)
        return toAnswer(
          requestId,
          time,
          signInPage({ page, origin: originOf(raw), spent: true, byCode }),
          undefined,
        )
      return redirect(requestId, page === undefined ? '/pages' : `/pages/${page}`, sessionCookie(secret, raw))
    },
    refusal: refuse,
  }
}

function readLink(url: string): { ticket: string; page: PageName | undefined } {
  const at = url.indexOf('?')
  const query = new URLSearchParams(at === -1 ? '' : url.slice(at + 1))
  const page = query.get('page') ?? ''
  return { ticket: query.get('ticket') ?? '', page: isPageName(page) ? page : undefined }
}

/** Makes a link for the holder of an access token, whose browser then acts with the same scopes. */
function linkRoute({ pages, serviceTime }: PagesDeps): Route {
  return {
    name: 'create_page_link',
    method: 'POST',
    path: '/pages/links',
    async answer({ raw, requestId, readBody }) {
      const credential = readCredential(raw)
      if (credential === undefined || !('token' in credential))
        throw new AppError('missing_token', 'The request carries no access token.')
      const { page } = readObject(await readBody(LINK_LIMIT))
      if (page !== undefined && (typeof page !== 'string' || !isPageName(page)))
        throw new AppError('invalid_request', `page must be one of ${PAGE_NAMES.join(', ')}.`)
      const { ticket, expiresIn } = await pages.createLink(credential.token)
      const answer = { path: pageLink(ticket, page), expires_in: expiresIn }
      return jsonAnswer(requestId, await serviceTime(), JSON.stringify(answer), 201)
    },
  }
}

function signOutRoute({ pages }: PagesDeps, hub: Hub): Route {
  return {
    name: 'sign_out_page',
    method: 'POST',
    path: '/pages/sign-out',
    async answer({ raw, requestId }) {
      if (raw.headers.origin === undefined)
        throw new AppError('origin_not_allowed', 'The form does not say which page it came from.')
      const secret = secretOf(raw)
      const session = secret === undefined ? undefined : await pages.findSession(secret)
      if (secret !== undefined && session !== undefined) {
        await pages.endSession(secret)
        hub.end(session.id)
      }
      return redirect(requestId, '/pages', noCookie(raw))
    },
    refusal: refuse,
  }
}

/** Carries a call of a page to the gateway, as the session's account and with its scopes. */
function callRoute({ gateway, registry, pages }: PagesDeps): Route {
  return {
    name: 'page_call',
    method: 'POST',
    path: '/pages/call/{operation}',
    async answer({ raw, params, requestId, readBody }, note) {
      assertOwnPage(raw)
      const session = await requireSession(pages, raw)
      noteCaller(note, session)
      const credential = callerOf(session, raw)
      const name = params['operation'] ?? ''
      const loaded = await registry.load(name)
      if (loaded === undefined)
        throw new AppError('route_not_found', `There is no operation ${name.slice(0, 60)}.`)
      note.operation = name
      const input = readObject(await readBody(loaded.operation.bodyLimit))
      const { 'idempotency-key': key, 'sandbox-scenario': scenario } = raw.headers
      return gateway.invoke({
        operation: name,
        requestId,
        credential,
        input,
        ...(key !== undefined && { idempotencyKey: String(key) }),
        ...(scenario !== undefined && { scenario: String(scenario) }),
      })
    },
  }
}

/** Tells a page what happens, until either side leaves. */
function eventsRoute({ pages }: PagesDeps, hub: Hub): Route {
  return {
    name: 'page_events',
    method: 'GET',
    path: '/pages/events',
    async answer({ raw, requestId }, note) {
      assertOwnPage(raw)
      const session = await requireSession(pages, raw)
      noteCaller(note, session)
      const page = pageOf(raw)
      return {
        status: 200,
        headers: {
          ...commonHeaders(requestId, undefined),
          'Content-Type': 'text/event-stream; charset=utf-8',
          // nginx would keep it back until there is more.
          'X-Accel-Buffering': 'no',
        },
        body: hub.listen(session, {
          build: page === undefined ? '' : WEB[page].script,
          everything: page === 'world' && session.control,
        }),
      }
    },
  }
}

/** Returns the page that asks. */
function pageOf({ url = '' }: Incoming['raw']): PageName | undefined {
  const page = new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('page') ?? ''
  return isPageName(page) ? page : undefined
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
      if (entry === undefined) throw new AppError('route_not_found', 'There is no such file.')
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
