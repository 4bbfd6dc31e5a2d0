/** Formats a value of the interface for people: money in major units, local times, addresses in one line. */
import {
  isCurrency,
  formatMajorUnits,
  type Money,
  formatBasisPoints,
  formatGroupedMoney,
} from '../../core/money.ts'
import type { RenderOptions } from './render-options.ts'
import { sanitizeForTerminal } from './text.ts'

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
const DATE = /^\d{4}-\d\d-\d\d$/
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Returns the text of a value in one clean line; empty for a missing one. `field` gives the unit of a number. */
export function cellText(value: unknown, field: string, renderOptions: RenderOptions): string {
  switch (typeof value) {
    case 'string':
      // A reference such as 2026-11-20 is searched for as it is written.
      return /(?:^|\.)reference$/.test(field) ? sanitizeForTerminal(value) : stringText(value, renderOptions)
    case 'number':
    case 'bigint':
      return renderOptions.tty ? withUnit(Number(value), unitOf(field)) : String(value)
    case 'boolean':
      return value ? 'yes' : 'no'
    case 'object':
      return value === null ? '' : objectText(value, field, renderOptions)
    case 'undefined':
    case 'symbol':
    case 'function':
      return ''
  }
}

/** Returns true for an object that people see as one value. */
export function isOneThing(value: object, { tty }: RenderOptions): boolean {
  return isMoney(value) || isAddress(value) || isPlace(value, tty) || isPoint(value)
}

/**
 * Returns whether a value may be cut to fit: names and notes may; ids, amounts, times and statuses would be useless.
 */
export function isCuttable(value: unknown): boolean {
  if (typeof value === 'string') return !INSTANT.test(value) && (/\s/.test(value) || value.length > 30)
  return typeof value === 'object' && value !== null && !isMoney(value)
}

/** Returns whether the column of such a value is right-aligned. */
export function isFigure(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'object' && value !== null && isMoney(value))
}

/** Returns a heading for a field: `created_at` is "Created", `parcel.weight_grams` "Weight". */
export function formatFieldLabel(field: string): string {
  const name = field.slice(field.lastIndexOf('.') + 1)
  const unit = unitOf(name)
  const bare = (unit === undefined ? name : name.slice(0, -unit.length - 1)).replace(/_(?:at|id)$/, '')
  const words = sanitizeForTerminal(bare === '' ? name : bare)
    .replaceAll('_', ' ')
    .replace(/\bvat\b/i, 'VAT')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const UNITS = { grams: 'g', mm: 'mm', m: 'm', bps: '%', seconds: 's', minutes: 'min' } as const

type Unit = keyof typeof UNITS

function unitOf(field: string): Unit | undefined {
  const unit = /_([a-z]+)$/.exec(field)?.[1]
  return unit !== undefined && Object.hasOwn(UNITS, unit) ? (unit as Unit) : undefined
}

function withUnit(value: number, unit: Unit | undefined): string {
  if (unit === undefined) return String(value)
  if (unit === 'bps') return formatBasisPoints(value)
  if (unit === 'grams' && value >= 1000) return `${value / 1000} kg`
  if (unit === 'm' && value >= 1000) return `${Math.round(value / 10) / 100} km`
  return `${value} ${UNITS[unit]}`
}

function stringText(text: string, renderOptions: RenderOptions): string {
  if (INSTANT.test(text)) return instantText(text, renderOptions)
  if (renderOptions.tty && DATE.test(text)) return dateText(text)
  return sanitizeForTerminal(text)
}

function dateText(date: string): string {
  const month = MONTHS[Number(date.slice(5, 7)) - 1]
  return month === undefined ? date : `${Number(date.slice(8))} ${month} ${date.slice(0, 4)}`
}

/**
 * Formats an instant: `20 Nov 2026 12:00 GMT` on a terminal; `2026-11-20T12:00:00.000+00:00` for a pipe, so that it
 * sorts and parses.
 */
function instantText(text: string, renderOptions: RenderOptions): string {
  const { time, zone } = localTime(text, renderOptions)
  return renderOptions.tty ? `${time} ${zone}` : time
}

/**
 * Returns the text of an instant and the name of its zone, for columns that show the zone once; undefined for another
 * value.
 */
export function instantOf(
  value: unknown,
  renderOptions: RenderOptions,
): { time: string; zone: string } | undefined {
  return typeof value === 'string' && INSTANT.test(value) ? localTime(value, renderOptions) : undefined
}

function localTime(text: string, { timezone, tty }: RenderOptions): { time: string; zone: string } {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) return { time: text, zone: '' }
  const { timeZone, format } = zoneOf(timezone ?? Temporal.Now.timeZoneId())
  const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone)
  const zone = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
  if (!tty) return { time: local.toString({ timeZoneName: 'never', smallestUnit: 'millisecond' }), zone }
  const date = dateText(local.toPlainDate().toString())
  return { time: `${date} ${local.toPlainTime().toString({ smallestUnit: 'minute' })}`, zone }
}

type Zone = { timeZone: string; format: Intl.DateTimeFormat }

const zones = new Map<string, Zone>()

function zoneOf(timezone: string): Zone {
  const known = zones.get(timezone)
  if (known !== undefined) return known
  let zone: Zone
  try {
    zone = { timeZone: timezone, format: zoneFormat(timezone) }
  } catch {
    // a TZ that the system does not know is UTC, as it is everywhere else
    zone = { timeZone: 'UTC', format: zoneFormat('UTC') }
  }
  zones.set(timezone, zone)
  return zone
}

function zoneFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'short' })
}

function objectText(value: object, field: string, renderOptions: RenderOptions): string {
  if (Array.isArray(value)) return listed(value.map((item) => cellText(item, field, renderOptions)))
  if (isMoney(value)) return moneyText(value, renderOptions)
  if (isPoint(value)) return `${value.latitude}, ${value.longitude}`
  if (isAddress(value)) return addressText(value)
  if (isPlace(value, renderOptions.tty)) return placeText(value, renderOptions)
  if (renderOptions.tty && isChoice(value)) return choiceText(value, renderOptions)
  const members = Object.entries(value).map(([key, member]) => ({
    key,
    text: memberText(member, key, renderOptions),
  }))
  const named = members.filter(({ key }) => !key.endsWith('_id'))
  // an id beside a name tells people nothing
  return listed(named.map(({ text }) => text)) || listed(members.map(({ text }) => text))
}

/** Returns the text of a value within another; people read a word of the interface as words: `not accepted in time`. */
function memberText(value: unknown, key: string, renderOptions: RenderOptions): string {
  const text = cellText(value, key, renderOptions)
  const isWord = typeof value === 'string' && /^[a-z]+(?:_[a-z]+)+$/.test(value)
  return isWord && renderOptions.tty ? text.replaceAll('_', ' ') : text
}

function listed(texts: string[]): string {
  return texts.filter((text) => text !== '').join(', ')
}

function isMoney(value: object): value is Money {
  const { amount, currency, ...rest } = value as Partial<Money>
  return Number.isSafeInteger(amount) && typeof currency === 'string' && Object.keys(rest).length === 0
}

function moneyText({ amount, currency }: Money, renderOptions: RenderOptions): string {
  if (!isCurrency(currency)) return `${amount} ${sanitizeForTerminal(currency)} (minor units)`
  const money = { amount, currency }
  return renderOptions.tty ? formatGroupedMoney(money) : `${formatMajorUnits(money)} ${currency}`
}

type Point = { latitude: number; longitude: number }

function isPoint(value: object): value is Point {
  const { latitude, longitude } = value as Partial<Point>
  return typeof latitude === 'number' && typeof longitude === 'number'
}

function isAddress(value: object): boolean {
  return 'line1' in value && 'city' in value
}

/** Formats an address in one line: `10 Downing Street, London SW1A 2AA, GB`. */
function addressText(value: object): string {
  const { line1, line2, city, region, postal_code, country_code } = value as Record<string, unknown>
  const text = (part: unknown) => (typeof part === 'string' ? sanitizeForTerminal(part) : '')
  const town = [text(city), text(postal_code)].filter((part) => part !== '').join(' ')
  return listed([text(line1), text(line2), town, text(region), text(country_code)])
}

/** Returns whether a value is a place with an address, or for people also one with only a point. */
function isPlace(value: object, pointWillDo: boolean): value is Place {
  const { address, location } = value as Place
  const isHeld = (part: unknown): part is object => typeof part === 'object' && part !== null
  return (
    Object.keys(value).every((key) => ['address', 'location', 'name', 'precision'].includes(key)) &&
    (isHeld(address) ? isAddress(address) : pointWillDo && isHeld(location) && isPoint(location))
  )
}

type Place = { name?: unknown; address?: unknown; location?: unknown }

type Choice = { name: string; price_delta: Money; quantity?: number }

/** Returns whether a value is the choice of a modifier. */
function isChoice(value: object): value is Choice {
  const { name, price_delta } = value as Partial<Choice>
  return typeof name === 'string' && typeof price_delta === 'object' && isMoney(price_delta)
}

/** Formats a choice: `2 × Fried egg +£1.20`. */
function choiceText({ name, price_delta, quantity = 1 }: Choice, renderOptions: RenderOptions): string {
  const count = quantity === 1 ? '' : `${quantity} × `
  const price = price_delta.amount === 0 ? '' : ` +${moneyText(price_delta, renderOptions)}`
  return `${count}${sanitizeForTerminal(name)}${price}`
}

/** Formats a place: `King’s Cross (51.5308, -0.1238)`, with the point if there is no address. */
function placeText({ name, address, location }: Place, renderOptions: RenderOptions): string {
  const called = cellText(name, 'name', renderOptions)
  const at = cellText(address, 'address', renderOptions)
  if (at !== '') return listed([called, at])
  const point = cellText(location, 'location', renderOptions)
  return called === '' ? point : `${called} (${point})`
}
