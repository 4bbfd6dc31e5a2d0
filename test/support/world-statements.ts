import type { Tx } from '../../src/core/db.ts'
import * as positions from '../../src/db/event-positions.ts'
import * as world from '../../src/db/world.ts'

type Statement = readonly [name: string, run: (tx: Tx) => Promise<unknown>]

/** The statements of the world's row that need no other rows. */
export const WORLD_STATEMENTS: readonly Statement[] = [
  ['loadWorld', world.loadWorld],
  ['lockWorld', world.lockWorld],
  ['lockClock', (tx) => world.lockClock(tx, 0)],
  ['beginGeneration', (tx) => world.beginGeneration(tx, 'g1')],
  ['saveSupply', (tx) => world.saveSupply(tx, 'scarce')],
  ['saveFaults', (tx) => world.saveFaults(tx, [])],
]

/** The statements of positions in the events. */
export function positionStatements(stored: world.StoredWorld): readonly Statement[] {
  return [
    ['findLastEvent', positions.findLastEvent],
    ['resolveEventPosition', (tx) => positions.resolveEventPosition(tx, stored, '1')],
  ]
}

/** Returns a result without what only PostgreSQL adds to a generation: the table. */
export function withoutTable(result: unknown): unknown {
  const { stored = result } = (result ?? {}) as { stored?: unknown }
  const { generation } = (stored ?? {}) as { generation?: string }
  if (generation === undefined) return result
  const withoutIt = { ...(stored as object), generation: generation.split('.')[0] }
  return stored === result ? withoutIt : { ...(result as object), stored: withoutIt }
}
