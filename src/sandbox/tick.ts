import { serviceNow } from '../core/clock.ts'
import type { Db } from '../core/db.ts'
import { hasDueEvents } from '../db/timeline.ts'
import { loadWorld } from '../db/world.ts'

/** Due events applied at once: short enough that requests hardly wait for them. */
const EVENTS = 50

/** Applies some of what is due in the whole store, while its clock runs; says whether more is. */
export async function runDueBatch(db: Db, realNow: () => number): Promise<boolean> {
  const due = await db.read(async (tx) => {
    const { clock } = await loadWorld(tx)
    return clock.mode !== 'frozen' && (await hasDueEvents(tx, serviceNow(clock, realNow()), {}))
  })
  if (!due) return false
  const { runDueEvents } = await import('./due-events.ts')
  const applied = await db.write(async (tx) => {
    const { world, clock } = await loadWorld(tx)
    return runDueEvents({ tx, world, at: serviceNow(clock, realNow()) }, {}, EVENTS)
  })
  return applied >= EVENTS
}
