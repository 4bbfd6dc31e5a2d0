/** Half hours of providers' days that are taken: a key lets one booking have each. */
import type { Tx } from './db.ts'

/** Ids of one `in (…)`: few lengths of list, so that few statements are kept. */
const CHUNK = 100

const NOBODY: ReadonlySet<number> = new Set()

/** The taken half hours of providers that begin in [from, to), by provider; nothing for one who has none. */
export async function listBookedCells(
  tx: Tx,
  providerIds: readonly string[],
  from: number,
  to: number,
): Promise<(providerId: string) => ReadonlySet<number>> {
  const taken = new Map<string, Set<number>>()
  for (let start = 0; start < providerIds.length; start += CHUNK) {
    const chunk = providerIds.slice(start, start + CHUNK)
    const rows = await tx.all(
      `select provider_id, cell_start from booked_cells
       where provider_id in (${chunk.map((_, index) => `$${index + 3}`).join(', ')})
         and cell_start >= $1 and cell_start < $2`,
      from,
      to,
      ...chunk,
    )
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

/** Gives back what a booking had taken. */
export async function deleteBookedCells(tx: Tx, bookingId: string): Promise<void> {
  await tx.run('delete from booked_cells where booking_id = $1', bookingId)
}
