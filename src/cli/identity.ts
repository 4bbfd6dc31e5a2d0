/** Which service a target is, however it is named: limits of spending are those of the service, not of its name. */
import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Target } from '../client/client.ts'
import { findServedStore } from '../client/control-token.ts'
import { isLoopback } from '../core/network.ts'

/**
 * The same for a store by another path or link, or by the address of the `dray serve` that this user runs over it, and
 * for an address with or without password, user or last slash.
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

/** The parameters that lead to another database or schema count; how it is reached does not. */
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

/** All names of this machine are one. */
function hostOf({ hostname }: URL): string {
  return hostname === '' || isLoopback(hostname) ? '127.0.0.1' : hostname.toLowerCase()
}

function portOf({ port }: URL): string {
  return port === '' ? '' : `:${port}`
}

/** A store that is not there yet is named by the real path of its folder. */
function ofFile(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(ofFile(folder), basename(path))
  }
}
