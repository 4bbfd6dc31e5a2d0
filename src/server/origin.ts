/** The address and the origin of a request, also behind proxies. */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { AppError } from '../core/errors.ts'

/** The proxies with trusted forwarded headers. */
export type TrustedProxies = { has(address: string): boolean }

/** Parses addresses and networks, such as `10.0.0.2` and `10.0.0.0/8`. Throws `usage` for anything else. */
export function parseTrustedProxies(named: readonly string[]): TrustedProxies {
  if (named.length === 0) return { has: () => false }
  const list = new BlockList()
  for (const text of named) {
    const [address = '', prefix, ...rest] = text.split('/')
    const family = isIP(address)
    const bits = family === 4 ? 32 : 128
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Infinity
    if (family === 0 || address.includes('%') || length > bits || rest.length > 0) {
      throw new AppError(
        'usage',
        `--trusted-proxy must be an address or a network, such as 10.0.0.2 or 10.0.0.0/8, not ${JSON.stringify(text.slice(0, 60))}.`,
      )
    }
    list.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6')
  }
  return {
    has(address) {
      const [plain = ''] = address.split('%', 1)
      const family = isIP(plain)
      return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6')
    },
  }
}

/** The requests that a trusted proxy forwarded. */
const passedOn = new WeakMap<IncomingMessage, TrustedProxies>()

/** Trusts the forwarded headers of a request if its peer is a named proxy. Call it before they are read. */
export function trustProxy(request: IncomingMessage, proxies: TrustedProxies | undefined): void {
  if (proxies?.has(request.socket.remoteAddress ?? '') === true) passedOn.set(request, proxies)
}

/** Returns the origin by which the caller knows this service: its Host, with https if a trusted proxy says so. */
export function readRequestOrigin(request: IncomingMessage): string {
  return `${schemeOf(request) ?? 'http'}://${request.headers.host ?? ''}`
}

/** Returns the scheme of the caller's request, as a trusted proxy states it; undefined where none does. */
export function schemeOf(request: IncomingMessage): 'http' | 'https' | undefined {
  if (!passedOn.has(request)) return undefined
  const forwarded = lastOf(request.headersDistinct['x-forwarded-proto'])?.toLowerCase()
  return forwarded === 'http' || forwarded === 'https' ? forwarded : undefined
}

/** The headers that proxies add. */
const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/** Returns whether a proxy passed the request on, also one that is not trusted. */
export function isForwarded({ headers }: IncomingMessage): boolean {
  return FORWARDING.some((name) => headers[name] !== undefined)
}

/**
 * Returns the address for which a request counts: the peer's, or the one that a trusted proxy forwarded. With several
 * proxies in a row it is the last address that is no trusted proxy; earlier ones may be forged.
 */
export function readClientAddress(request: IncomingMessage): string {
  let address = request.socket.remoteAddress ?? ''
  const proxies = passedOn.get(request)
  if (proxies === undefined) return address
  for (const hop of listed(request.headersDistinct['x-forwarded-for']).toReversed()) {
    if (isIP(hop) === 0) return address
    address = hop
    if (!proxies.has(hop)) return address
  }
  return address
}

/** Returns the values of a header that may be repeated, each a list. */
function listed(values: readonly string[] = []): string[] {
  return values.flatMap((value) => value.split(',')).map((value) => value.trim())
}

function lastOf(values: readonly string[] | undefined): string | undefined {
  return listed(values).at(-1)
}
