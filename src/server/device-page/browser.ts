/** Which browser asks: a cookie that it got by opening a link, and a token in each form made for that cookie. */
import type { IncomingMessage } from 'node:http'
import { hmacHex } from '../../core/hash.ts'
import { BROWSER_LIFE_S } from '../../oauth/approvers.ts'
import { isSameSecret } from '../bearer.ts'
import { originOf } from '../origin.ts'

/** A name for each port: a cookie goes to every port of a host, and two sandboxes should not end each other's. */
function cookieName({ headers }: IncomingMessage): string {
  const port = /:(\d+)$/.exec(headers.host ?? '')?.[1]
  return port === undefined ? 'dray_device' : `dray_device_${port}`
}

/** The secret of the browser that asks; undefined when it has none, or more than one. */
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
 * The cookie that makes a browser one that may approve. No script reads it. A link from elsewhere, such as the one that
 * another device shows, finds it (Lax); a form of another site does not.
 */
export function cookieFor(browser: string, request: IncomingMessage): string {
  const secure = originOf(request).startsWith('https:') ? '; Secure' : ''
  return `${cookieName(request)}=${browser}; Max-Age=${BROWSER_LIFE_S}; Path=/device; HttpOnly; SameSite=Lax${secure}`
}

/**
 * The token of a form. That of the second step is for one code: only who entered it holds one, so that what becomes of
 * codes can be told to them and to nobody else.
 */
export function formToken(key: string, browser: string, step: 'check' | `decide ${string}`): string {
  return hmacHex(key, `device page\n${browser}\n${step}`)
}

export function isFormToken(
  given: string | undefined,
  key: string,
  browser: string,
  step: Parameters<typeof formToken>[2],
): boolean {
  return given !== undefined && isSameSecret(given, formToken(key, browser, step))
}
