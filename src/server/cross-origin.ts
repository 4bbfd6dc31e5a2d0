/**
 * Requests of pages from other origins (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol): which routes answer them, and
 * with which headers. Credentials are never allowed, so a browser hands such a page no response to a request with cookies.
 */
import type { IncomingMessage } from 'node:http'
import { AppError } from '../core/errors.ts'

/** Which pages of other origins may read a route: all of them, or those of `--allowed-origin`. */
export type CrossOriginReaders = 'anyone' | 'allowed'

/** The time for which a browser may reuse the response to a preflight, in seconds. Chromium takes no longer one. */
const PREFLIGHT_MAX_AGE_S = 7200

/** Returns the origin that may read the response, as `Access-Control-Allow-Origin` names it; undefined for a rejected page. */
export function grantOrigin(
  origin: string,
  readers: CrossOriginReaders | undefined,
  allowedOrigins: readonly string[],
): string | undefined {
  if (readers === 'anyone') return '*'
  return readers === 'allowed' && allowedOrigins.includes(origin) ? origin : undefined
}

/** Returns the headers of each response to a page of another origin. */
export function crossOriginHeaders(granted: string): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': granted,
    'Access-Control-Expose-Headers': '*',
    ...(granted !== '*' && { Vary: 'Origin' }),
  }
}

/** Returns whether a request is the preflight of a browser. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

/** Returns the headers of the response to a preflight. `*` does not cover `Authorization`, which is therefore named. */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': 'Authorization, *',
    'Access-Control-Max-Age': String(PREFLIGHT_MAX_AGE_S),
  }
}

/** A page of another origin that a server refuses. */
type RefusedPage = {
  origin: string
  /** The Host of the request. */
  host: string
  readers: CrossOriginReaders | undefined
  allowedOrigins: readonly string[]
  /** The command that starts the server. */
  command: string
}

/** Returns the error of a page of another origin. It names the flag that lets the page in, where one does. */
export function refuseOrigin({ origin, host, readers, allowedOrigins, command }: RefusedPage): AppError {
  const parsed = parseOrigin(origin)
  const isAllowed = allowedOrigins.includes(origin)
  const isOwnHost = parsed !== undefined && new URL(parsed).host === host
  let hint = `For a page under a host name other than localhost, start the server with \`${command} --allowed-host NAME\`.`
  if (isAllowed)
    hint = '--allowed-origin opens the API, which takes tokens, and no page that people sign in to.'
  else if (readers !== undefined && parsed !== undefined && !isOwnHost)
    hint = `To let pages of ${parsed} call the API, start the server with \`${command} --allowed-origin ${parsed}\`.`
  return new AppError('origin_not_allowed', 'Pages from other origins cannot call this server.', { hint })
}

/**
 * Parses the origins of `--allowed-origin` as browsers send them: the scheme, the host in ASCII, and a port other than that of the
 * scheme. Throws `usage` for `*`, `null`, a path and anything else that is no origin.
 */
export function readAllowedOrigins(given: readonly string[]): string[] {
  return given.map((text) => {
    const origin = parseOrigin(text)
    if (origin !== undefined) return origin
    throw new AppError(
      'usage',
      `--allowed-origin must be an origin, such as http://localhost:5173, not ${JSON.stringify(text.slice(0, 60))}.`,
      {
        hint: 'Write the scheme, the host and the port, without a path; repeat --allowed-origin for each origin.',
      },
    )
  })
}

/** Returns an origin as browsers send it; undefined for a text that is none. */
function parseOrigin(text: string): string | undefined {
  if (!/^https?:\/\/[^/?#@\\\s*]+\/?$/i.test(text)) return undefined
  return URL.parse(text)?.origin
}
