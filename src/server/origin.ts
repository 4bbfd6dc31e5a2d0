/** The address that a request came from, and the origin it was sent to, also through proxies. */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { AppError } from '../core/errors.ts'

/** The proxies whose forwarded headers are believed. */
export type Proxies = { has(address: string): boolean }

/** Reads addresses and networks, as `10.0.0.2` and `10.0.0.0/8`. Throws `usage` for anything else. */
export function readProxies(named: readonly string[]): Proxies {
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

/** The requests that a named proxy passed on. */
const passedOn = new WeakMap<IncomingMessage, Proxies>()

/** Believes the forwarded headers of a request if its peer is a named proxy; called before they are read. */
export function trustProxy(request: IncomingMessage, proxies: Proxies | undefined): void {
  if (proxies?.has(request.socket.remoteAddress ?? '') === true) passedOn.set(request, proxies)
}

/** The origin at which the caller knows this service: its Host, over https where a named proxy says so. */
export function originOf(request: IncomingMessage): string {
  const { headers, headersDistinct } = request
  const forwarded = passedOn.has(request) ? lastOf(headersDistinct['x-forwarded-proto']) : undefined
  return `${forwarded?.toLowerCase() === 'https' ? 'https' : 'http'}://${headers.host ?? ''}`
}

/**
 * The address by which a caller is counted: its own, or the one that a named proxy passed it on for. Of several
 * proxies in a row it is the last address that is no named proxy; anything before that could be made up.
 */
export function addressOf(request: IncomingMessage): string {
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

/** The values of a header that may come several times, each a list. */
function listed(values: readonly string[] = []): string[] {
  return values.flatMap((value) => value.split(',')).map((value) => value.trim())
}

function lastOf(values: readonly string[] | undefined): string | undefined {
  return listed(values).at(-1)
}
