/**
 * Signs a browser in as `dray login` does: it shows a code, and the person who runs the service approves it. The browser asks
 * by loading its page again, so nothing of this needs a script.
 */
import { AppError } from '../../core/errors.ts'
import { isLoopback } from '../../core/network.ts'
import { isPageName, type PageName, PAGES } from '../../core/pages.ts'
import { readDeviceName } from '../../oauth/device.ts'
import { OAuthError } from '../../oauth/refusal.ts'
import { queryOf } from '../call.ts'
import { readCookie, formatCookie } from '../cookies.ts'
import { receiveForm } from '../form.ts'
import { html } from '../html.ts'
import { makeIpLimit } from '../ip-limit.ts'
import { readClientAddress, readRequestOrigin } from '../origin.ts'
import type { HandlerRequest, Route } from '../route.ts'
import type { PageBackend } from './backend.ts'
import { redirectBrowser, toProblemResponse, toDocumentResponse } from './documents.ts'
import { signInForm, signInPage } from './layout.ts'
import type { PageDocument } from './layout.ts'
import { findSession, secretsOf, sessionCookie } from './session.ts'

type SignInDeps = { pages: PageBackend; serviceTime: () => Promise<string> }

const PATH = '/pages/sign-in'
const FORM_LIMIT = 1024
/** New codes for each address and minute, as for devices. */
const CODES = { name: 'sign-in codes', points: 30, seconds: 60 }
/** The browser keeps its secret for as long as its code is good. */
const COOKIE = { name: 'dray_sign_in', path: '/pages', seconds: 600 }
const COOKIE_FORM = /^dray_dev_[\w-]{43}$/
/** The seconds after which the browser asks again. */
const AGAIN_S = 5

/** Returns the routes of the sign-in by a code. */
export function signInRoutes(deps: SignInDeps): Route[] {
  return [startRoute(deps), waitRoute(deps)]
}

function startRoute({ pages, serviceTime }: SignInDeps): Route {
  const limit = makeIpLimit(CODES)
  return {
    name: 'start_sign_in',
    method: 'POST',
    path: PATH,
    async answer(incoming) {
      const { raw, requestId } = incoming
      if (raw.headers.origin === undefined)
        throw new AppError('origin_not_allowed', 'The form has no page of origin.')
      const page = await readPage(incoming)
      const wait = await limit.take(readClientAddress(raw))
      if (wait !== undefined)
        return toDocumentResponse(requestId, await serviceTime(), tooManyPage(wait), undefined)
      const userAgent = raw.headers['user-agent']
      const device = readDeviceName(browserOf(userAgent ?? ''), userAgent)
      const code = await pages.startSignIn({ device, page })
      return redirectBrowser(requestId, addressFor(page), formatCookie(raw, { ...COOKIE, value: code }))
    },
    refusal: toProblemResponse,
  }
}

function waitRoute({ pages, serviceTime }: SignInDeps): Route {
  return {
    name: 'sign_in_page',
    method: 'GET',
    path: PATH,
    async answer({ raw, requestId }) {
      const page = toPage(new URLSearchParams(queryOf(raw)).get('page'))
      const show = async (shown: PageDocument) =>
        toDocumentResponse(requestId, await serviceTime(), shown, undefined)
      const code = readCookie(raw, COOKIE.name, COOKIE_FORM)
      const origin = readRequestOrigin(raw)
      // Programs that look ahead send HEAD, and must not start a session.
      if (code === undefined || raw.method !== 'GET')
        return show(signInPage({ page, origin, spent: false, byCode: true }))
      const signIn = await pages.continueSignIn(code, page, secretsOf(raw))
      if (signIn.status === 'pending') return show(codePage(signIn.userCode, { page, origin }))
      if (signIn.status === 'done')
        return redirectBrowser(
          requestId,
          page === undefined ? '/pages' : `/pages/${page}`,
          sessionCookie(signIn.secret, page, raw),
        )
      // The browser was signed in in the meantime, and its reader went back.
      if ((await findSession(pages, raw, page)) !== undefined)
        return redirectBrowser(requestId, page === undefined ? '/pages' : `/pages/${page}`)
      return show(endedPage(signIn.status, page))
    },
    refusal: toProblemResponse,
  }
}

async function readPage(incoming: HandlerRequest): Promise<PageName | undefined> {
  try {
    return toPage((await receiveForm(incoming, FORM_LIMIT)).get('page'))
  } catch (error) {
    if (error instanceof OAuthError) throw new AppError('invalid_request', error.message, { cause: error })
    throw error
  }
}

/** Returns a page that a code opens; undefined, which is their list, for another. A code gives no control of the sandbox. */
function toPage(name: string | null | undefined): PageName | undefined {
  return name && isPageName(name) && PAGES[name].need !== 'control' ? name : undefined
}

function addressFor(page: PageName | undefined): string {
  return page === undefined ? PATH : `${PATH}?page=${page}`
}

/** Returns the page that shows a code and waits. */
function codePage(
  code: string,
  { page, origin }: { page: PageName | undefined; origin: string },
): PageDocument {
  const at = isLoopback(new URL(origin).hostname) ? ` --base-url ${origin}` : ''
  return {
    status: 200,
    title: 'Approve this browser',
    headers: { Refresh: String(AGAIN_S) },
    body: html`<div class="card">
      <h1>Approve this browser</h1>
      <p>Its code, which is good for ten minutes:</p>
      <p class="user-code">${code}</p>
      <p>The person who runs this service approves it, for one account. On the machine that serves:</p>
      <p class="command"><code>dray sandbox approve ${code} --account NAME${at}</code></p>
      <p>
        Or in a browser that may approve logins:
        <a href="/device?user_code=${code}" target="_blank">${origin}/device</a>
      </p>
      <p><a class="button" href="${addressFor(page)}">It is approved</a></p>
      <p class="soft">This page asks every few seconds, and goes on by itself.</p>
    </div>`,
  }
}

function endedPage(status: 'denied' | 'expired', page: PageName | undefined): PageDocument {
  const title = status === 'denied' ? 'The sign-in was denied' : 'This code has expired'
  return {
    status: 403,
    title,
    body: html`<div class="card">
      <h1>${title}</h1>
      <p>
        ${status === 'denied' ? 'The person who runs this server denied this browser access.' : 'A code is valid for 10 minutes and signs one browser in.'}
      </p>
      ${signInForm(page, 'Get a new code')}
    </div>`,
  }
}

function tooManyPage(wait: number): PageDocument {
  return {
    status: 429,
    title: 'Too many codes',
    headers: { 'Retry-After': String(wait) },
    body: html`<div class="card">
      <h1>Too many codes</h1>
      <p>Too many codes were requested from here. Try again in ${wait} seconds.</p>
    </div>`,
  }
}

const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrom', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** Returns a browser's name in words, such as "Firefox on Linux"; undefined for one that is not known. */
function browserOf(userAgent: string): string | undefined {
  const named = (names: readonly (readonly [string, string])[]): string | undefined =>
    names.find(([mark]) => userAgent.includes(mark))?.[1]
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)]
  return browser === undefined ? undefined : `${browser}${system === undefined ? '' : ` on ${system}`}`
}
