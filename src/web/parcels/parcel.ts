/** A parcel on the page: its words, and what the list is requested. */
import { daysLateNow } from '../../areas/carrier/rules/lateness.ts'
import {
  looksLikeTrackingNumber,
  normalizeTrackingNumber,
} from '../../areas/carrier/rules/tracking-number.ts'
import type { OperationOutput, OperationInput } from '../../client/operations.ts'
import { addDays, localDate, localTime } from '../../core/time.ts'

export type Parcel = OperationOutput<'list_shipments'>['data'][number]
export type Detail = OperationOutput<'get_shipment'>
export type Status = Parcel['status']

/** The states, in the order in which a parcel goes through them. */
export const STATES: Readonly<Record<Status, string>> = {
  pre_transit: 'Awaiting collection',
  in_transit: 'In transit',
  out_for_delivery: 'Out for delivery',
  delivery_attempted: 'Delivery attempted',
  available_for_pickup: 'Ready for pickup',
  delivered: 'Delivered',
  returning: 'Returning to sender',
  returned: 'Returned',
  lost: 'Lost',
  cancelled: 'Cancelled',
}

/** Days as a date field has them; an empty text means any. */
export type Filters = { status: Status | ''; search: string; from: string; to: string }

export const NO_FILTERS: Filters = { status: '', search: '', from: '', to: '' }

const ROWS = 25

/** Returns the tracking number that a search means; undefined for words. */
export function numberIn(search: string): string | undefined {
  const number = normalizeTrackingNumber(search)
  return looksLikeTrackingNumber(number) ? number : undefined
}

/** Returns what the list is requested. The last day is part of the span. */
export function toQuery(
  { status, from, to }: Filters,
  cursor: string | null,
): OperationInput<'list_shipments'> {
  return {
    limit: ROWS,
    ...(status !== '' && { status: [status] }),
    ...toSpan({ from, to }),
    ...(cursor !== null && { cursor }),
  }
}

/** Returns whether a parcel that was found has the chosen state and was created on the chosen days, in London. */
export function fitsFilters({ status, created_at }: Parcel, filters: Filters): boolean {
  const day = localDate(Date.parse(created_at), ZONE)
  const { from, to } = filters
  return (
    (filters.status === '' || filters.status === status) &&
    (from === '' || day >= from) &&
    (to === '' || day <= to)
  )
}

/** Returns the span of creation. The last day is part of it. */
export function toSpan({ from, to }: Pick<Filters, 'from' | 'to'>): OperationInput<'count_shipments'> {
  return {
    ...(from !== '' && { created_from: from }),
    ...(to !== '' && { created_to: addDays(to, 1) }),
  }
}

/** `10,000+` of a number that was not counted to its end: in full thousands, for its last figures mean nothing. */
export function formatCount({ count, more }: { count: number; more: boolean }): string {
  const known = more ? count - (count % 1000) : count
  return `${known.toLocaleString('en-GB')}${more ? '+' : ''}`
}

/** Returns whether any filter narrows the list. */
export function isNarrowed(filters: Filters): boolean {
  return Object.values(filters).some((value) => value.trim() !== '')
}

/** The parcels that are chosen, by number: those of other pages of the list and of other filters stay. */
export type ParcelSelection = ReadonlyMap<string, Parcel>

export const SERVICES: Readonly<Record<Parcel['service_level'], string>> = {
  same_day: 'Same day',
  next_day: 'Next day',
  two_day: 'Two day',
  economy: 'Economy',
}

export function isService(code: string): code is Parcel['service_level'] {
  return Object.hasOwn(SERVICES, code)
}

export function serviceName({ service_level }: Pick<Parcel, 'service_level'>): string {
  return SERVICES[service_level]
}

/** `Fri 20 Nov` of a date. */
export function formatDay(date: string): string {
  const [weekday = '', day = '', month = ''] = new Date(`${date}T00:00:00Z`)
    .toUTCString()
    .replace(',', '')
    .split(' ')
  return `${weekday} ${Number(day)} ${month}`
}

const ZONE = 'Europe/London'

/** `2 days late` of a parcel that is on its way after its promised day; else an empty text. */
export function lateWords(parcel: Parcel, now: number): string {
  const days = daysLateNow(parcel, localDate(now, ZONE))
  if (days === 0) return ''
  return days === 1 ? '1 day late' : `${days} days late`
}

/** `Fri 20 Nov, 14:05` of an instant, in London. */
export function formatMoment(instant: string): string {
  const ms = Date.parse(instant)
  return `${formatDay(localDate(ms, ZONE))}, ${localTime(ms, ZONE)}`
}

/** `delivery attempted` of `delivery_attempted`, with a capital letter first. */
export function titleFromCode(code: string): string {
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `start` is the place of the first label on a sheet of four, from 1. */
export type LabelFile = { format: 'pdf' | 'zpl' | 'png'; size?: '4x6' | 'a6' | 'a4'; start?: number }

/** Returns the address of a file with the labels of parcels. */
export function labelsPath(
  parcels: readonly Pick<Parcel, 'tracking_number'>[],
  { format, size, start = 1 }: LabelFile,
): string {
  const numbers = parcels.map(({ tracking_number }) => tracking_number).join(',')
  const place = start === 1 ? '' : `&start=${start}`
  return `/pages/labels?parcels=${numbers}&format=${format}${size === undefined ? '' : `&size=${size}`}${place}`
}
