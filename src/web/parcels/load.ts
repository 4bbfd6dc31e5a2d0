import type { OperationOutput, OperationInput } from '../../client/operations.ts'
import { type TimedResult, call, change, ProblemError, type ServiceTime } from '../core/call.ts'
import { type Detail, type Filters, fitsFilters, numberIn, type Parcel, toQuery } from './parcel.ts'

export type ParcelPage = {
  parcels: readonly Parcel[]
  next: string | null
  /** The service's time of the answer, by which parcels are late. */
  now: number
  /** True of a search that may have found others, too. */
  more?: boolean
}

/** Returns a page of the list. A tracking number finds its parcel in any state. */
export async function loadPage(filters: Filters, cursor: string | null): Promise<TimedResult<ParcelPage>> {
  const number = numberIn(filters.search)
  if (number !== undefined) return loadNumber(number)
  if (filters.search.trim() !== '') return search(filters)
  const { value, time } = await call('list_shipments', toQuery(filters, cursor))
  return { value: { parcels: value.data, next: value.next_cursor, now: nowOf(time) }, time }
}

/** The most parcels that are chosen at once. */
export const MAX_CHOSEN = 5000

/** Returns all parcels of a list, newest first; undefined for more than can be chosen at once. */
export async function loadAll(filters: Filters): Promise<Parcel[] | undefined> {
  const all: Parcel[] = []
  let cursor: string | null = null
  while (all.length <= MAX_CHOSEN) {
    const input: OperationInput<'list_shipments'> = { ...toQuery(filters, cursor), limit: 100 }
    const { value }: TimedResult<OperationOutput<'list_shipments'>> = await call('list_shipments', input)
    all.push(...value.data)
    cursor = value.next_cursor
    if (cursor === null) return all
  }
  return undefined
}

/** Returns the parcels with the words of a search, as far as the other filters fit. */
async function search(filters: Filters): Promise<TimedResult<ParcelPage>> {
  const { value, time } = await call('find_shipments', { q: filters.search.trim() })
  const parcels = value.data.filter((parcel) => fitsFilters(parcel, filters))
  return { value: { parcels, next: null, now: nowOf(time), more: value.has_more }, time }
}

/** Without the service's time nothing is called late. */
function nowOf(time: ServiceTime | undefined): number {
  return time?.now ?? 0
}

async function loadNumber(number: string): Promise<TimedResult<ParcelPage>> {
  try {
    const { value, time } = await call('get_shipment', { tracking_number: number })
    return { value: { parcels: [value], next: null, now: nowOf(time) }, time }
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'shipment_not_found') throw error
    return { value: { parcels: [], next: null, now: 0 }, time: undefined }
  }
}

/** Returns a parcel, and the service's time of the answer. */
export async function loadDetail(number: string): Promise<{ parcel: Detail; now: number }> {
  const { value, time } = await call('get_shipment', { tracking_number: number })
  return { parcel: value, now: nowOf(time) }
}

export type CancelReason = NonNullable<OperationInput<'cancel_shipment'>['reason_code']>

export async function cancelParcel(number: string, reason: CancelReason): Promise<Detail> {
  return (await change('cancel_shipment', { tracking_number: number, reason_code: reason })).value
}
