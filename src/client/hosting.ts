import { serviceTime } from '../gateway/gateway.ts'
import { readMedia } from '../gateway/media.ts'
/** What the HTTP server and the MCP server need of a service in this process besides its operations. */
import type { Credential } from '../gateway/request.ts'
import { serviceNow } from '../simulation/clock.ts'
import { hasDue } from '../store/timeline.ts'
import { loadWorld } from '../store/world.ts'
import type { Service } from './embedded.ts'

/** Due events applied at once: short enough that requests hardly wait for them. */
const TICK_EVENTS = 50

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

/** Applies some of what is due in the whole store, while its clock runs; tells whether more is. */
export async function tickService({ db }: Service, { now }: Clock): Promise<boolean> {
  const due = await db.read(async (tx) => {
    const stored = await loadWorld(tx)
    return stored.clock.mode !== 'frozen' && (await hasDue(tx, serviceNow(stored.clock, now()), {}))
  })
  if (!due) return false
  const { drainDue } = await import('../simulation/drain.ts')
  const applied = await db.write(async (tx) => {
    const stored = await loadWorld(tx)
    return drainDue(tx, stored.world, serviceNow(stored.clock, now()), {}, TICK_EVENTS)
  })
  return applied >= TICK_EVENTS
}
