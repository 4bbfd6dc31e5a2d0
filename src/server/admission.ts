/** Checks a request before its route: the host it was sent to, its origin, and whether its path is valid. */
import type { IncomingMessage } from 'node:http'
import { AppError } from '../core/errors.ts'
import { isLoopback } from '../core/network.ts'
import type { Proxies } from './origin.ts'

/** The most header lines; our clients send fewer. Node would silently drop lines beyond 2,000. */
const MAX_HEADERS = 100

/** The paths of probes. Their answers tell nothing of the service but that it is up. */
const PROBES = ['/healthz', '/readyz']

/** The values of `Host` and `Origin` that a server accepts. */
export type Addressing = {
  /** The address that it listens on. */
  host: string
  /** Returns the port that it listens on, known once it does. */
  port(): number
  /** Additional names, `name` for any port or `name:port`, which a proxy in front passes on. */
  allowedHosts: readonly string[]
  /** The proxies whose forwarded headers are trusted; none by default. */
  proxies?: Proxies | undefined
  /** The command that starts the server, for hints; `dray serve` by default. */
  command?: string | undefined
}

/**
 * Rejects, in this order: too many headers, a missing or repeated Host, a foreign Host or Origin. Probes may name any
 * Host, also an empty one, and none in HTTP/1.0: a balancer asks by an address of its own.
 */
export function admit(request: IncomingMessage, addressing: Addressing): void {
  const { headers, rawHeaders } = request
  if (rawHeaders.length / 2 > MAX_HEADERS) {
    throw new AppError('headers_too_large', `The request has more than ${MAX_HEADERS} header lines.`)
  }
  const { command = 'dray serve' } = addressing
  const host = readHost(request, addressing)
  if (
    headers.origin !== undefined &&
    !isSameOrigin(headers.origin.toLowerCase(), host.toLowerCase(), addressing)
  ) {
    throw new AppError('origin_not_allowed', 'Pages of other origins may not call this service.', {
      hint: `For a page of its own at another name than localhost, start it with \`${command} --allowed-host NAME\`.`,
    })
  }
}

/** Returns the Host of a request; nothing for a probe without one. */
function readHost(
  { headersDistinct, url = '', httpVersion }: IncomingMessage,
  addressing: Addressing,
): string {
  const { command = 'dray serve' } = addressing
  const hosts = headersDistinct['host'] ?? []
  const [host = ''] = hosts
  const isProbe = PROBES.includes(url.split('?', 1)[0] ?? '')
  if (isProbe && (httpVersion === '1.0' ? hosts.length < 2 : hosts.length === 1)) return host
  if (hosts.length !== 1 || host === '')
    throw new AppError('invalid_request', 'The request needs exactly one Host header.')
  if (isOurs(host.toLowerCase(), addressing)) return host
  throw new AppError('origin_not_allowed', 'The Host header names another server than this one.', {
    hint: `Use the address that it printed, or start it with \`${command} --allowed-host NAME\`.`,
  })
}

/**
 * On loopback, accepts only loopback names with our port, because an attacker's name may resolve to 127.0.0.1.
 * Elsewhere accepts any name, unless names were configured.
 */
function isOurs(host: string, addressing: Addressing): boolean {
  const { name, port } = splitHost(host)
  if (name === '') return false
  if (isAllowed(host, name, addressing)) return true
  const loopback = isLoopback(addressing.host)
  if (!loopback && addressing.allowedHosts.length === 0) return true
  const ours = isLoopback(name) || name === bracketed(addressing.host)
  return ours && (port ?? 80) === addressing.port()
}

function isAllowed(host: string, name: string, { allowedHosts }: Addressing): boolean {
  return allowedHosts.some((allowed) => allowed.toLowerCase() === host || allowed.toLowerCase() === name)
}

function isSameOrigin(origin: string, host: string, addressing: Addressing): boolean {
  const from = /^https?:\/\/([^/]+)$/.exec(origin)?.[1]
  const { name } = splitHost(host)
  return from === host && (isLoopback(name) || isAllowed(host, name, addressing))
}

function splitHost(host: string): { name: string; port: number | undefined } {
  const parts = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/.exec(host)
  return { name: parts?.[1] ?? '', port: parts?.[2] === undefined ? undefined : Number(parts[2]) }
}

/** Returns the host as it is written in a URL. */
export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

/**
 * Returns whether a request's target is a plain absolute path: whole segments in valid UTF-8, without `..`, and
 * without encoded separators or control characters.
 */
export function isPlainPath(target: string): boolean {
  const [path = ''] = target.split('?', 1)
  if (!path.startsWith('/') || path.includes('#')) return false
  return path === '/' || path === '/docs/' || path.slice(1).split('/').every(isPlainSegment)
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
