/**
 * Half hours of providers' days that are taken: by visits, of which a key lets one booking have each, and by the ways to
 * and from them, which several bookings may share.
 */
import type { Tx } from '../../../core/db.ts'

/** Ids of one `in (…)`: few lengths of list, so that few statements are kept. */
const CHUNK = 100

const NOBODY: ReadonlySet<number> = new Set()

/**
 * The half hours of providers that begin in [from, to) and are taken, by provider; nothing for one who has none. With
 * `ways`, those that may be needed for the way to and from a visit count as taken.
 */
export async function listBookedCells(
  tx: Tx,
  providerIds: readonly string[],
  from: number,
  to: number,
  { ways }: { ways: boolean },
): Promise<(providerId: string) => ReadonlySet<number>> {
  const taken = new Map<string, Set<number>>()
  for (let start = 0; start < providerIds.length; start += CHUNK) {
    const chunk = providerIds.slice(start, start + CHUNK)
    const places = chunk.map((_, index) => `$${index + 3}`).join(', ')
    const select = (table: string) =>
      `select provider_id, cell_start from ${table}
       where provider_id in (${places}) and cell_start >= $1 and cell_start < $2`
    const sql = ways ? `${select('booked_cells')} union all ${select('way_cells')}` : select('booked_cells')
    const rows = await tx.all(sql, from, to, ...chunk)
    for (const row of rows) {
      const id = String(row['provider_id'])
      const own = taken.get(id) ?? new Set()
      own.add(Number(row['cell_start']))
      taken.set(id, own)
    }
  }
  return (providerId) => taken.get(providerId) ?? NOBODY
}

/** Takes half hours, given in ascending order, for a booking; gives how many of them were free. */
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

/** Keeps half hours free for the ways to and from a visit. */
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

/** Gives back what a booking had taken, with its ways. */
export async function deleteBookedCells(tx: Tx, bookingId: string): Promise<void> {
  await tx.run('delete from booked_cells where booking_id = $1', bookingId)
  await tx.run('delete from way_cells where booking_id = $1', bookingId)
}
