/** Finds the parcels that a command names: by numbers, references, a batch, a results file, or a filter. */
import { isTrackingNumber, normalizeTrackingNumber } from '../../../areas/carrier/rules/tracking-number.ts'
import type { Client } from '../../../client/client.ts'
import type { Answer, Input } from '../../../client/operations.ts'
import { type Page, readRest } from '../../../client/pages.ts'
import { AppError } from '../../../core/errors.ts'

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

/** Returns the parcels of tracking numbers and references, in this order, each once. Throws `shipment_not_found`. */
export async function findParcels(client: Client, names: readonly string[]): Promise<Parcel[]> {
  const numbers = names.map((name) => {
    const number = normalizeTrackingNumber(name)
    return isTrackingNumber(number) ? { number } : { reference: name.trim() }
  })
  const byNumber = await readByNumber(
    client,
    numbers.flatMap(({ number }) => number ?? []),
  )
  const found: Parcel[] = []
  for (const { number, reference } of numbers) {
    const parcel =
      number === undefined ? await findByReference(client, reference ?? '') : byNumber.get(number)
    if (parcel !== undefined && !found.some((each) => each.tracking_number === parcel.tracking_number))
      found.push(parcel)
  }
  return found
}

/** Returns the parcel that uses a reference now, or the last one that did. */
async function findByReference(client: Client, reference: string): Promise<Parcel> {
  if (reference === '' || reference.length > 64)
    throw new AppError(
      'usage',
      `${JSON.stringify(reference.slice(0, 40))} is no tracking number or reference.`,
    )
  const all = await listParcels(client, { reference })
  const parcel = all.find(({ status }) => status !== 'cancelled') ?? all[0]
  if (parcel !== undefined) return parcel
  throw new AppError(
    'shipment_not_found',
    `You have no parcel with the number or reference ${reference.slice(0, 64)}.`,
  )
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
