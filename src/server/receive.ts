/**
 * Receives bodies. Until a body is complete, its request counts for its caller but does not take a place among the
 * running ones.
 */
import type { IncomingMessage } from 'node:http'
import { readBody } from './body.ts'
import { makeFairQuota } from './fair-quota.ts'
import type { RequestScheduler } from './load.ts'

/** The most bytes of incomplete bodies together: hundreds of long ones would fill the memory. */
const MAX_BYTES = 128 * 1_048_576

export type ReceiveDeps = {
  load: RequestScheduler
  /** The most incomplete bodies of callers with an accepted credential, and of all others. */
  limits: { authenticated: number; anonymous: number }
  /** Milliseconds before the speed of a body is checked. */
  grace: number
}

/** The sender of a body. `authenticated` is set once the credential is accepted. */
export type BodySender = { name: string; authenticated: boolean }

export type Receive = {
  /** Reads the whole body. Throws as `readBody` does, and `service_unavailable` when its turn does not come. */
  read(request: IncomingMessage, sender: BodySender, limit: number): Promise<Uint8Array>
  /** Runs `work` that reads the body by itself, under the same limits. */
  during<T>(request: IncomingMessage, sender: BodySender, work: () => Promise<T>): Promise<T>
}

/** Makes the receiver of bodies, which callers share. */
export function makeReceive({ load, limits, grace }: ReceiveDeps): Receive {
  // A caller's newest body is rejected first: the least of it has arrived, so sending it again costs least.
  const bytes = makeFairQuota(MAX_BYTES, 'newest')
  const authenticated = makeFairQuota(limits.authenticated)
  const anonymous = makeFairQuota(limits.anonymous)

  async function during<T>(
    request: IncomingMessage,
    { name }: BodySender,
    work: () => Promise<T>,
  ): Promise<T> {
    // Most bodies arrive together with the headers.
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
