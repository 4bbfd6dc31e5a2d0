/** The route engine: `formula`, or `osrm=<url>` for a server with that protocol. */
import { AppError } from '../core/errors.ts'

/** Returns the URL of the server without a final slash; undefined for the formula. Throws AppError. */
export function readRouteEngine(
  text: string,
  name: string,
  code: 'usage' | 'config_error' = 'usage',
): string | undefined {
  if (text === 'formula') return undefined
  const address = /^osrm=(.*)$/s.exec(text)?.[1]
  // oxlint-disable-next-line no-control-regex -- they are what is refused
  const url = address === undefined || /[\x00-\x20\x7f\\]/.test(address) ? null : URL.parse(address)
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === ''
  if (!isPlain)
    throw new AppError(code, `${name} must be formula, or osrm= and a URL such as http://127.0.0.1:5000.`, {
      hint: 'dray calls /route/v1/… under that URL; it cannot have a user name or a query.',
    })
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
