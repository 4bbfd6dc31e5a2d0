/** Prices, limits and dates of carrier parcels (docs/rules/parcels.md#how-a-parcel-is-priced). */
import { isHoliday } from '../../../core/bank-holidays.ts'
import { type Money, mulBps } from '../../../core/money.ts'
import type { PriceZone } from '../../../core/places/postcode.ts'
import {
  addDays,
  resolveLocalTime,
  localDate,
  localTime,
  WEEKDAYS,
  type Weekday,
  toWeekdayNumber,
} from '../../../core/time.ts'
import { isWorkingDay, nextWorkingDay } from '../../../core/working-days.ts'

export const SERVICE_LEVEL_CODES = ['same_day', 'next_day', 'two_day', 'economy'] as const

export type ServiceLevelCode = (typeof SERVICE_LEVEL_CODES)[number]

export type ServiceLevel = {
  code: ServiceLevelCode
  name: string
  /** Working days after collection. */
  transit_days_min: number
  transit_days_max: number
  /** Parcels created before this time of day at the hub leave that day (docs/rules/parcels.md#a-parcel-leaves-by-the-cut-off). */
  cutoff_local: string
  /** Saturday counts as a working day. */
  saturday: boolean
}

/** Fastest first. */
export const SERVICE_LEVELS: readonly ServiceLevel[] = [
  level('same_day', 'Same day', [0, 0], { cutoff_local: '13:00', saturday: false }),
  level('next_day', 'Next day', [1, 1], { cutoff_local: '17:00', saturday: true }),
  level('two_day', 'Two day', [2, 2], { cutoff_local: '17:00', saturday: false }),
  level('economy', 'Economy', [3, 5], { cutoff_local: '17:00', saturday: false }),
]

/**
 * The prices of an agreement, in minor units (docs/rules/parcels.md#a-rate-needs-no-quote); a level does not serve a zone
 * without a price.
 */
export type RateCard = {
  rate_card_id: string
  version: number
  currency: string
  levels: Record<ServiceLevelCode, { first_2_kg: Record<PriceZone, number | null>; each_further_kg: number }>
  fuel_bps: number
  remote_area: number
  oversize: number
  insurance_bps: number
  tax_bps: number
}

export type ParcelMeasurements = {
  weight_grams: number
  length_mm: number
  width_mm: number
  height_mm: number
}

export type SurchargeType = 'fuel' | 'remote_area' | 'oversize' | 'insurance'

/** As on the wire: a rate's and a shipment's `price`. */
export type ParcelPrice = {
  subtotal: Money
  surcharges: { type: SurchargeType; amount: Money }[]
  surcharges_total: Money
  tax: { rate_bps: number; amount: Money }
  total: Money
}

export const LIMITS = { weight_grams: 30_000, longest_mm: 1200, girth_mm: 3000 } as const

/** A parcel above either limit pays the oversize surcharge. */
const OVERSIZE = { longest_mm: 1000, girth_mm: 2500 } as const

const VOLUMETRIC_MM3_PER_GRAM = 5000

/**
 * Returns why a parcel cannot be carried and which field to change
 * (docs/rules/parcels.md#what-cannot-be-carried-is-rejected); undefined when it can.
 */
export function findParcelLimitError(
  parcel: ParcelMeasurements,
): { field: keyof ParcelMeasurements; detail: string } | undefined {
  const { longest, girth, field } = measure(parcel)
  if (parcel.weight_grams > LIMITS.weight_grams) {
    return {
      field: 'weight_grams',
      detail: `${parcel.weight_grams} g is over the limit of ${LIMITS.weight_grams} g.`,
    }
  }
  if (longest > LIMITS.longest_mm) {
    return { field, detail: `The longest side is ${longest} mm; at most ${LIMITS.longest_mm} mm is carried.` }
  }
  if (girth <= LIMITS.girth_mm) return undefined
  return {
    field,
    detail: `Length + 2 × width + 2 × height is ${girth} mm; at most ${LIMITS.girth_mm} mm is carried.`,
  }
}

/** Returns the charged weight in grams: the actual weight, or 1 g per 5000 mm³ if that is more. */
export function chargeableWeight({
  weight_grams,
  length_mm,
  width_mm,
  height_mm,
}: ParcelMeasurements): number {
  return Math.max(weight_grams, Math.ceil((length_mm * width_mm * height_mm) / VOLUMETRIC_MM3_PER_GRAM))
}

export type PriceInputs = {
  service_level: ServiceLevelCode
  zone: PriceZone
  parcel: ParcelMeasurements
  declared_value?: Money | undefined
  island: boolean
}

/**
 * Prices a parcel; the only function that does
 * (docs/rules/money.md#parcels-are-priced-without-tax). Returns undefined when the card has no price for the level and zone.
 */
export function priceParcel(card: RateCard, inputs: PriceInputs): ParcelPrice | undefined {
  const { first_2_kg, each_further_kg } = card.levels[inputs.service_level]
  const first = first_2_kg[inputs.zone]
  if (first === null) return undefined
  const furtherKg = Math.max(0, Math.ceil((chargeableWeight(inputs.parcel) - 2000) / 1000))
  const subtotal = first + furtherKg * each_further_kg
  const surcharges = listSurcharges(card, subtotal, inputs)
  const surchargesTotal = surcharges.reduce((sum, { amount }) => sum + amount, 0)
  const tax = mulBps(subtotal + surchargesTotal, card.tax_bps)
  const money = (amount: number): Money => ({ amount, currency: card.currency })
  return {
    subtotal: money(subtotal),
    surcharges: surcharges.map(({ type, amount }) => ({ type, amount: money(amount) })),
    surcharges_total: money(surchargesTotal),
    tax: { rate_bps: card.tax_bps, amount: money(tax) },
    total: money(subtotal + surchargesTotal + tax),
  }
}

/** The rate card of the fixture: each level's first 2 kg by zone, then each further started kilogram. */
export const REFERENCE_CARD: RateCard = {
  rate_card_id: 'reference',
  version: 1,
  currency: 'GBP',
  levels: {
    same_day: { first_2_kg: { A: 650, B: 720, C: null, D: null }, each_further_kg: 90 },
    next_day: { first_2_kg: { A: 420, B: 472, C: 560, D: 690 }, each_further_kg: 60 },
    two_day: { first_2_kg: { A: 340, B: 380, C: 450, D: 560 }, each_further_kg: 45 },
    economy: { first_2_kg: { A: 270, B: 300, C: 360, D: 450 }, each_further_kg: 35 },
  },
  fuel_bps: 800,
  remote_area: 350,
  oversize: 400,
  insurance_bps: 100,
  tax_bps: 2000,
}

/** Returns the time at which a hub takes in the parcels of a service on a day. */
export function collectionTime(
  { cutoff_local }: ServiceLevel,
  { timezone, collection }: CollectingHub,
  date: string,
): number {
  return resolveLocalTime(date, cutoff_local < collection.cutoff ? cutoff_local : collection.cutoff, timezone)
}

/** The hub's collection days and cutoff; times of day are local to its time zone. */
export type CollectingHub = {
  timezone: string
  collection: { days: readonly Weekday[]; cutoff: string }
}

export type DeliveryEstimate = { collected_on: string; estimated_delivery_date: string; transit_days: number }

/**
 * Returns the dates, in the hub's time zone, of collection and of the latest delivery for a parcel created at `now`.
 */
export function computeDeliveryEstimate(
  service: ServiceLevel,
  hub: CollectingHub,
  now: number,
): DeliveryEstimate {
  const collected_on = collectionDate(service, hub, now)
  let date = collected_on
  for (let day = 0; day < service.transit_days_max; day++) date = nextWorkingDay(date, service)
  return { collected_on, estimated_delivery_date: date, transit_days: service.transit_days_max }
}

/** The service as it runs in a zone: no Saturdays where none are worked. */
export function restrictServiceToZone(level: ServiceLevel, zone: PriceZone): ServiceLevel {
  return zone === 'D' ? { ...level, saturday: false } : level
}

/** Returns the day of delivery, which is not before the day that was requested. */
export function clampDeliveryDate(
  estimated: string,
  asked: string | undefined,
  service: ServiceLevel,
): string {
  let date = asked !== undefined && asked > estimated ? asked : estimated
  while (!isWorkingDay(date, service)) date = addDays(date, 1)
  return date
}

/** A hub that collects once a week can have bank holidays on two of these days in a row. */
const MAX_COLLECTION_GAP_DAYS = 22

function collectionDate(service: ServiceLevel, { timezone, collection }: CollectingHub, now: number): string {
  const cutoff = service.cutoff_local < collection.cutoff ? service.cutoff_local : collection.cutoff
  const today = localDate(now, timezone)
  const first = localTime(now, timezone) < cutoff ? 0 : 1
  for (let ahead = first; ahead < first + MAX_COLLECTION_GAP_DAYS; ahead++) {
    const date = addDays(today, ahead)
    const weekday = WEEKDAYS[toWeekdayNumber(date) - 1]
    // A same-day parcel is collected only on a day of delivery.
    const delivers = service.transit_days_max > 0 || isWorkingDay(date, service)
    if (weekday !== undefined && collection.days.includes(weekday) && delivers && !isHoliday(date))
      return date
  }
  throw new RangeError('A hub needs at least one collection day')
}

function listSurcharges(
  card: RateCard,
  subtotal: number,
  { parcel, island, declared_value }: PriceInputs,
): { type: SurchargeType; amount: number }[] {
  if (declared_value !== undefined && declared_value.currency !== card.currency)
    throw new RangeError(`a value in ${declared_value.currency} has no price in ${card.currency}`)
  const { longest, girth } = measure(parcel)
  const all: { type: SurchargeType; amount: number }[] = [
    { type: 'fuel', amount: mulBps(subtotal, card.fuel_bps) },
    { type: 'remote_area', amount: island ? card.remote_area : 0 },
    {
      type: 'oversize',
      amount: longest > OVERSIZE.longest_mm || girth > OVERSIZE.girth_mm ? card.oversize : 0,
    },
    { type: 'insurance', amount: mulBps(declared_value?.amount ?? 0, card.insurance_bps) },
  ]
  return all.filter(({ amount }) => amount > 0)
}

/** Measures a parcel in millimetres; its longest side counts as the length. */
function measure({ length_mm, width_mm, height_mm }: ParcelMeasurements): {
  longest: number
  girth: number
  field: keyof ParcelMeasurements
} {
  const longest = Math.max(length_mm, width_mm, height_mm)
  const girth = 2 * (length_mm + width_mm + height_mm) - longest
  const field = longest === length_mm ? 'length_mm' : longest === width_mm ? 'width_mm' : 'height_mm'
  return { longest, girth, field }
}

function level(
  code: ServiceLevelCode,
  name: string,
  [transit_days_min, transit_days_max]: readonly [transit_days_min: number, transit_days_max: number],
  { cutoff_local, saturday }: { cutoff_local: string; saturday: boolean },
): ServiceLevel {
  return { code, name, transit_days_min, transit_days_max, cutoff_local, saturday }
}
