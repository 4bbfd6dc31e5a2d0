/**
 * Reserved half hours of providers. A key lets one booking have each half hour of a visit; several bookings may share
 * the travel time to and from visits.
 */
import type { Tx } from '../../../core/db.ts'
import { defineRow, forEachChunk, formatPlaceholders } from '../../../db/table.ts'

const toCell = defineRow<{ provider_id: string; cell_start: number }>({
  provider_id: 'text',
  cell_start: 'integer',
})

const NOBODY: ReadonlySet<number> = new Set()

/**
 * Returns the reserved half hours of providers that begin in [from, to), by provider; providers without any are
 * missing. With `ways`, possible travel time to and from a visit counts as reserved.
 */
export async function listBookedCells(
  tx: Tx,
  providerIds: readonly string[],
  { from, to }: { from: number; to: number },
  { ways }: { ways: boolean },
): Promise<(providerId: string) => ReadonlySet<number>> {
  const taken = new Map<string, Set<number>>()
  await forEachChunk(providerIds, async (chunk) => {
    const select = (table: string) =>
      `select provider_id, cell_start from ${table}
       where provider_id in (${formatPlaceholders(chunk.length, 3)}) and cell_start >= $1 and cell_start < $2`
    const sql = ways ? `${select('booked_cells')} union all ${select('way_cells')}` : select('booked_cells')
    for (const { provider_id, cell_start } of (await tx.all(sql, from, to, ...chunk)).map(toCell)) {
      const own = taken.get(provider_id) ?? new Set()
      own.add(cell_start)
      taken.set(provider_id, own)
    }
  })
  return (providerId) => taken.get(providerId) ?? NOBODY
}

/** Reserves half hours, in ascending order, for a booking; returns how many of them were free. */
export async function insertBookedCells(
  tx: Tx,
  providerId: string,
  cells: readonly number[],
  bookingId: string,
): Promise<number> {
  return tx.insertMany(
    'booked_cells',
    ['provider_id', 'cell_start', 'booking_id'],
    cells.map((cell) => [providerId, cell, bookingId]),
    { ignoreConflicts: true },
  )
}

/** Keeps half hours free for the travel to and from a visit. */
export async function insertWayCells(
  tx: Tx,
  providerId: string,
  cells: readonly number[],
  bookingId: string,
): Promise<void> {
  await tx.insertMany(
    'way_cells',
    ['provider_id', 'cell_start', 'booking_id'],
    cells.map((cell) => [providerId, cell, bookingId]),
  )
}

/** Releases the half hours of a booking, with its travel time. */
export async function deleteBookedCells(tx: Tx, bookingId: string): Promise<void> {
  await tx.run('delete from booked_cells where booking_id = $1', bookingId)
  await tx.run('delete from way_cells where booking_id = $1', bookingId)
}
