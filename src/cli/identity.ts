/** Identifies the service of a target, however it is named, because spending limits belong to the service. */
import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Target } from '../client/client.ts'
import { findServedStore } from '../client/control-token.ts'
import { isLoopback, isPostgresUrl } from '../core/network.ts'
import { hidePassword, parsePostgresUrl } from '../core/postgres-url.ts'

/**
 * Returns the same identity for a store by any path or link, and for the `dray serve` that this user runs over it.
 * For an address, password, user and a final slash do not matter.
 */
export function serviceIdentity(target: Target, stateFolder: string): string {
  if (target.kind === 'remote') return servedStore(target.baseUrl, stateFolder) ?? ofAddress(target.baseUrl)
  const { store } = target
  if (isPostgresUrl(store)) return ofDatabase(store)
  return store === ':memory:' ? store : ofFile(store)
}

function servedStore(text: string, stateFolder: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'http:' || !isLoopback(url.hostname)) return undefined
  return findServedStore(Number(url.port || 80), stateFolder)
}

function ofAddress(text: string): string {
  const url = URL.parse(text)
  if (url === null) return text
  return `${url.protocol}//${hostOf(url)}${portOf(url)}${url.pathname.replace(/\/+$/, '')}`
}

/** Returns the identity of a database. Only parameters that select another database or schema count. */
function ofDatabase(text: string): string {
  const url = URL.parse(text.replace(/^([^/]*\/\/)[^/?#]*/, '$1host'))
  if (url === null) return hidePassword(text)
  const places = parsePostgresUrl(text).hosts.map(({ host, port }) => `${ofHost(host)}:${port}`)
  const name = decodeURIComponent(url.pathname).replaceAll(/^\/+|\/+$/g, '')
  const options = url.searchParams.get('options')
  return [
    `postgres://${places.toSorted().join(',')}`,
    name === '' ? userOf(text) : name,
    ...(options === null ? [] : [options]),
  ].join('/')
}

function userOf(text: string): string {
  return /^[^/]*\/\/([^:@/?#]*)[^/?#]*@/.exec(text)?.[1] ?? ''
}

function hostOf({ hostname }: URL): string {
  return ofHost(hostname)
}

/** Returns the host; all names of this machine become one. */
function ofHost(host: string): string {
  return host === '' || isLoopback(host) ? '127.0.0.1' : host.startsWith('/') ? host : host.toLowerCase()
}

function portOf({ port }: URL): string {
  return port === '' ? '' : `:${port}`
}

/** Returns the real path of a file; for a missing file, that of its folder with its name. */
function ofFile(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(ofFile(folder), basename(path))
  }
}
