/**
 * The lateness of a parcel: one rule for reports, tracking and pages
 * (docs/rules/parcels.md#lateness-counts-from-the-first-promise). Pure.
 */
import { addDays } from '../../../core/time.ts'
import { isWorkingDay } from '../../../core/working-days.ts'
import type { ShipmentStatus } from '../states.ts'

/** The states in which a parcel can be late. */
export const OPEN_STATUSES = [
  'pre_transit',
  'in_transit',
  'out_for_delivery',
  'delivery_attempted',
  'available_for_pickup',
] as const satisfies readonly ShipmentStatus[]

type DeliveryPromise = { promised_date?: string | null | undefined; estimated_delivery_date: string }

/** Returns the day that was promised first; for a parcel of an older version the day that is announced now. */
export function promisedDay({ promised_date, estimated_delivery_date }: DeliveryPromise): string {
  return promised_date ?? estimated_delivery_date
}

/**
 * Returns by how many working days (Monday to Friday, without bank holidays) a day is after the promised one; at least 1 as
 * soon as the promised day has ended, and 0 until then.
 */
export function daysLate(promised: string, day: string): number {
  if (day <= promised) return 0
  let late = 0
  for (let date = addDays(promised, 1); date <= day; date = addDays(date, 1))
    if (isWorkingDay(date)) late += 1
  return Math.max(1, late)
}

/** Returns by how many working days a parcel that is on its way is late; 0 for one that has ended or comes back. */
export function daysLateNow(parcel: DeliveryPromise & { status: ShipmentStatus }, today: string): number {
  const isOpen = OPEN_STATUSES.some((status) => status === parcel.status)
  return isOpen ? daysLate(promisedDay(parcel), today) : 0
}
