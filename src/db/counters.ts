import type { Tx } from '../core/db.ts'
import { sandboxId } from '../core/ids.ts'
import type { WorldSettings } from '../core/world.ts'
import { defineRow } from './table.ts'
import { readIntegerColumn } from './values.ts'
import { FREE_KIND, lockCounters } from './world.ts'

/**
 * Reserves `count` sequence numbers in the store's single order and returns the first
 * (docs/rules/requests.md#lists-show-the-newest-first). Also records the latest
 * service time, so that the service clock never goes back when the machine's does. `now` is in milliseconds.
 */
export async function nextSeq(tx: Tx, now: number, count = 1): Promise<number> {
  if (tx.counters !== undefined) {
    const held = await lockCounters(tx.counters, tx)
    held.seq += count
    held.clockHigh = Math.max(held.clockHigh, now)
    held.changed.world = true
    return held.seq - count + 1
  }
  const row = await tx.get(
    `update world set seq = seq + $1, clock_high = case when clock_high < $2 then $2 else clock_high end
     where one = 1 returning seq`,
    count,
    now,
  )
  return readIntegerColumn(row, 'seq') - count + 1
}

/** Reserves `count` creation ordinals of a kind and returns the first (from 1). */
export async function nextOrdinal(tx: Tx, kind: string, count = 1): Promise<number> {
  if (tx.counters !== undefined && kind !== FREE_KIND) {
    const { ordinals, changed } = await lockCounters(tx.counters, tx)
    const before = ordinals.get(kind) ?? 0
    ordinals.set(kind, before + count)
    changed.kinds.add(kind)
    return before + 1
  }
  const row = await tx.get(
    `insert into ordinals (kind, last) values ($1, $2)
     on conflict (kind) do update set last = ordinals.last + excluded.last returning last`,
    kind,
    count,
  )
  return readIntegerColumn(row, 'last') - count + 1
}

const toOrdinal = defineRow<{ kind: string; last: number }>({ kind: 'text', last: 'integer' })

/** Returns the number of resources of each kind that were ever created, even if their rows are deleted. */
export async function readOrdinals(tx: Tx): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.all('select kind, last from ordinals order by kind')
  return new Map(rows.map(toOrdinal).map(({ kind, last }) => [kind, last]))
}

/** Returns new ids of a kind, reproducible from the store's seed. */
export async function newIds(
  { tx, world, at }: { tx: Tx; world: WorldSettings; at: number },
  prefix: string,
  count = 1,
): Promise<string[]> {
  const first = await nextOrdinal(tx, prefix, count)
  return Array.from({ length: count }, (_, index) =>
    sandboxId(prefix, { seed: world.seed, ordinal: first + index, at }),
  )
}
