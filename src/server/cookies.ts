/** Cookies of the pages. Scripts cannot read them, and forms of other sites do not send them. */
import type { IncomingMessage } from 'node:http'
import { readRequestOrigin } from './origin.ts'

/**
 * Returns a cookie name for each port: cookies are shared by all ports of a host, and two services must not overwrite
 * each other's.
 */
function cookieName(name: string, { headers }: IncomingMessage): string {
  const port = /:(\d+)$/.exec(headers.host ?? '')?.[1]
  return port === undefined ? name : `${name}_${port}`
}

/** Returns the value of a cookie; undefined when there is none, more than one, or one of another form. */
export function readCookie(request: IncomingMessage, name: string, form: RegExp): string | undefined {
  const start = `${cookieName(name, request)}=`
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
  const value = values[0]?.slice(start.length) ?? ''
  return values.length === 1 && form.test(value) ? value : undefined
}

/** Returns a cookie for the paths below one. Links from other sites send it (Lax); forms of other sites do not. */
export function formatCookie(
  request: IncomingMessage,
  { name, value, path, seconds }: { name: string; value: string; path: string; seconds: number },
): string {
  const secure = readRequestOrigin(request).startsWith('https:') ? '; Secure' : ''
  return `${cookieName(name, request)}=${value}; Max-Age=${seconds}; Path=${path}; HttpOnly; SameSite=Lax${secure}`
}
