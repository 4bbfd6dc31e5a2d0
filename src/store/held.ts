/** The counters that a transaction holds in memory: read once, and written once, however many calls take numbers. */
import type { Held, Value } from '../core/db.ts'

/** A statement that may read or write what is held. */
export const HELD = /\b(?:world|ordinals)\b/i

export function copyHeld({ changed, ...held }: Held): Held {
  const { world, kinds } = changed
  return { ...held, ordinals: new Map(held.ordinals), changed: { world, kinds: new Set(kinds) } }
}

/** Returns the statements that write what has changed. */
export function writesOf({ seq, clockHigh, ordinals, changed }: Held): { sql: string; params: Value[] }[] {
  const kinds = [...changed.kinds]
  return [
    ...(changed.world
      ? [{ sql: 'update world set seq = $1, clock_high = $2 where one = 1', params: [seq, clockHigh] }]
      : []),
    ...(kinds.length > 0
      ? [
          {
            sql: `insert into ordinals (kind, last) values ${toPlaces(kinds.length, 2)}
                  on conflict (kind) do update set last = excluded.last`,
            params: kinds.flatMap((kind) => [kind, ordinals.get(kind) ?? 0]),
          },
        ]
      : []),
  ]
}

/** Returns the places of rows of an insert: `($1, $2), ($3, $4)`. */
export function toPlaces(rows: number, columns: number): string {
  const row = (_: unknown, index: number) =>
    `(${Array.from({ length: columns }, (__, column) => `$${index * columns + column + 1}`).join(', ')})`
  return Array.from({ length: rows }, row).join(', ')
}
