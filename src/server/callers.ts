/** For whom a request is counted where callers share something. */
import type { IncomingMessage } from 'node:http'
import { networkOf } from '../core/network.ts'
import { addressOf } from './origin.ts'

/** Credentials that are remembered: as many as may be in use at a time. */
const REMEMBERED = 10_000

export type Callers = {
  /** The account of a credential that was accepted before; for any other credential the address. */
  of(request: IncomingMessage): string
  /** Remembers whose the credential of a request is, once it was accepted. */
  learn(request: IncomingMessage, account: string): void
  /** Forgets a credential that was refused. */
  forget(request: IncomingMessage): void
}

/** Many tokens of one account are one caller, and so are all invented tokens from one address. */
export function makeCallers(): Callers {
  const accounts = new Map<string, string>()
  return {
    of(request) {
      const { authorization } = request.headers
      const known = authorization === undefined ? undefined : accounts.get(authorization)
      return known ?? networkOf(addressOf(request))
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
