/** The caller that a request counts for, where callers share a limit. */
import type { IncomingMessage } from 'node:http'
import { networkOf } from '../core/network.ts'
import { readClientAddress } from './origin.ts'

/** The number of remembered credentials: as many as may be in use at a time. */
const REMEMBERED = 10_000

export type Callers = {
  /** Returns the account of a credential that was accepted before; the address for any other credential. */
  of(request: IncomingMessage): string
  /** Remembers the account of an accepted credential. */
  learn(request: IncomingMessage, account: string): void
  /** Forgets a rejected credential. */
  forget(request: IncomingMessage): void
}

/**
 * Makes the memory of callers. All tokens of an account are one caller, and so are all unknown tokens from one
 * address.
 */
export function makeCallers(): Callers {
  const accounts = new Map<string, string>()
  return {
    of(request) {
      const { authorization } = request.headers
      const known = authorization === undefined ? undefined : accounts.get(authorization)
      return known ?? networkOf(readClientAddress(request))
    },
    learn({ headers: { authorization } }, account) {
      if (authorization === undefined || accounts.has(authorization)) return
      const [oldest] = accounts.keys()
      if (accounts.size >= REMEMBERED && oldest !== undefined) accounts.delete(oldest)
      accounts.set(authorization, account)
    },
    forget({ headers: { authorization } }) {
      if (authorization !== undefined) accounts.delete(authorization)
    },
  }
}
