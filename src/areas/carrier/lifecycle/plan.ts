/** The price of a parcel and its day of arrival: one function for rates, for one parcel and for a manifest. */
import type { Address, ShipmentParty } from '../../../core/address.ts'
import { assertWithinCeiling } from '../../../core/ceilings.ts'
import { countryName } from '../../../core/country.ts'
import type { Tx } from '../../../core/db.ts'
import { AppError, type ErrorCode, type ProblemDetails } from '../../../core/errors.ts'
import { haversineMetres, type Point, roundPoint } from '../../../core/geometry.ts'
import type { Money } from '../../../core/money.ts'
import {
  type Destination,
  findDestination,
  isFullPostcode,
  isCountryServed,
  SERVED_COUNTRIES,
} from '../../../core/places/coverage.ts'
import {
  formatPostcode,
  isPoBox,
  findForeignPostcodePlace,
  type PriceZone,
} from '../../../core/places/postcode.ts'
import { whyInWater } from '../../../core/places/water.ts'
import { addDays, resolveLocalTime, describePastTime, localDate } from '../../../core/time.ts'
import { type Hub, listAgreementHubs, pickHub } from '../queries/hubs.ts'
import { findCarrierTerms, type Terms } from '../queries/rate-cards.ts'
import type { ParcelContents, ShipmentOptions } from '../queries/shipments.ts'
import { assertCashAtDoor } from '../rules/options.ts'
import {
  chargeableWeight,
  type DeliveryEstimate,
  computeDeliveryEstimate,
  findParcelLimitError,
  restrictServiceToZone,
  clampDeliveryDate,
  type ParcelMeasurements,
  type ParcelPrice,
  priceParcel,
  SERVICE_LEVELS,
  type ServiceLevel,
  type ServiceLevelCode,
} from '../rules/rates.ts'
import { assertPlainTexts } from '../rules/texts.ts'

/** A parcel as asked for; what is omitted is the agreement's. */
export type ShipmentRequest = {
  recipient: ShipmentParty
  parcel: ParcelContents
  service_level: ServiceLevelCode
  /** Id or code of a hub. */
  hub_id?: string | undefined
  sender?: ShipmentParty | undefined
  reference?: string | undefined
  customer?: string | undefined
  options?: ShipmentOptions | undefined
}

/** Everything about a parcel that is settled before it exists. */
export type ShipmentPlan = {
  service_level: ServiceLevelCode
  hub: Hub
  sender: ShipmentParty
  recipient: ShipmentParty
  parcel: ParcelContents
  options: ShipmentOptions
  destination: Destination
  price: ParcelPrice
  estimated_delivery_date: string
  /** The time at which the hub takes it in. */
  collect_at: number
}

export type Rate = {
  /** As it runs in the zone. */
  level: ServiceLevel
  hub: Hub
  price: ParcelPrice
  zone: PriceZone
  chargeable_weight_grams: number
  estimate: DeliveryEstimate
}

/** Without a hub, the nearest to the sender that offers the level. */
export type RateInputs = {
  parcel: ParcelMeasurements
  destination: Destination
  sender?: ShipmentParty
  hub?: Hub | undefined
  declared_value?: Money | undefined
}

/** The place of a value in a request. */
export type ValueLocation = { pointer: string } | { parameter: string }

export type Planner = {
  terms: Terms
  hubs: readonly Hub[]
  /** An open hub of the agreement. Throws `hub_not_found`, naming the place of the request where it stands. */
  loadHub: (idOrCode: string, place: ValueLocation) => Hub
  /** Throws `currency_mismatch` for money that is not in the currency of the card. */
  assertCurrency: (money: Money | undefined, place: ValueLocation) => void
  /** One level's price and dates, or undefined where it is not offered. Throws `parcel_limits_exceeded`. */
  rate: (level: ServiceLevel, inputs: RateInputs) => Rate | undefined
  /** Throws what `create_shipment` rejects with. */
  plan: (request: ShipmentRequest) => ShipmentPlan
}

/** Plans the parcels of one agreement at one instant. */
export async function makePlanner(tx: Tx, agreementId: string, now: number): Promise<Planner> {
  const [terms, hubs] = await Promise.all([
    findCarrierTerms(tx, agreementId),
    listAgreementHubs(tx, agreementId),
  ])
  if (terms === undefined) throw new AppError('agreement_required', 'The account has no carrier agreement.')
  return plannerOf(terms, hubs, now)
}

function plannerOf(terms: Terms, hubs: readonly Hub[], now: number): Planner {
  const planning: PlanningContext = { terms, hubs, now, ...rememberedAt(hubs, now) }
  return {
    terms,
    hubs,
    loadHub: (idOrCode, place) => loadHub(hubs, idOrCode, place),
    assertCurrency: (money, place) => assertCurrency(terms, money, place),
    rate: (level, inputs) => rate(planning, level, inputs),
    plan: (request) => plan(planning, request),
  }
}

/** The agreement and the instant that parcels are planned for. */
type PlanningContext = { terms: Terms; hubs: readonly Hub[]; now: number } & ReturnType<typeof remembered>

/** The dates and hubs that were worked out last, for hubs that are kept in memory. */
const latest = new WeakMap<readonly Hub[], { minute: number } & ReturnType<typeof remembered>>()

/** Offsets of zones and cut-offs are whole minutes, so all calls of a minute have the same dates. */
function rememberedAt(hubs: readonly Hub[], now: number): ReturnType<typeof remembered> {
  const minute = Math.floor(now / 60_000)
  const known = latest.get(hubs)
  if (known?.minute === minute) return known
  const made = { minute, ...remembered(hubs, now) }
  latest.set(hubs, made)
  return made
}

/** Works out each date and each nearest hub once. */
function remembered(hubs: readonly Hub[], now: number) {
  const estimate = memoizeByKey(
    (level: ServiceLevel, hub: Hub) => computeDeliveryEstimate(level, hub, now),
    ({ code, saturday }, hub) => `${code} ${saturday} ${hub.hub_id}`,
  )
  const collection = memoizeByKey(
    (date: string, time: string, timezone: string) => resolveLocalTime(date, time, timezone),
    (...parts) => parts.join(' '),
  )
  const today = memoizeByKey(
    (timezone: string) => localDate(now, timezone),
    (timezone) => timezone,
  )
  const nearestHub = memoizeByKey(
    (from: Address, level: ServiceLevelCode) => findNearest(hubs, locate(from), level),
    ({ location, postal_code }, level) =>
      `${location?.latitude} ${location?.longitude} ${postal_code} ${level}`,
  )
  return { estimate, collection, today, nearestHub }
}

function loadHub(hubs: readonly Hub[], idOrCode: string, place: ValueLocation): Hub {
  const hub = pickHub(hubs, idOrCode)
  if (hub?.active === true) return hub
  throw refusal('hub_not_found', `No open hub ${idOrCode.slice(0, 40)} in your agreement.`, place)
}

function assertCurrency({ card: { currency } }: Terms, money: Money | undefined, place: ValueLocation): void {
  if (money === undefined || money.currency === currency) return
  throw refusal('currency_mismatch', `The amount must be in ${currency}, like your prices.`, place)
}

function rate(planning: PlanningContext, service: ServiceLevel, inputs: RateInputs): Rate | undefined {
  const { terms, nearestHub, estimate } = planning
  const { parcel, destination, declared_value, sender = terms.sender } = inputs
  assertFits(parcel)
  const level = restrictServiceToZone(service, destination.zone)
  const hub = inputs.hub ?? nearestHub(sender.address, level.code)
  if (hub?.service_levels.includes(level.code) !== true) return undefined
  const { zone, island } = destination
  const price = priceParcel(terms.card, { service_level: level.code, zone, parcel, declared_value, island })
  if (price === undefined) return undefined
  const chargeable_weight_grams = chargeableWeight(parcel)
  return { level, hub, price, zone, chargeable_weight_grams, estimate: estimate(level, hub) }
}

/** No parcel waits for longer: a later day is a year that was mistyped, such as 2062. */
const MAX_WAIT_DAYS = 366

function assertAhead({ now, today }: PlanningContext, date: string | undefined, { timezone }: Hub): void {
  const first = today(timezone)
  const last = addDays(first, MAX_WAIT_DAYS)
  if (date === undefined || (date >= first && date <= last)) return
  const detail =
    date < first
      ? describePastTime('not_before_date', now, timezone)
      : `not_before_date must be within a year, by ${last}`
  throw new AppError('invalid_request', `${detail}.`, {
    errors: [{ pointer: '/options/not_before_date', code: 'out_of_range', detail }],
  })
}

function plan(planning: PlanningContext, request: ShipmentRequest): ShipmentPlan {
  const { terms, hubs, collection } = planning
  const { parcel } = request
  const options = { signature_required: false, ...request.options }
  assertFits(parcel)
  assertParty(request.recipient, 'recipient')
  if (request.sender !== undefined) assertParty(request.sender, 'sender')
  const recipient = normalize(request.recipient)
  const sender = request.sender === undefined ? terms.sender : normalize(request.sender)
  const destination = findRecipient(recipient.address)
  const level = findLevel(request.service_level)
  const asked =
    request.hub_id === undefined ? undefined : loadHub(hubs, request.hub_id, { pointer: '/hub_id' })
  assertCurrency(terms, parcel.declared_value, { pointer: '/parcel/declared_value/currency' })
  assertCurrency(terms, options.cash_on_delivery, { pointer: '/options/cash_on_delivery/currency' })
  assertAmounts(request)
  assertCashAtDoor(options, '/options/leave_safe_place')
  const inputs = { parcel, destination, sender, hub: asked, declared_value: parcel.declared_value }
  const found = rate(planning, level, inputs)
  if (found === undefined) throw notAvailable(planning, level, inputs)
  const { hub, level: service, estimate: dates } = found
  const { collected_on, estimated_delivery_date } = dates
  assertAhead(planning, options.not_before_date, hub)
  const cutoff = level.cutoff_local < hub.collection.cutoff ? level.cutoff_local : hub.collection.cutoff
  return {
    service_level: level.code,
    hub,
    sender,
    recipient,
    parcel,
    options,
    destination,
    price: found.price,
    estimated_delivery_date: clampDeliveryDate(estimated_delivery_date, options.not_before_date, service),
    collect_at: collection(collected_on, cutoff, hub.timezone),
  }
}

/** Throws `amount_too_large`. */
function assertAmounts({ parcel, options }: ShipmentRequest): void {
  assertWithinCeiling('insured', parcel.declared_value, {
    pointer: '/parcel/declared_value',
  })
  assertWithinCeiling('cash_on_delivery', options?.cash_on_delivery, {
    pointer: '/options/cash_on_delivery',
  })
}

function notAvailable(planning: PlanningContext, level: ServiceLevel, inputs: RateInputs): AppError {
  const { hub, destination } = inputs
  const alternatives = SERVICE_LEVELS.filter((other) => rate(planning, other, inputs) !== undefined).map(
    ({ code }) => code,
  )
  const from = hub === undefined ? '' : ` from ${hub.code}`
  return refusal(
    'service_level_not_available',
    `${level.name}${from} does not go to ${destination.area.name} (zone ${destination.zone}); these do: ${alternatives.join(', ') || 'none'}.`,
    { pointer: '/service_level' },
    { alternatives },
  )
}

/** Addresses without end may be asked for while the clock stands still. */
const MAX_MEMOIZED = 1000

/** The function, asked once for each key: the rows of a manifest ask for the same few things. */
function memoizeByKey<A extends unknown[], T>(
  work: (...args: A) => T,
  keyOf: (...args: A) => string,
): (...args: A) => T {
  const known = new Map<string, T>()
  return (...args) => {
    const key = keyOf(...args)
    const value = known.get(key) ?? work(...args)
    if (known.size >= MAX_MEMOIZED) known.clear()
    known.set(key, value)
    return value
  }
}

function findNearest(hubs: readonly Hub[], from: Point, level: ServiceLevelCode): Hub | undefined {
  const offering = hubs.filter((hub) => hub.active && hub.service_levels.includes(level))
  return offering.toSorted((a, b) => haversineMetres(from, a.location) - haversineMetres(from, b.location))[0]
}

function findLevel(code: ServiceLevelCode): ServiceLevel {
  const level = SERVICE_LEVELS.find((candidate) => candidate.code === code)
  if (level === undefined)
    throw refusal('service_level_not_available', `Unknown service level ${code}.`, {
      pointer: '/service_level',
    })
  return level
}

function assertFits(parcel: ParcelMeasurements): void {
  const problem = findParcelLimitError(parcel)
  if (problem === undefined) return
  const { field, detail } = problem
  throw new AppError('parcel_limits_exceeded', detail, {
    errors: [{ pointer: `/parcel/${field}`, code: 'out_of_range', detail }],
  })
}

/** The destination of an address a courier can walk up to. Throws `destination_not_covered` or `address_unresolvable`. */
function findRecipient({ line1, line2, postal_code, country_code }: Address): Destination {
  const found = findDestination(country_code, postal_code)
  const place = { pointer: '/recipient/address/postal_code' }
  if (found === 'unknown_postcode' || (typeof found !== 'string' && !isFullPostcode(postal_code))) {
    throw refusal(
      'address_unresolvable',
      `${postal_code.slice(0, 16)} is not a complete, existing postcode.`,
      place,
    )
  }
  if (typeof found === 'string') {
    // The postcode says another place than the country does.
    const elsewhere = isCountryServed(country_code) ? findForeignPostcodePlace(postal_code) : undefined
    const to = elsewhere ?? countryName(country_code)
    throw refusal(
      'destination_not_covered',
      `Parcels do not go to ${to} (${found.replaceAll('_', ' ')}).`,
      { pointer: `/recipient/address/${elsewhere === undefined ? 'country_code' : 'postal_code'}` },
      { reason_code: found, ...(elsewhere === undefined && { hint: servedHint(country_code) }) },
    )
  }
  const box = isPoBox(line1) ? 'line1' : isPoBox(line2 ?? '') ? 'line2' : undefined
  if (box !== undefined) {
    throw refusal(
      'destination_not_covered',
      'A PO box cannot take a parcel; give a street address.',
      { pointer: `/recipient/address/${box}` },
      { reason_code: 'po_box_refused' },
    )
  }
  return found
}

/** Throws `invalid_request` for texts of a template, `address_unresolvable` for a point in a river or the sea. */
function assertParty(party: ShipmentParty, member: 'recipient' | 'sender'): void {
  assertPlainTexts(party, member)
  const { location } = party.address
  const problem = location && whyInWater(location)
  if (problem === undefined) return
  const detail = `${member} ${problem}`
  throw refusal('address_unresolvable', `${detail}.`, { pointer: `/${member}/address/location` })
}

/** Returns the place where a sender is. Throws `address_unresolvable`. */
function locate({ location, postal_code, country_code }: Address): Point {
  const found = findDestination(country_code, postal_code)
  if (typeof found !== 'string') return location ?? found.area
  throw refusal(
    'address_unresolvable',
    `Nothing is collected at ${postal_code.slice(0, 16)}, ${country_code}: the postcode is unknown.`,
    { pointer: '/sender/address/postal_code' },
  )
}

function normalize(party: ShipmentParty): ShipmentParty {
  const { location, ...address } = party.address
  return {
    ...party,
    address: {
      ...address,
      postal_code: formatPostcode(address.postal_code),
      ...(location !== undefined && { location: roundPoint(location) }),
    },
  }
}

function refusal(
  code: ErrorCode,
  detail: string,
  place: ValueLocation,
  more: ProblemDetails & { hint?: string } = {},
): AppError {
  const { hint, ...extra } = more
  const errors = [{ ...place, code: 'invalid_format' as const, detail }]
  return new AppError(code, detail, { errors, extra, ...(hint !== undefined && { hint }) })
}

/** Returns the hint for a country to which no parcel goes. */
export function servedHint(countryCode: string): string {
  const served = new Intl.ListFormat('en', { type: 'conjunction' }).format(
    SERVED_COUNTRIES.map((code) => `${countryName(code)} (${code})`),
  )
  return `The carrier does not deliver in ${countryName(countryCode)} (${countryCode}). It delivers in ${served}.`
}
