/** The addresses that the market knows, each with its point. Stores, hubs and senders of the seeded world take both from here. */
import type { Address } from '../address.ts'
import { fold } from '../fold.ts'
import type { Point } from '../geometry.ts'
import { normalizePostcode } from './postcode.ts'

export type KnownAddress = Address & { location: Point }

const ROWS: readonly (readonly [
  line1: string,
  city: string,
  postcode: string,
  at: readonly [latitude: number, longitude: number],
  name?: string,
])[] = [
  ['46 Lime Street', 'London', 'EC3M 7AW', [51.512851, -0.082154], 'Lime Street Noodles'],
  ['118 Brick Lane', 'London', 'E1 6RL', [51.520512, -0.071794], 'Kettle & Cumin'],
  ['31 Exmouth Market', 'London', 'EC1R 4QL', [51.525821, -0.109277], 'Forno Santa Rosa'],
  ['84 Kingsland Road', 'London', 'E2 8DP', [51.531344, -0.076986], 'Quán Sen'],
  ['22 Old Compton Street', 'London', 'W1D 4TP', [51.513116, -0.131312], 'Owl & Ember Burgers'],
  ['140 Upper Street', 'London', 'N1 1QP', [51.540213, -0.102744], 'Casa Marigold'],
  ['57 Bermondsey Street', 'London', 'SE1 3XF', [51.501233, -0.081712], 'Harbour & Hake'],
  ['9 Stoney Street', 'London', 'SE1 9AA', [51.505614, -0.091238], 'Fig & Fennel Counter'],
  ['70 Commercial Street', 'London', 'E1 6LT', [51.518922, -0.074831], 'Goosefoot Grocer Spitalfields'],
  ['14 Clerkenwell Green', 'London', 'EC1R 0DP', [51.522914, -0.105783], 'Goosefoot Grocer Clerkenwell'],
  ['3 Maltby Street', 'London', 'SE1 3PA', [51.500031, -0.076042], 'Harvest Lane Pantry'],
  ['5 Leadenhall Market', 'London', 'EC3V 1LT', [51.512934, -0.083611], 'Petal & Paper'],
  ['1 Aldgate High Street', 'London', 'EC3N 1AL', [51.5138, -0.0754]],
  ['Unit 4, Premier Park Road', 'London', 'NW10 7NZ', [51.5326, -0.2711], 'LON1'],
  ['18 Mandela Way', 'London', 'SE1 5SS', [51.4925, -0.079], 'LON2'],
  ['Unit 9, Marshgate Lane', 'London', 'E15 2NH', [51.5346, -0.0128], 'LON3'],
  ['Unit 2, Beddington Farm Road', 'Croydon', 'CR0 4XB', [51.3867, -0.1275], 'LON4'],
  ['31 Mollison Avenue', 'Enfield', 'EN3 7NJ', [51.658, -0.029], 'LON5'],
  ['Unit 7, Faggs Road', 'Feltham', 'TW14 0LZ', [51.4618, -0.418], 'LON6'],
  ['40 Lime Street', 'London', 'EC3M 7AW', [51.5129, -0.0823], 'Morgan Trading'],
  ['112 Bermondsey Street', 'London', 'SE1 3TX', [51.4998, -0.0817], 'Thames Books'],
  ['5 Scrubs Lane', 'London', 'NW10 6RB', [51.5318, -0.2377], 'Harbour Supplies'],
]

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

type Known = {
  address: KnownAddress
  name: string | undefined
  keys: string[]
  street: string
  postcode: string
}

let read: readonly Known[] | undefined

/** Returns the addresses as they are compared: made once, and not by a program that asks for none. */
function allKnown(): readonly Known[] {
  return (read ??= ROWS.map(([line1, city, postal_code, [latitude, longitude], name]) => ({
    address: { line1, city, postal_code, country_code: 'GB', location: { latitude, longitude } },
    name,
    keys: [keyOf(line1), ...(name === undefined ? [] : [keyOf(name)])],
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
  const onStreet = (each: Known) => streets.has(each.street)
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
  return fold(text)
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
