/** The routes of the approval page: a person enters a device's code and approves it, in two forms without scripts. */
import { AppError } from '../../core/errors.ts'
import { commonHeaders } from '../../gateway/gateway.ts'
import type { GatewayResponse } from '../../gateway/request.ts'
import { OAuthError } from '../../oauth/refusal.ts'
import { receiveForm } from '../form.ts'
import type { FormParams } from '../form.ts'
import { readRequestOrigin } from '../origin.ts'
import type { HandlerRequest, Route } from '../route.ts'
import { ICON } from '../theme.ts'
import type { DeviceBackend } from './backend.ts'
import { browserOf, cookieFor, formToken, isFormToken } from './browser.ts'
import { makeGuesses } from './guesses.ts'
import type { Guesses } from './guesses.ts'
import { renderDevicePage } from './layout.ts'
import type { DevicePage } from './layout.ts'
import {
  absentPage,
  answeredPage,
  approvedPage,
  codePage,
  consentPage,
  deniedPage,
  expiredPage,
  lockedPage,
  deviceProblemPage,
  stalePage,
  tooManyPage,
} from './pages.ts'
import { APPROVAL_STYLE } from './style.ts'

export type DevicePageDeps = {
  /** Undefined where the approval page is off. */
  devices?: DeviceBackend | undefined
  serviceTime: () => Promise<string>
}

/** The largest body of a form in bytes: several times of what any form holds. */
const FORM_LIMIT = 4096

/** Allows only its own style and pictures, forms to itself, and no frame around it. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

/** Returns the routes of the approval page. */
export function devicePageRoutes(deps: DevicePageDeps): Route[] {
  const { devices } = deps
  const guesses = makeGuesses()
  const shown = (name: string, method: 'GET' | 'POST', path: string, show: Show): Route => ({
    name,
    method,
    path,
    answer: async (incoming) =>
      toAnswer(
        incoming.requestId,
        await deps.serviceTime(),
        devices === undefined ? absentPage() : await renderForBrowser(show, devices, incoming),
      ),
    refusal: (error, requestId) => toAnswer(requestId, undefined, toProblemPage(error)),
  })
  return [
    shown('device_page', 'GET', '/device', openPage),
    shown('check_device', 'POST', '/device/check', (desk, incoming, browser) =>
      checkCode(desk, guesses, incoming, browser),
    ),
    shown('decide_device', 'POST', '/device/decide', decide),
    // A browser that opens one of these from its history has nothing to send.
    ...['/device/check', '/device/decide'].map((path) =>
      shown('device_page', 'GET', path, async () => redirect('/device')),
    ),
    file('/device/style.css', 'text/css; charset=utf-8', APPROVAL_STYLE),
    file('/device/icon.svg', 'image/svg+xml', ICON),
  ]
}

/** Shows a page to `browser`, which may approve. */
type Show = (devices: DeviceBackend, incoming: HandlerRequest, browser: string) => Promise<DevicePage>

/** Opens a link, or shows a page to a browser that may approve. Other browsers do not learn whether a code exists. */
async function renderForBrowser(
  show: Show,
  devices: DeviceBackend,
  incoming: HandlerRequest,
): Promise<DevicePage> {
  const { raw } = incoming
  const { ticket, code } = readAddress(raw.url ?? '')
  const browser = browserOf(raw)
  // Only GET uses the ticket up: programs that preview a link send HEAD.
  if (ticket !== '' && raw.method === 'GET') {
    const opened = await devices.openLink(ticket, browser)
    if (opened === undefined) return lockedPage({ spent: true, origin: readRequestOrigin(raw) })
    const page = redirect(code === '' ? '/device' : `/device?user_code=${code}`)
    const headers = { 'Set-Cookie': cookieFor(opened, raw), 'Referrer-Policy': 'no-referrer' }
    return { ...page, headers: { ...page.headers, ...headers } }
  }
  if (browser !== undefined && (await devices.mayApprove(browser))) return show(devices, incoming, browser)
  return lockedPage({ spent: false, origin: readRequestOrigin(raw) })
}

function redirect(to: string): DevicePage {
  return { ...absentPage(), status: 303, headers: { Location: to } }
}

async function openPage(
  devices: DeviceBackend,
  { raw }: HandlerRequest,
  browser: string,
): Promise<DevicePage> {
  const token = formToken(await devices.key(), browser, 'check')
  return codePage({ token, code: readAddress(raw.url ?? '').code })
}

/** Returns the ticket and the code in the address. Any other text is ignored and never shown. */
function readAddress(url: string): { ticket: string; code: string } {
  const at = url.indexOf('?')
  const query = new URLSearchParams(at === -1 ? '' : url.slice(at + 1))
  const letters = /^([a-z]{4})-?([a-z]{4})$/i.exec(query.get('user_code') ?? '')
  return {
    ticket: query.get('ticket') ?? '',
    code: letters === null ? '' : `${letters[1]}-${letters[2]}`.toUpperCase(),
  }
}

async function checkCode(
  devices: DeviceBackend,
  guesses: Guesses,
  incoming: HandlerRequest,
  browser: string,
): Promise<DevicePage> {
  const { raw } = incoming
  const form = await receive(incoming)
  const token = form.get('token') ?? ''
  const typed = form.get('user_code') ?? ''
  const key = await devices.key()
  if (!isFormToken(token, key, browser, 'check')) return stalePage()
  if (typed.trim() === '') return codePage({ token, code: '', wrong: 'empty' })
  // Counted before the lookup, so that the limit also holds for simultaneous guesses.
  const taken = await guesses.take(raw)
  if ('wait' in taken) return tooManyPage(taken.wait)
  const asking = await devices.find(typed)
  if (asking !== undefined) {
    await guesses.giveBack(raw)
    return consentPage({ token: formToken(key, browser, `decide ${asking.userCode}`), asking })
  }
  await guesses.miss()
  if (taken.left === 0) return tooManyPage(taken.waitAfter)
  return codePage({ token, code: typed.slice(0, 40), wrong: { left: taken.left } })
}

async function decide(
  devices: DeviceBackend,
  incoming: HandlerRequest,
  browser: string,
): Promise<DevicePage> {
  const form = await receive(incoming)
  const token = form.get('token') ?? ''
  const userCode = form.get('user_code') ?? ''
  const decision = form.get('decision')
  if (!isFormToken(token, await devices.key(), browser, `decide ${userCode}`)) return stalePage()
  // Any other value neither approves nor denies.
  if (decision !== 'approve' && decision !== 'deny') return stalePage()
  const done = await devices.decide(userCode, {
    approve: decision === 'approve',
    account: form.get('account'),
  })
  switch (done.outcome) {
    case 'approved':
      return approvedPage(done)
    case 'denied':
      return deniedPage()
    case 'expired':
      return expiredPage()
    case 'answered':
      return answeredPage()
    case 'incomplete':
      return consentPage({ token, asking: done.asking, unanswered: true })
  }
}

/** Returns the fields of a form that this page sent. The origin itself was checked before. */
async function receive(incoming: HandlerRequest): Promise<FormParams> {
  if (incoming.raw.headers.origin === undefined)
    throw new AppError('origin_not_allowed', 'The form has no page of origin.')
  try {
    return await receiveForm(incoming, FORM_LIMIT)
  } catch (error) {
    if (error instanceof OAuthError) throw new AppError('invalid_request', error.message, { cause: error })
    throw error
  }
}

function toProblemPage({ entry, message, hint }: AppError): DevicePage {
  return deviceProblemPage({ status: entry.status ?? 500, title: entry.title, detail: message, hint })
}

function toAnswer(requestId: string, time: string | undefined, page: DevicePage): GatewayResponse {
  return {
    status: page.status,
    headers: {
      ...commonHeaders(requestId, time),
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
      // With `no-referrer` a browser would not send the origin of its forms.
      'Referrer-Policy': 'same-origin',
      'X-Frame-Options': 'DENY',
      'Cross-Origin-Opener-Policy': 'same-origin',
      ...page.headers,
    },
    body: renderDevicePage(page),
  }
}

function file(path: string, contentType: string, body: string): Route {
  return {
    name: 'device_page',
    method: 'GET',
    path,
    answer: async ({ requestId }) => ({
      status: 200,
      headers: { ...commonHeaders(requestId, undefined), 'Content-Type': contentType },
      body,
    }),
  }
}
