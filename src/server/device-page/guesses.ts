/** Limits wrong codes: with few attempts, eight letters are enough (RFC 8628 5.1). */
import type { IncomingMessage } from 'node:http'
import { makeIpLimit } from '../ip-limit.ts'
import { readClientAddress } from '../origin.ts'

/** The lifetime of a code. */
const SECONDS = 600
/** The wrong codes that one address may enter. */
const TRIES = 5
/**
 * The wrong codes of all addresses together. Above it each address has one attempt, which is enough for a right code.
 */
const FLOOD = 1000
const EVERYBODY = ''

export type Guesses = {
  /** Counts one attempt. Returns the attempts left, or the seconds to wait when there are none. */
  take(request: IncomingMessage): Promise<{ left: number; waitAfter: number } | { wait: number }>
  /** Takes back an attempt, because the code was right. */
  giveBack(request: IncomingMessage): Promise<void>
  /** Counts a wrong code. */
  miss(): Promise<void>
}

/** Makes the counters of wrong codes. */
export function makeGuesses(): Guesses {
  const own = makeIpLimit({ name: 'codes', points: TRIES, seconds: SECONDS })
  const together = makeIpLimit({ name: 'all codes', points: FLOOD, seconds: SECONDS })
  return {
    async take(request) {
      const address = readClientAddress(request)
      const wait = await own.take(address)
      if (wait !== undefined) return { wait }
      const left = await own.left(address)
      const flood = left < TRIES - 1 ? await together.look(EVERYBODY) : undefined
      return flood === undefined ? { left, waitAfter: (await own.look(address)) ?? 0 } : { wait: flood }
    },
    giveBack: (request) => own.giveBack(readClientAddress(request)),
    async miss() {
      await together.take(EVERYBODY)
    },
  }
}
