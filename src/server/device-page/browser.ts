/** Identifies a browser by a cookie that it got by opening a link. Each form has a token for that cookie. */
import type { IncomingMessage } from 'node:http'
import { hmacHex } from '../../core/hash.ts'
import { BROWSER_LIFE_S } from '../../oauth/approvers.ts'
import { isSameSecret } from '../bearer.ts'
import { readCookie, formatCookie } from '../cookies.ts'

const NAME = 'dray_device'

/** Returns the browser's secret; undefined when it has none, or more than one. */
export function browserOf(request: IncomingMessage): string | undefined {
  return readCookie(request, NAME, /^dray_brw_[\w-]{43}$/)
}

/** Returns the cookie of a browser that may approve. A link on another device sends it. */
export function cookieFor(browser: string, request: IncomingMessage): string {
  return formatCookie(request, { name: NAME, value: browser, path: '/device', seconds: BROWSER_LIFE_S })
}

/**
 * Returns the token of a form. The token of the second step is for one code, so only a browser that entered the code
 * learns its outcome.
 */
export function formToken(key: string, browser: string, step: 'check' | `decide ${string}`): string {
  return hmacHex(key, `device page\n${browser}\n${step}`)
}

/** Returns whether a token was made for this browser and step. */
export function isFormToken(
  given: string | undefined,
  key: string,
  browser: string,
  step: Parameters<typeof formToken>[2],
): boolean {
  return given !== undefined && isSameSecret(given, formToken(key, browser, step))
}
