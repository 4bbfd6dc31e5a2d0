/** Identifies a browser by a cookie that it got by opening a link. Each form has a token for that cookie. */
import type { IncomingMessage } from 'node:http'
import { hmacHex } from '../../core/hash.ts'
import { BROWSER_LIFE_S } from '../../oauth/approvers.ts'
import { isSameSecret } from '../bearer.ts'
import { originOf } from '../origin.ts'

/**
 * Returns a cookie name for each port: cookies are shared by all ports of a host, and two sandboxes must not
 * overwrite each other's.
 */
function cookieName({ headers }: IncomingMessage): string {
  const port = /:(\d+)$/.exec(headers.host ?? '')?.[1]
  return port === undefined ? 'dray_device' : `dray_device_${port}`
}

/** Returns the browser's secret; undefined when it has none, or more than one. */
export function browserOf(request: IncomingMessage): string | undefined {
  const start = `${cookieName(request)}=`
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
  const secret = values[0]?.slice(start.length) ?? ''
  return values.length === 1 && /^dray_brw_[\w-]{43}$/.test(secret) ? secret : undefined
}

/**
 * Returns the cookie of a browser that may approve. Scripts cannot read it. Links from other sites send it (Lax),
 * such as the link on another device; forms of other sites do not.
 */
export function cookieFor(browser: string, request: IncomingMessage): string {
  const secure = originOf(request).startsWith('https:') ? '; Secure' : ''
  return `${cookieName(request)}=${browser}; Max-Age=${BROWSER_LIFE_S}; Path=/device; HttpOnly; SameSite=Lax${secure}`
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
