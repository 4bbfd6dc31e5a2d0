/** Identifies the service of a target, however it is named, because spending limits belong to the service. */
import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Target } from '../client/client.ts'
import { findServedStore } from '../client/control-token.ts'
import { isLoopback } from '../core/network.ts'

/**
 * Returns the same identity for a store by any path or link, and for the `dray serve` that this user runs over it.
 * For an address, password, user and a final slash do not matter.
 */
export function serviceIdentity(target: Target, stateFolder: string): string {
  if (target.kind === 'remote') return servedStore(target.baseUrl, stateFolder) ?? ofAddress(target.baseUrl)
  const { store } = target
  if (/^postgres(?:ql)?:\/\//.test(store)) return ofDatabase(store)
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
  const url = URL.parse(text)
  if (url === null) return text
  const name = decodeURIComponent(url.pathname).replaceAll(/^\/+|\/+$/g, '')
  const socket = url.searchParams.get('host')
  const options = url.searchParams.get('options')
  return [
    `postgres://${socket ?? hostOf(url)}:${url.searchParams.get('port') ?? (url.port || '5432')}`,
    name === '' ? url.username : name,
    ...(options === null ? [] : [options]),
  ].join('/')
}

/** Returns the host; all names of this machine become one. */
function hostOf({ hostname }: URL): string {
  return hostname === '' || isLoopback(hostname) ? '127.0.0.1' : hostname.toLowerCase()
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
