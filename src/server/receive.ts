/** Bodies of requests as they arrive: until one is whole, its request counts for its caller and holds no place. */
import type { IncomingMessage } from 'node:http'
import { readBody } from './body.ts'
import type { Load } from './load.ts'
import { makeShares } from './shares.ts'

/** Bytes of bodies that are not yet whole, together: hundreds of long ones would be all of the memory. */
const MAX_BYTES = 128 * 1_048_576

export type ReceiveDeps = {
  load: Load
  /** Bodies that may be unfinished at a time, of callers with an accepted credential, and of all others. */
  limits: { authenticated: number; anonymous: number }
  /** Milliseconds before the speed of a body counts. */
  grace: number
}

/** Whose body it is; `authenticated` once the credential of the request is known to be good. */
export type Sender = { name: string; authenticated: boolean }

export type Receive = {
  /** Reads the whole body. Throws as `readBody` does, and `service_unavailable` when its turn does not come. */
  read(request: IncomingMessage, sender: Sender, limit: number): Promise<Uint8Array>
  /** The same for work that reads the body by itself. */
  during<T>(request: IncomingMessage, sender: Sender, work: () => Promise<T>): Promise<T>
}

export function makeReceive({ load, limits, grace }: ReceiveDeps): Receive {
  // The newest body of a caller has come the shortest way, and is sent again with the least loss.
  const bytes = makeShares(MAX_BYTES, 'newest')
  const authenticated = makeShares(limits.authenticated)
  const anonymous = makeShares(limits.anonymous)

  async function during<T>(request: IncomingMessage, { name }: Sender, work: () => Promise<T>): Promise<T> {
    // Most bodies came together with the head.
    if (request.complete) return work()
    load.leave(request)
    const value = await work()
    await new Promise<void>((resolve, reject) => {
      load.enter(request, name, (refusal) => (refusal === undefined ? resolve() : reject(refusal)))
    })
    return value
  }

  return {
    during,
    read: (request, sender, limit) =>
      during(request, sender, () =>
        readBody(request, limit, {
          caller: sender.name,
          bytes,
          bodies: sender.authenticated ? authenticated : anonymous,
          grace,
        }),
      ),
  }
}
