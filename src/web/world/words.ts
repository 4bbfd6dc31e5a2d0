/** Words and times of the world. Pure. */
import { MARKET_TIMEZONE } from '../../core/market.ts'
import type { Account, Person, World } from './people.ts'

const TIME = format({ hour: '2-digit', minute: '2-digit', second: '2-digit' })
const SHORT = format({ hour: '2-digit', minute: '2-digit' })
const DAY = format({ weekday: 'short', day: 'numeric', month: 'short' })
const DATE = format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', { timeZone: MARKET_TIMEZONE, ...options })
}

/** `12:04:31`. */
export function clockText(now: number): string {
  return TIME.format(now)
}

/** `Fri 20 Nov 2026`. */
export function dateText(now: number): string {
  return DATE.format(now).replace(',', '')
}

/** `12:04`, or `Sat 21 Nov, 12:04` on another day than `now`. */
export function momentText(instant: string, now: number): string {
  const at = Date.parse(instant)
  const day = DAY.format(at)
  return day === DAY.format(now) ? SHORT.format(at) : `${day.replace(',', '')}, ${SHORT.format(at)}`
}

/** `in 40 s`, `in 12 min`, `in 3 h`, `in 20 days`; `now` for what is due. */
export function untilText(instant: string, now: number): string {
  const seconds = Math.round((Date.parse(instant) - now) / 1000)
  if (seconds <= 0) return 'now'
  if (seconds < 90) return `in ${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `in ${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `in ${hours} h` : `in ${Math.round(hours / 24)} days`
}

/** `a courier`, as a newcomer reads it. */
export const CREW_WORDS: Readonly<Record<Person['crew'], { one: string; many: string; does: string }>> = {
  courier: { one: 'Courier', many: 'Couriers', does: 'deliver food, shopping and parcels' },
  driver: { one: 'Driver', many: 'Drivers', does: 'take riders across town' },
  provider: { one: 'Provider', many: 'Providers', does: 'clean, repair and groom at customers’ homes' },
  tasker: { one: 'Tasker', many: 'Taskers', does: 'do errands and prove them with photos' },
}

export const CREWS = Object.keys(CREW_WORDS) as Person['crew'][]

/** `5 wait here: 3 couriers, 2 drivers`. */
export function crowdText(people: readonly Person[]): string {
  const crews = CREWS.flatMap((crew) => {
    const count = people.filter((person) => person.crew === crew).length
    if (count === 0) return []
    const { one, many } = CREW_WORDS[crew]
    return `${count} ${(count === 1 ? one : many).toLowerCase()}`
  })
  return `${people.length} wait here: ${crews.join(', ')}`
}

/** The names of things, by the first word of their events or the kind of a planned one. */
const THINGS: Readonly<Record<string, string>> = {
  order: 'Order',
  food_order: 'Order',
  delivery: 'Delivery',
  ride: 'Ride',
  booking: 'Booking',
  task: 'Task',
  shipment: 'Parcel',
  membership: 'Membership',
  payment: 'Payment',
  check: 'Table bill',
  catalog_item: 'Menu item',
}

/** `Order …9yvxy`, `Parcel ZC968043370GB`. */
export function thingText(kind: string, id: string): string {
  const thing = THINGS[kind] ?? capital(words(kind))
  return /^[A-Z]{2}\d+[A-Z]{2}$/.test(id) ? `${thing} ${id}` : `${thing} …${id.slice(-5)}`
}

/** `picked up`. */
export function words(name: string): string {
  return name.replaceAll('_', ' ')
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The kind of thing that an event happened to, and what it was. */
export function eventText({ type, resource_id }: World['happened'][number]): { thing: string; did: string } {
  const [kind = '', did = ''] = type.split('.')
  return { thing: thingText(kind, resource_id), did: words(did) }
}

/** Returns the name of the account behind an owner: an account, or the agreement of one. */
export function ownerText(owner: string, accounts: readonly Account[] | undefined): string {
  const found = accounts?.find(
    ({ account_id, carrier_agreement, business_agreement }) =>
      owner === account_id ||
      owner === carrier_agreement?.agreement_id ||
      owner === business_agreement?.agreement_id,
  )
  return found?.handle ?? ''
}

/** The work of a person now, in one line. */
export function jobText({ job }: Person, now: number): string {
  if (job === null) return 'Available'
  const { leg, from, to } = job
  const arrives =
    leg !== null && Date.parse(leg.ends_at) > now
      ? `arrives ${momentText(leg.ends_at, now)}`
      : words(job.status)
  return `${from} → ${to}, ${arrives}`
}
