/** The address of a service: which ones may receive a token. */
import { AppError } from '../core/errors.ts'
import { isLoopback } from '../core/network.ts'

/** Parses the base URL. Throws `config_error` for an address that must not receive a token. */
export function readBase(text: string): URL {
  const base = URL.parse(text)
  const safe = base?.protocol === 'https:' || (base?.protocol === 'http:' && isLoopback(base.hostname))
  if (base === null || !safe || base.username !== '' || base.password !== '' || base.port === '0') {
    throw new AppError(
      'config_error',
      'The server URL must use https, or http on this machine, without a user name.',
    )
  }
  return base
}
