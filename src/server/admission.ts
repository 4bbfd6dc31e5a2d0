/** Checks a request before its route: the host it was sent to, its origin, and whether its path is valid. */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { AppError } from '../core/errors.ts'
import { bracketed, isLoopback } from '../core/network.ts'
import { type CrossOriginReaders, grantOrigin, refuseOrigin } from './cross-origin.ts'
import { isForwarded, type TrustedProxies, schemeOf } from './origin.ts'

/** The most header lines; our clients send fewer. Node would silently drop lines beyond 2,000. */
const MAX_HEADERS = 100

/** The paths of probes. Their answers tell nothing of the service but that it is up. */
const PROBES = ['/healthz', '/readyz']

/** The values of `Host` and `Origin` that a server accepts. */
export type AcceptedHosts = {
  /** The address that it listens on. */
  host: string
  /** Additional names, which a proxy in front passes on. */
  allowedHosts: readonly HostParts[]
  /** The other origins that may call the API, as browsers send them. */
  allowedOrigins?: readonly string[] | undefined
  /** The proxies with trusted forwarded headers; none by default. */
  proxies?: TrustedProxies | undefined
  /** The command that starts the server, for hints; `dray serve` by default. */
  command?: string | undefined
}

/**
 * Rejects, in this order: too many headers, a missing or repeated Host, a foreign Host or Origin. Probes may name any
 * Host, also an empty one, and none in HTTP/1.0: a balancer asks by an address of its own. `readersOf` says which foreign origins
 * the requested path answers. Returns the origin to which the response is granted; undefined for a request of no foreign page.
 */
export function admit(
  request: IncomingMessage,
  addressing: AcceptedHosts,
  readersOf: () => CrossOriginReaders | undefined,
): string | undefined {
  const { headers, rawHeaders } = request
  if (rawHeaders.length / 2 > MAX_HEADERS) {
    throw new AppError('headers_too_large', `The request has more than ${MAX_HEADERS} header lines.`)
  }
  const { command = 'dray serve', allowedOrigins = [] } = addressing
  const host = readHost(request, addressing)
  const { origin } = headers
  if (origin === undefined || isSameOrigin(request, host.toLowerCase(), addressing)) return undefined
  const readers = readersOf()
  const granted = grantOrigin(origin, readers, allowedOrigins)
  if (granted === undefined)
    throw refuseOrigin({ origin, host: host.toLowerCase(), readers, allowedOrigins, command })
  return granted
}

/** Returns the host of a request; nothing for a probe without one. */
function readHost(request: IncomingMessage, addressing: AcceptedHosts): string {
  const { headers, headersDistinct, url = '', httpVersion } = request
  const { command = 'dray serve' } = addressing
  const { length } = headersDistinct['host'] ?? []
  const { host = '' } = headers
  const isProbe = PROBES.includes(url.split('?', 1)[0] ?? '')
  const isLacking = length === 0 && httpVersion !== '1.0'
  if (isProbe && !isLacking && length < 2) return host
  if (isLacking || length > 1 || host === '')
    throw new AppError('invalid_request', 'The request needs exactly one Host header.')
  if (isOurs(host, addressing)) return host
  throw new AppError('origin_not_allowed', 'The Host header names another server than this one.', {
    hint: `Use the address that it printed, or start it with \`${command} --allowed-host NAME\`.`,
  })
}

/**
 * On loopback, accepts only loopback names, because an attacker's name may resolve to 127.0.0.1. Their port may be that
 * of a forwarding, by SSH or a container. Elsewhere accepts any name, unless names were configured.
 */
function isOurs(host: string, addressing: AcceptedHosts): boolean {
  const { name } = splitHost(host)
  if (name === '') return false
  if (isAllowed(host, addressing) || isLoopback(name)) return true
  if (name === splitHost(bracketed(addressing.host)).name) return true
  return !isLoopback(addressing.host) && addressing.allowedHosts.length === 0
}

/** A client leaves the port of its scheme out. */
const USUAL_PORTS = [80, 443]

function isAllowed(host: string, { allowedHosts }: AcceptedHosts): boolean {
  const { name, port } = splitHost(host)
  return allowedHosts.some(
    (allowed) =>
      allowed.name === name &&
      // `name` is for any port.
      (allowed.port === undefined ||
        allowed.port === port ||
        (port === undefined && USUAL_PORTS.includes(allowed.port))),
  )
}

function isSameOrigin(request: IncomingMessage, host: string, addressing: AcceptedHosts): boolean {
  const { origin = '' } = request.headers
  const [, scheme, from] = /^(https?):\/\/([^/]+)$/.exec(origin.toLowerCase()) ?? []
  if (from !== host) return false
  const known = schemeOf(request)
  // A proxy that is not trusted may end TLS for an allowed name.
  if (isAllowed(host, addressing)) return known === undefined || scheme === known
  return isLoopback(splitHost(host).name) && scheme === (known ?? 'http')
}

/** Returns whether a program of this machine sent the request by itself: to a loopback name, and through no proxy. */
export function isFromHere(request: IncomingMessage): boolean {
  const { headers, socket } = request
  const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  return isLoopback(peer) && isLoopback(splitHost(headers.host ?? '').name) && !isForwarded(request)
}

/** The parts of a Host: the name in one spelling, and the port. */
type HostParts = { name: string; port: number | undefined }

/** Returns the parts of a Host. The name is empty for an invalid one. */
export function splitHost(host: string): HostParts {
  const [, name = '', port] =
    /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+?)\.?(?::(\d{1,5}))?$/.exec(host.toLowerCase()) ?? []
  return {
    name: name.startsWith('[') ? (URL.parse(`http://${name}`)?.hostname ?? '') : name,
    port: port === undefined ? undefined : Number(port),
  }
}

/**
 * Parses names that a proxy passes on as Host: `name` for any port, or `name:port`. Names of other scripts become ASCII
 * (IDNA). Throws `usage` for anything that no Host can match, such as a pattern, a network or a URL.
 */
export function readAllowedHosts(named: readonly string[]): string[] {
  return named.map((text) => {
    const found = parseAllowedHost(text)
    if (found !== undefined) return found
    throw new AppError(
      'usage',
      `--allowed-host must be one name, such as api.example.com or api.example.com:8443, not ${JSON.stringify(text.slice(0, 60))}.`,
      {
        hint: 'Leave out https:// and paths. Patterns and networks match nothing: repeat --allowed-host for each name.',
      },
    )
  })
}

function parseAllowedHost(text: string): string | undefined {
  if (isIP(text) === 6) return parseAllowedHost(`[${text}]`)
  const [, given = '', port] = /^(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  if (port !== undefined && (Number(port) === 0 || Number(port) > 65_535)) return undefined
  const name = given.startsWith('[') ? splitHost(given).name : toAsciiName(given)
  if (name === undefined || name === '') return undefined
  return port === undefined ? name : `${name}:${Number(port)}`
}

function toAsciiName(text: string): string | undefined {
  // A URL would have them as a path, a user name or an escape.
  if (/[\s/\\?#@%]/.test(text)) return undefined
  const name = (URL.parse(`http://${text}`)?.hostname ?? '').replace(/\.$/, '')
  // 010.0.0.1 and 167772161 are other spellings of addresses.
  if (isIP(name) === 4) return name === text ? name : undefined
  const labels = name.split('.')
  const isName = labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
  return isName && /[a-z]/.test(labels.at(-1) ?? '') ? name : undefined
}

/** Returns the address of a server that a client of this machine can use, also where it listens on all interfaces. */
export function urlOf(host: string, port: number): string {
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${bracketed(reached)}:${port}`
}

/** Splits the target of a request. Only a whole URL, as a proxy may send it, has an authority (RFC 9112, 3.2.2). */
export function splitTarget(target: string): { authority?: string; path: string } {
  const [, authority, path = ''] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(target) ?? []
  if (authority === undefined) return { path: target }
  return { authority, path: path.startsWith('/') ? path : `/${path}` }
}

/** The paths that may end with a slash. */
const SLASHED: ReadonlySet<string> = new Set(['/', '/docs/', '/mcp/'])

/**
 * Returns whether a request's target is a plain absolute path: whole segments in valid UTF-8, without `..`, and
 * without encoded separators or control characters.
 */
export function isPlainPath(target: string): boolean {
  const [path = ''] = target.split('?', 1)
  if (!path.startsWith('/') || path.includes('#')) return false
  return SLASHED.has(path) || path.slice(1).split('/').every(isPlainSegment)
}

function isPlainSegment(segment: string): boolean {
  let text = segment
  if (segment.includes('%')) {
    try {
      text = decodeURIComponent(segment)
    } catch {
      return false
    }
  }
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  return text !== '' && text !== '.' && text !== '..' && !/[/\\\u0000-\u001f\u007f]/.test(text)
}
