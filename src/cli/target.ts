/** Resolves the service of a command, and its token. */
import { isAbsolute, resolve } from 'node:path'
import type { Target } from '../client/client.ts'
import { AppError } from '../core/errors.ts'
import { isPostgresUrl } from '../core/network.ts'
import { parsePostgresUrl } from '../core/postgres-url.ts'
import { type BaseUrl, parseBaseUrl } from './base-url.ts'
import type { Profile, Warn } from './config-file.ts'

export type ServiceLocation = { base_url: string } | { store: string }

/** Returns the service that one source names. Throws AppError('usage') when it names two. */
export function toService(
  baseUrl: string | undefined,
  store: string | undefined,
  folder: string | undefined,
  [urlName, storeName]: readonly [string, string],
): ServiceLocation | undefined {
  if (baseUrl !== undefined && store !== undefined) {
    throw new AppError(
      'usage',
      `${urlName} and ${storeName} exclude each other: use a server, or a store on this machine.`,
    )
  }
  if (baseUrl !== undefined) return { base_url: baseUrl }
  if (store === undefined) return undefined
  if (store === '')
    throw new AppError('usage', `${storeName} is empty; set it to a file or a postgres:// URL.`)
  return { store: absoluteStore(store, folder ?? '/', storeName) }
}

/**
 * Makes paths absolute, so that a store has the same name in every folder. Throws AppError('usage') for other
 * addresses, and for those of PostgreSQL that are not right; `name` is the flag or setting.
 */
export function absoluteStore(store: string, folder: string, name: string): string {
  if (store === '-')
    throw new AppError('usage', 'A store is a file, :memory: or a postgres:// URL, not -.', {
      hint: 'Give a file name; use ./- for a file named -.',
    })
  if (isPostgresUrl(store)) parsePostgresUrl(store, name)
  if (store === ':memory:' || isPostgresUrl(store) || isAbsolute(store)) return store
  // It is longer than a drive letter of Windows: a mistyped address, or another database's.
  const scheme = /^[a-z][a-z0-9+.-]+:/i.exec(store)?.[0]
  if (scheme === undefined) return resolve(folder, store)
  throw new AppError('usage', `A store is a file, :memory: or a postgres:// URL, not ${scheme}…`, {
    hint: `For a file with such a name write ./${scheme}….`,
  })
}

type TargetRequest = {
  service: ServiceLocation
  /** The source that named the service. */
  from: 'flag' | 'environment' | 'project file' | 'profile' | 'config' | 'default'
  /** The profile's name. */
  name: string
  /** True if `--profile` named it. */
  asFlag: boolean
  profile: Profile
  account: string
  /** The value of `--as`. */
  asked: string | undefined
  /** The value of `DRAY_TOKEN`. */
  token: string | undefined
  timeoutMs: number | undefined
  /** True if its customers may have only one ride at a time. */
  oneActiveRide: boolean
}

/** Resolves the target of calls, whether it is protected, and the source of the token. */
export function resolveTarget(
  wanted: TargetRequest,
  warn: Warn,
): { target: Target; isProtected: boolean; token: 'environment' | 'profile' | undefined } {
  const { service, profile, token } = wanted
  if (wanted.asFlag && wanted.from === 'environment' && (profile.base_url ?? profile.store) !== undefined) {
    warn(
      `${'store' in service ? 'DRAY_STORE' : 'DRAY_BASE_URL'} overrides the URL of the profile ${wanted.name}.`,
    )
  }
  if ('store' in service) {
    if (token !== undefined) warn(UNUSED_TOKEN)
    const { account, oneActiveRide } = wanted
    const target: Target = { kind: 'embedded', store: service.store, account, oneActiveRide }
    return { target, isProtected: profile.protected === true, token: undefined }
  }
  return resolveRemote(service.base_url, wanted, warn)
}

const UNUSED_TOKEN = 'DRAY_TOKEN is not used: it is sent only to the server in DRAY_BASE_URL or --base-url.'

/**
 * Resolves a remote target. A token is only sent to its own address: that of DRAY_TOKEN to an address given with it,
 * a profile's to the profile's address.
 */
function resolveRemote(address: string, wanted: TargetRequest, warn: Warn): ReturnType<typeof resolveTarget> {
  const { from, name, profile, asked, timeoutMs } = wanted
  const base = toBaseUrl(address, from, name)
  const ours = profile.base_url !== undefined && toBaseUrl(profile.base_url, 'profile', name).url === base.url
  const given = from === 'profile' ? undefined : wanted.token
  const own = given === undefined && ours ? profile : {}
  const login = holdsLogin(own)
  if (wanted.token !== undefined && given === undefined) warn(UNUSED_TOKEN)
  const live = !base.loopback
  return {
    target: {
      kind: 'remote',
      baseUrl: base.url,
      token: given ?? own.token,
      controlToken: undefined,
      timeoutMs,
      ...(asked !== undefined && { account: asked }),
      ...(login && { login: { profile: name, account: own.account } }),
    },
    isProtected: ours ? (profile.protected ?? live) : profile.protected === true || live,
    token: given !== undefined ? 'environment' : login ? 'profile' : undefined,
  }
}

function holdsLogin({ token, keyring }: Profile): boolean {
  return token !== undefined || keyring === true
}

function toBaseUrl(text: string, from: TargetRequest['from'], profile: string): BaseUrl {
  const base = parseBaseUrl(text)
  if (typeof base !== 'string') return base
  if (from === 'profile') throw new AppError('config_error', `profiles.${profile}.base_url ${base}.`)
  throw new AppError('usage', `${from === 'flag' ? '--base-url' : 'DRAY_BASE_URL'} ${base}.`)
}
