/**
 * The rules of `docs/rules/` for rides, deliveries, bookings, tasks and parcels,
 * implemented again in memory. The program is compared with it, so it must not use the program's own rules.
 */
import type { ErrorCode } from '../../src/core/errors.ts'
import { metresBetween, type GeoPoint } from '../support/distance.ts'
import type { Model, Result } from '../support/model-calls.ts'
import {
  BOOKING_TRANSITIONS,
  DELIVERY_TRANSITIONS,
  RIDE_TRANSITIONS,
  type StateTable,
  TASK_TRANSITIONS,
} from '../support/state-tables.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const CELL = 30 * MINUTE
const LEAD = 60 * MINUTE
/** A visit begins up to six minutes after its start (D), and the way from it up to a minute after its end. */
const LATE = 7 * MINUTE
/** Sandbox wallets start with 50.00. */
const WALLET = 5000
const CARD_SETTLES_AFTER = 120_000

export type MovingArea = 'ride' | 'delivery' | 'booking' | 'task'
export type ModelQuoteKind = 'ride' | 'delivery' | 'service' | 'task' | 'food'

export const NEXT: Readonly<Record<MovingArea, StateTable>> = {
  ride: RIDE_TRANSITIONS,
  delivery: DELIVERY_TRANSITIONS,
  booking: BOOKING_TRANSITIONS,
  task: TASK_TRANSITIONS,
}

/** The statuses in which the customer may cancel. */
const CANCELLABLE: Readonly<Record<MovingArea, readonly string[]>> = {
  ride: ['scheduled', 'processing', 'accepted', 'arriving', 'arrived'],
  task: ['created', 'assigned', 'en_route'],
  delivery: [],
  booking: [],
}

/** Final statuses without the service: the payment is refunded, less the fee. */
const UNSERVED: Readonly<Record<MovingArea, readonly string[]>> = {
  ride: ['cancelled', 'no_drivers_available'],
  delivery: ['cancelled', 'returned'],
  booking: ['declined', 'cancelled'],
  task: ['cancelled', 'failed', 'unfulfilled'],
}
/** The status in which cash is paid. */
const HANDED_OVER: Readonly<Record<MovingArea, string>> = {
  ride: 'completed',
  delivery: 'delivered',
  booking: 'completed',
  task: 'completed',
}

/** The final statuses of each scenario, where they are not random (D). */
export const ENDS: Readonly<Record<MovingArea, Readonly<Record<string, readonly string[]>>>> = {
  ride: {
    // at an hour without drivers, even a good ride finds none
    happy: ['completed', 'no_drivers_available'],
    no_driver: ['no_drivers_available'],
    driver_cancels: ['completed', 'no_drivers_available'],
    rider_no_show: ['cancelled', 'no_drivers_available'],
  },
  delivery: {
    happy: ['delivered'],
    no_courier: ['cancelled'],
    courier_cancels: ['delivered'],
    courier_delay: ['delivered'],
    undeliverable: ['returned'],
  },
  booking: {
    // a request without a free time is declined
    happy: ['completed', 'declined'],
    provider_declines: ['declined'],
    provider_cancels: ['cancelled', 'declined'],
    customer_no_show: ['no_show', 'declined'],
  },
  task: {
    happy: ['completed'],
    no_provider: ['unfulfilled'],
    // the window may be too short for another provider
    provider_cancels: ['completed', 'unfulfilled'],
    bad_evidence: ['completed'],
    'bad_evidence;times=2': ['failed'],
    task_fails: ['failed'],
  },
}

export type MovingModelQuote = {
  id: string
  account: string
  kind: ModelQuoteKind
  expires: number
  usedBy: string | undefined
  total: number
  /** The body of its last response. */
  body: Record<string, unknown>
}

export type MovingPaymentMethod = 'card' | 'wallet' | 'cash' | 'pay_at_table'

export type ModelResource = {
  area: MovingArea
  id: string
  account: string
  quote: MovingModelQuote
  method: MovingPaymentMethod
  token: string | undefined
  scenario: string
  total: number
  created: number
  history: { status: string; at: number }[]
  /** The fee that a ride or task keeps of its payment when it ends. */
  fee: number
  /** The customer cancelled it. */
  calledOff: boolean
  /** A booking's provider, first half hour and number of half hours. */
  provider: string | undefined
  start: number | undefined
  cells: number
}

export type ModelParcel = {
  number: string
  account: string
  reference: string | undefined
  content: string
  status: string
  events: number
  level: string
}

export type ModelProvider = {
  id: string
  name: string
  point: GeoPoint
  radius: number
  free: number
  perKm: number
  services: {
    code: string
    hourly: boolean
    price: number
    minutes: number
    least: number
    callout: number
    buffer: number
    slotRequired: boolean
  }[]
  /** The provider's working half hours, without bookings. */
  hours: ReadonlySet<number>
}

export type MovingModel = Model & {
  providers: ModelProvider[]
  oneActiveRide: boolean
  quotes: MovingModelQuote[]
  /** Oldest first, like every list here. */
  things: ModelResource[]
  parcels: ModelParcel[]
}

/** The expected result: one of `must` if there are any; else success or one of `may`. */
export type Judgement = { must: ErrorCode[]; may?: ErrorCode[] }

export function resultsOf({ must, may = [] }: Judgement): Result[] {
  return must.length > 0 ? [...must, ...may] : ['ok', ...may]
}

// Resources.

export function currentModelStatus({ history }: Pick<ModelResource, 'history'>): string {
  return history.at(-1)?.status ?? ''
}

export function hasResourceEnded(thing: ModelResource): boolean {
  return NEXT[thing.area][currentModelStatus(thing)]?.length === 0
}

export function isCancellableResource(thing: ModelResource): boolean {
  return CANCELLABLE[thing.area].includes(currentModelStatus(thing))
}

/** Returns when a driver last accepted; a driver who gives it back does not count. */
export function acceptedAt({ history }: ModelResource): number | undefined {
  const searched = history.findLastIndex(({ status }) => status === 'processing')
  return history.slice(searched + 1).find(({ status }) => status === 'accepted')?.at
}

/** Returns the cancellation fee: free until two minutes after a driver accepted, then 5.00 or the fare. */
export function modelCancellationFee(thing: ModelResource, now: number): number {
  const accepted = acceptedAt(thing)
  if (thing.area !== 'ride' || accepted === undefined || now <= accepted + 120_000) return 0
  return paidAt(thing, now) === undefined ? 0 : Math.min(500, thing.total)
}

/** Returns when the payment was taken; undefined when it was not by `now`. */
function paidAt(thing: ModelResource, now: number): number | undefined {
  const { method, token, created, area, history } = thing
  const ends = UNSERVED[area].includes(currentModelStatus(thing)) ? (history.at(-1)?.at ?? now) : now
  if (method === 'card' && token === 'tok_pending') {
    const due = created + CARD_SETTLES_AFTER
    return due <= Math.min(now, ends) ? due : undefined
  }
  if (method === 'card' || method === 'wallet') return created
  return history.find(({ status }) => status === HANDED_OVER[area])?.at
}

/** Returns the payment in the customer's view. */
export function paymentOf(thing: ModelResource, now: number): { status: string; back: number } {
  const paid = paidAt(thing, now) !== undefined
  if (!UNSERVED[thing.area].includes(currentModelStatus(thing)))
    return { status: paid ? 'paid' : 'unpaid', back: 0 }
  const back = paid ? thing.total - thing.fee : 0
  if (!paid) return { status: 'failed', back }
  if (back === 0) return { status: 'paid', back }
  return { status: thing.fee > 0 ? 'partially_refunded' : 'refunded', back }
}

/** Returns Σ credits − Σ debits. */
export function walletOf({ things, now }: MovingModel, account: string): number {
  const own = things.filter((each) => each.account === account && each.method === 'wallet')
  return own.reduce((sum, thing) => sum - thing.total + paymentOf(thing, now).back, WALLET)
}

// Quotes.

/** Returns the error of confirming a quote as this kind, whatever else is wrong. */
export function judgeUse(
  { now }: MovingModel,
  quote: MovingModelQuote | undefined,
  as: string,
  kind: ModelQuoteKind,
): ErrorCode | undefined {
  if (quote === undefined || quote.account !== as) return 'quote_not_found'
  if (quote.kind !== kind) return 'quote_mismatch'
  if (quote.usedBy !== undefined) return 'quote_already_used'
  return now >= quote.expires ? 'quote_expired' : undefined
}

export function judgePayment(
  model: MovingModel,
  {
    as,
    method,
    token,
    total,
    accepted,
  }: {
    as: string
    method: MovingPaymentMethod
    token: string | undefined
    total: number
    accepted: readonly MovingPaymentMethod[]
  },
): ErrorCode[] {
  if (!accepted.includes(method)) return ['payment_method_not_accepted']
  if (method === 'card' && token === 'tok_declined') return ['payment_declined']
  return method === 'wallet' && walletOf(model, as) < total ? ['insufficient_funds'] : []
}

// Prices, in whole pence.

function half(amount: number, part: number, whole: number): number {
  return Math.floor((2 * amount * part + whole) / (2 * whole))
}

const TARIFF: Readonly<Record<string, readonly [base: number, perKm: number, perMinute: number]>> = {
  economy: [250, 110, 18],
  comfort: [350, 140, 22],
  xl: [400, 165, 24],
  premium: [600, 220, 35],
  accessible: [250, 110, 18],
}

/** Returns the fare, tax included, without a booking fee, which the reference tariff does not have. */
export function fareOf(tier: string, metres: number, seconds: number, surge: number): number {
  const [base = 0, perKm = 0, perMinute = 0] = TARIFF[tier] ?? []
  const sum = base + half(perKm, metres, 1000) + half(perMinute, seconds, 60)
  return Math.max(500, half(sum, surge, 10_000))
}

const SIZES: Readonly<Record<string, number>> = { small: 0, medium: 150, large: 300, xl: 600 }

export function runPrice(size: string, metres: number): number {
  return 350 + half(95, metres, 1000) + (SIZES[size] ?? 0)
}

export function jobPrice(provider: ModelProvider, code: string, minutes: number, at: GeoPoint): number {
  const service = provider.services.find((each) => each.code === code)
  if (service === undefined) return 0
  const beyond = Math.max(0, Math.round(metresBetween(provider.point, at)) - provider.free)
  const labour = service.hourly ? half(service.price, minutes, 60) : service.price
  return labour + service.callout + half(provider.perKm, beyond, 1000)
}

// Half hours.

export function countHalfHours(minutes: number, buffer: number): number {
  return Math.ceil((minutes + buffer) / 30)
}

type Visit = ModelResource & { start: number }

/** Returns the visits of a provider that were not called off. */
function visitsOf({ things }: MovingModel, { id }: ModelProvider): Visit[] {
  return things.filter(
    (thing): thing is Visit =>
      thing.provider === id &&
      thing.start !== undefined &&
      !['cancelled', 'declined'].includes(currentModelStatus(thing)),
  )
}

/** Returns whether a job could begin then; undefined when a finished booking may still hold its half hours. */
export function isStartFree(
  model: MovingModel,
  provider: ModelProvider,
  start: number,
  cells: number,
): boolean | undefined {
  if (start < model.now + LEAD) return false
  const visits = visitsOf(model, provider)
  let sure: boolean | undefined = true
  for (let cell = start; cell < start + cells * CELL; cell += CELL) {
    if (!provider.hours.has(cell)) return false
    for (const visit of visits) {
      if (cell < visit.start || cell >= visit.start + visit.cells * CELL) continue
      if (!hasResourceEnded(visit)) return false
      sure = undefined
    }
  }
  return sure
}

/**
 * Returns whether a list shows a start, whose place is not known: the provider may travel between it and another visit
 * from one end of the area to the provider's own place, where all visits of the model are. Undefined when only the
 * rounding to half hours can hide it, or a finished booking.
 */
export function isShown(
  model: MovingModel,
  provider: ModelProvider,
  start: number,
  { minutes, buffer }: { minutes: number; buffer: number },
): boolean | undefined {
  const cells = countHalfHours(minutes, buffer)
  let sure = isStartFree(model, provider, start, cells)
  if (sure === false) return false
  const way = LATE + MINUTE + ((1.3 * provider.radius) / 8.33) * 1000
  const leastBuffer = Math.min(...provider.services.map((each) => each.buffer)) * MINUTE
  for (const visit of visitsOf(model, provider)) {
    const isAfter = start > visit.start
    const [first, last] = isAfter ? [visit.start, start] : [start, visit.start]
    const worked = (isAfter ? Number(visit.quote.body['duration_minutes']) : minutes) * MINUTE
    if (first + worked + way > last) {
      if (!hasResourceEnded(visit)) return false
      sure = undefined
    }
    if (!isAfter && start + cells * CELL - leastBuffer + way > last) sure = undefined
  }
  return sure
}

// Parcels.

/** The statuses that a parcel may be scanned in again. */
export const SCANNED_AGAIN = ['pre_transit', 'delivery_attempted', 'returning', 'cancelled']

export function isStoppable({ status }: ModelParcel): boolean {
  return status !== 'delivered' && status !== 'returned'
}
