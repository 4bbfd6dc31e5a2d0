/** Which browser a form was made for: a cookie that names it, and a token in the form that only we can make for it. */
import type { IncomingMessage } from 'node:http'
import { hmacHex } from '../../domain/hash.ts'
import { isSameSecret } from '../bearer.ts'

const COOKIE = 'dray_device'

/** The name of the browser that asks; undefined when it has none, or more than one. */
export function browserOf({ headers }: IncomingMessage): string | undefined {
  const values = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${COOKIE}=`))
  const name = values[0]?.slice(COOKIE.length + 1) ?? ''
  return values.length === 1 && /^[\w-]{43}$/.test(name) ? name : undefined
}

export function newBrowser(random: (count: number) => Uint8Array): string {
  return Buffer.from(random(32)).toString('base64url')
}

/** No script reads it, and no other site makes a browser send it. */
export function cookieFor(browser: string, origin: string): string {
  const secure = origin.startsWith('https:') ? '; Secure' : ''
  return `${COOKIE}=${browser}; Path=/device; HttpOnly; SameSite=Strict${secure}`
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
  browser: string | undefined,
  step: Parameters<typeof formToken>[2],
): boolean {
  return browser !== undefined && given !== undefined && isSameSecret(given, formToken(key, browser, step))
}
