/** The connections to one service: which addresses may receive a token, and through which proxy. */
import type { Dispatcher } from 'undici'
import Pool from 'undici/lib/dispatcher/pool.js'
import { AppError } from '../core/errors.ts'
import type { Machine } from '../core/machine.ts'
import { findProxy } from './proxy.ts'

type ConnectionDeps = Pick<Machine, 'env'> & {
  /** Called with a warning for the user, whatever the verbosity. */
  warn?(line: string): void
}

const CONNECT_LIMIT_MS = 10_000

/** Opens the connection pool. Uses a proxy only for other machines: requests to this machine must not leave it. */
export async function openDispatcher(base: URL, { env, warn }: ConnectionDeps): Promise<Dispatcher> {
  if (base.protocol === 'https:' && env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    warn?.(
      'NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not checked, so anybody on the way can read and change what is sent.',
    )
  }
  const options = { allowH2: false, connectTimeout: CONNECT_LIMIT_MS, connections: 16 }
  const proxy = findProxy(base, env)
  if (proxy === undefined) return new Pool(base.origin, options)
  const { variable, url } = proxy
  if (url === undefined) {
    const message = `${variable} is not the address of a proxy, such as http://proxy.example:3128.`
    throw new AppError('config_error', message)
  }
  const { ProxyAgent } = await import('undici')
  return new ProxyAgent({ ...options, uri: url.href })
}
