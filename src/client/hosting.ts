/** What the HTTP server and the MCP server need of a service in this process besides its operations. */

import { serviceTime } from '../gateway/gateway.ts'
import { readMedia } from '../gateway/media.ts'
import type { Credential } from '../gateway/request.ts'
import { makeLogins } from '../oauth/service.ts'
import type { Logins } from '../oauth/service.ts'
import { serviceNow } from '../simulation/clock.ts'
import { tick } from '../simulation/tick.ts'
import { loadWorld } from '../store/world.ts'
import type { Service } from './embedded.ts'

type Clock = { now: () => number }

/** `Service-Time` of this moment; throws when the store does not answer. */
export async function readServiceTime({ db }: Service, { now }: Clock): Promise<string> {
  const stored = await db.read(loadWorld)
  return serviceTime(stored, serviceNow(stored.clock, now()))
}

/** A picture, for the owner of what it belongs to. */
export function readOwnMedia(
  { db }: Service,
  { now }: Clock,
  credential: Credential | undefined,
  mediaId: string,
): ReturnType<typeof readMedia> {
  return readMedia(db, credential, mediaId, now())
}

/** How programs get tokens of this service. */
export function openLogins(
  { db }: Service,
  { now, random }: Clock & { random: (count: number) => Uint8Array },
): Logins {
  return makeLogins(db, { now, random })
}

/** Lets the world go on: see `tick`. */
export function tickService({ db }: Service, { now }: Clock): Promise<boolean> {
  return tick(db, now)
}
