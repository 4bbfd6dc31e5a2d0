/** Finds the parcels that a command names: by numbers, references, a batch, a results file, or a filter. */
import type { Client } from '../../../client/client.ts'
import type { Answer, Input } from '../../../client/operations.ts'
import { type Page, readRest } from '../../../client/pages.ts'
import { findParcel } from '../find-parcel.ts'

/** A parcel as a list shows it. */
export type Parcel = Omit<Answer<'get_shipment'>, 'scan_history'>

type Filters = Omit<Input<'list_shipments'>, 'limit' | 'cursor'>

/** Returns all parcels that fit, newest first. */
async function listParcels(client: Client, filters: Filters): Promise<Parcel[]> {
  const next = async (cursor: string | null): Promise<Page<Parcel>> => {
    const input = { ...filters, limit: 100, ...(cursor !== null && { cursor }) }
    return (await client.call('list_shipments', input)).value as Page<Parcel>
  }
  return readRest(await next(null), next)
}

/** Returns the parcels of tracking numbers and references, in this order, each once. Throws as `findParcel` does. */
export async function findParcels(client: Client, names: readonly string[]): Promise<Parcel[]> {
  const numbers: string[] = []
  for (const name of names) numbers.push(await findParcel(client, name))
  const found = await readByNumber(client, numbers)
  return [...new Set(numbers)].flatMap((number) => found.get(number) ?? [])
}

/** Fewer parcels than this are read one by one. */
const FEW = 5

/** Reads parcels by number. Those of one manifest came in one batch, whose list is a few pages. */
async function readByNumber(client: Client, numbers: readonly string[]): Promise<Map<string, Parcel>> {
  const found = new Map<string, Parcel>()
  const wanted = new Set(numbers)
  for (const number of wanted) {
    if (found.has(number)) continue
    const { value } = await client.call('get_shipment', { tracking_number: number })
    found.set(number, value)
    if (value.batch_id === null || wanted.size - found.size < FEW) continue
    for (const parcel of await listParcels(client, { batch_id: value.batch_id }))
      found.set(parcel.tracking_number, parcel)
  }
  return found
}

/** Returns parcels in the order in which they were made. */
export async function listInOrder(client: Client, filters: Filters): Promise<Parcel[]> {
  return (await listParcels(client, filters)).toReversed()
}
