/** The proxy on the way to a service, by the variables that curl and other programs read. */
import { BlockList, isIP } from 'node:net'
import type { Machine } from '../core/machine.ts'
import { isLoopback, unbracketed } from '../core/network.ts'

export type Proxy = {
  /** The name of the variable that holds the address. */
  variable: string
  /** The address; undefined for a value that is none. */
  url: URL | undefined
}

/** The first that has a value counts. A service elsewhere is always https, so HTTP_PROXY comes last. */
const VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY', 'http_proxy', 'HTTP_PROXY']
const SCHEMES = ['http:', 'https:', 'socks:', 'socks5:']

/** Returns the proxy for a service; undefined for a service of this machine, or one that NO_PROXY names. */
export function findProxy(base: URL, env: Machine['env']): Proxy | undefined {
  const variable = VARIABLES.find((name) => (env[name] ?? '').trim() !== '')
  if (variable === undefined || isLoopback(base.hostname)) return undefined
  if (isExcepted(base, env['no_proxy'] || env['NO_PROXY'] || '')) return undefined
  return { variable, url: readProxyUrl((env[variable] ?? '').trim()) }
}

/** Returns the words of an error that name the proxy, without its password; nothing where there is none. */
export function formatProxySuffix(base: URL, env: Machine['env']): string {
  const { variable, url } = findProxy(base, env) ?? {}
  return url === undefined ? '' : ` through the proxy ${url.host} (${variable})`
}

/** Parses `proxy:3128` as http, as curl does. `socks5h` is `socks5`, which leaves names to the proxy, too. */
function readProxyUrl(text: string): URL | undefined {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    ? text.replace(/^socks5h:/i, 'socks5:')
    : `http://${text}`
  const url = URL.parse(whole)
  return url !== null && SCHEMES.includes(url.protocol) && url.hostname !== '' && url.port !== '0'
    ? url
    : undefined
}

function isExcepted(base: URL, list: string): boolean {
  const host = plainHost(base)
  const port = base.port || '443'
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => (entry.includes('/') ? isInNetwork(host, entry) : isNamed(host, port, entry)))
}

/** Returns whether an entry, such as `*`, `.example.com`, `192.0.2.7` or `[2001:db8::7]:443`, names a host. */
function isNamed(host: string, port: string, entry: string): boolean {
  const [, name = '', only = port] =
    isIP(entry) === 6 ? ['', entry] : (/^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [])
  if (Number(only) !== Number(port)) return false
  if (name === '*') return true
  const bare = name.replace(/^\*?\./, '')
  const url = URL.parse(`http://${isIP(bare) === 6 ? `[${bare}]` : bare}`)
  if (url === null) return false
  const named = plainHost(url)
  if (isIP(named) !== 0) return isInNetwork(host, named)
  return (host === named && !name.startsWith('*')) || (isIP(host) === 0 && host.endsWith(`.${named}`))
}

/** Returns whether an address lies in a network, such as `192.0.2.0/24`, compared as numbers. */
function isInNetwork(host: string, network: string): boolean {
  const [given = '', length, ...rest] = network.split('/')
  const address = unbracketed(given)
  const [family, own] = [isIP(address), isIP(host)]
  const bits = family === 4 ? 32 : 128
  const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : Infinity
  if (family === 0 || own === 0 || address.includes('%') || prefix > bits || rest.length > 0) return false
  const list = new BlockList()
  list.addSubnet(address, prefix, familyOf(family))
  // It also finds an IPv4 address in its IPv6 form, and the other way round.
  return list.check(host, familyOf(own))
}

function familyOf(version: number): 'ipv4' | 'ipv6' {
  return version === 4 ? 'ipv4' : 'ipv6'
}

/** Returns the host without the brackets of IPv6 and without a final dot. */
function plainHost({ hostname }: URL): string {
  return unbracketed(hostname).replace(/\.$/, '')
}
