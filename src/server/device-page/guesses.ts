/** How many wrong codes somebody may enter: with so few tries, eight letters are enough (RFC 8628 5.1). */
import type { IncomingMessage } from 'node:http'
import { makeIpLimit } from '../ip-limit.ts'
import { addressOf } from '../origin.ts'

/** As long as a code lives. */
const SECONDS = 600
const TRIES = 5
/** For all together whom one proxy speaks for: what it says of them could be made up. */
const TRIES_OF_PROXY = 200

export type Guesses = {
  /** Counts one; gives how many are left, or the seconds to wait when it is one too many. */
  take(request: IncomingMessage): Promise<{ left: number; waitAfter: number } | { wait: number }>
  /** It was no guess. */
  giveBack(request: IncomingMessage): Promise<void>
}

export function makeGuesses(): Guesses {
  const own = makeIpLimit({ points: TRIES, seconds: SECONDS })
  const together = makeIpLimit({ points: TRIES_OF_PROXY, seconds: SECONDS })
  const peerOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? ''
  return {
    async take(request) {
      const address = addressOf(request)
      const wait = (await together.take(peerOf(request))) ?? (await own.take(address))
      if (wait !== undefined) return { wait }
      return { left: await own.left(address), waitAfter: (await own.look(address)) ?? 0 }
    },
    async giveBack(request) {
      await own.giveBack(addressOf(request))
      await together.giveBack(peerOf(request))
    },
  }
}
