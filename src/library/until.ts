/** Moves the clock of a sandbox until a resource comes to a status. */
import { RESOURCES } from '../areas/resources.ts'
import { advanceTo, serviceNow } from '../core/clock.ts'
import type { Db } from '../core/db.ts'
import { AppError } from '../core/errors.ts'
import { hasIdPrefix, type Resource } from '../core/resource.ts'
import { listEventsOf, type RecordedEvent } from '../db/events.ts'
import { findNextDueTime } from '../db/timeline.ts'
import { loadWorld } from '../db/world.ts'
import { moveClock, readSpan, invalidMemberError } from '../sandbox/control/clock.ts'

type AdvanceDeps = { db: Db; now: () => number }

/**
 * Moves the clock from one planned event of the sandbox to the next, until an event brings the resource to the status, or did so
 * last. Returns that event. Throws `invalid_state` when the resource ends otherwise, or the time has ended.
 */
export async function advanceUntil(
  moving: AdvanceDeps,
  what: string | Readonly<Record<string, unknown>>,
  status: string,
  within = '30d',
): Promise<RecordedEvent> {
  const { id, resource } = nameOf(what)
  const span = readSpan(within, 'within')
  const { db } = moving
  const found = (await db.read((tx) => listEventsOf(tx, id, 0))).at(-1)
  if (found === undefined)
    throw new AppError(resource?.notFound ?? 'invalid_state', `Nothing is known of ${id.slice(0, 60)}.`)
  let last: RecordedEvent = found
  const until = (await timeOf(moving)) + span
  while (last.to !== status) {
    if (resource?.life?.final.includes(last.to) === true)
      throw new AppError('invalid_state', `${id} is ${last.to}, and comes to no other status.`)
    if (!(await moveToNext(moving, until)))
      throw new AppError('invalid_state', `${id} is ${last.to}, and is not ${status} within ${within}.`)
    const { seq } = last
    const events: RecordedEvent[] = await db.read((tx) => listEventsOf(tx, id, seq))
    last = events.find(({ to }) => to === status) ?? events.at(-1) ?? last
  }
  return last
}

/** Moves the clock to the next planned event of the sandbox. Returns false when none is planned before `until`. */
async function moveToNext(moving: AdvanceDeps, until: number): Promise<boolean> {
  const due = await moving.db.read((tx) => findNextDueTime(tx))
  if (due === undefined || due > until) return false
  await moveClock(moving, (state, realNow) =>
    advanceTo(state, realNow, Math.max(due, serviceNow(state, realNow))),
  )
  return true
}

async function timeOf({ db, now }: AdvanceDeps): Promise<number> {
  const { clock } = await db.read(loadWorld)
  return serviceNow(clock, now())
}

/** Returns the id of a resource: of a response that is one, the field that names it. Throws `invalid_request`. */
function nameOf(what: string | Readonly<Record<string, unknown>>): { id: string; resource?: Resource } {
  const rows: readonly Resource[] = Object.values(RESOURCES)
  for (const resource of rows) {
    const id = typeof what === 'string' ? what : what[resource.id]
    if (typeof id !== 'string') continue
    // A parcel has a number, which begins with letters of its own.
    if (resource.prefix === undefined ? typeof what !== 'string' : hasIdPrefix(resource, id))
      return { id, resource }
  }
  if (typeof what === 'string' && what !== '') return { id: what }
  throw invalidMemberError(
    'resource',
    'must be an answer that has an id of its own, such as ride_id, or that id',
  )
}
