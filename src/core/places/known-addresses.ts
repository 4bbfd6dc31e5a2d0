/** The addresses and streets that the market knows, each with its point. Stores, hubs and senders of the seeded world take both from here. */
import addresses from '../../reference-data/london/addresses.json' with { type: 'json' }
import type { Address } from '../address.ts'
import { foldForSearch } from '../fold.ts'
import type { Point } from '../geometry.ts'
import { normalizePostcode } from './postcode.ts'

export type KnownAddress = Address & { location: Point }

const ROWS = addresses as [
  line1: string,
  city: string,
  postcode: string,
  at: [latitude: number, longitude: number],
  name?: string,
][]

/** The second half of a postcode. */
const INWARD = /\d[A-Z]{2}$/

const SHORT: Readonly<Record<string, string>> = {
  st: 'street',
  rd: 'road',
  ln: 'lane',
  ave: 'avenue',
  av: 'avenue',
  sq: 'square',
  and: '&',
}

/** The names of stores, hubs and senders, each of which means its address. */
export const KNOWN_NAMES: readonly string[] = ROWS.flatMap(([, , , , name]) => name ?? [])

type IndexedAddress = {
  address: KnownAddress
  name: string | undefined
  keys: string[]
  street: string
  postcode: string
}

let read: readonly IndexedAddress[] | undefined

/** Returns the addresses as they are compared: made once, and not by a program that asks for none. */
function allKnown(): readonly IndexedAddress[] {
  return (read ??= ROWS.map(([line1, city, postal_code, [latitude, longitude], name]) => ({
    address: { line1, city, postal_code, country_code: 'GB', location: { latitude, longitude } },
    name,
    // A line without a number is a street, not an address.
    keys: [...(/\d/.test(line1) ? [keyOf(line1)] : []), ...(name === undefined ? [] : [keyOf(name)])],
    street: streetOf(keyOf(line1)),
    postcode: normalizePostcode(postal_code),
  })))
}

/** Returns the address with this first line. Throws Error where there is none. */
export function knownAddress(line1: string): KnownAddress {
  const found = allKnown().find(({ address }) => address.line1 === line1)
  if (found === undefined) throw new Error(`no known address begins with ${line1}`)
  return found.address
}

/** Returns the addresses that a text without a postcode means: `46 Lime St`, `Forno Santa Rosa`, `LON1`. */
export function addressesNamed(text: string): { address: KnownAddress; name?: string }[] {
  const key = keyOf(text.replace(/[,\s]+(?:london|uk|united kingdom|england)[.\s]*$/i, ''))
  return allKnown()
    .filter(({ keys }) => keys.includes(key))
    .map(({ address, name }) => ({
      address,
      ...(name !== undefined && keyOf(name) === key && { name }),
    }))
}

/**
 * Returns the known address next to a written one, and what both share: the door (`exact`), the street, or the whole
 * postcode. A first half of a postcode is enough for a door.
 */
export function knownNear({
  line1,
  line2,
  postal_code,
  country_code,
}: Address): { location: Point; shared: 'exact' | 'street' | 'postcode' } | undefined {
  if (country_code !== 'GB') return undefined
  const postcode = normalizePostcode(postal_code)
  const isFull = INWARD.test(postcode)
  const district = outwardOf(postcode)
  const written = [line1, ...line1.split(','), ...(line2?.split(',') ?? [])].map(keyOf)
  const around = allKnown().filter((each) => outwardOf(each.postcode) === district)
  const there = isFull ? around.filter((each) => each.postcode === postcode) : around
  const door = there.find(({ keys }) => keys.some((key) => written.includes(key)))
  if (door !== undefined) return { location: door.address.location, shared: 'exact' }
  const streets = new Set(written.map(streetOf))
  const onStreet = (each: IndexedAddress) => streets.has(each.street)
  const street = there.find(onStreet) ?? around.find(onStreet)
  if (street !== undefined) return { location: street.address.location, shared: 'street' }
  const [same] = isFull ? there : []
  return same && { location: same.address.location, shared: 'postcode' }
}

function outwardOf(postcode: string): string {
  return postcode.replace(INWARD, '')
}

/** Returns the form in which lines and names are compared: `46 Lime St.` is `46 lime street`. */
function keyOf(text: string): string {
  return foldForSearch(text)
    .replaceAll(/['’.]/g, '')
    .split(/[\s,_-]+/)
    .filter((word) => word !== '')
    .map((word) => SHORT[word] ?? word)
    .join(' ')
}

/** Returns a line without the numbers before its street. */
function streetOf(key: string): string {
  return key.replace(/^(?:(?:unit|flat|suite) \S+ )?(?:\d\S* )?/, '')
}
