/**
 * Resolves addresses to points and points to names, by known addresses, named places and postcodes:
 * the sandbox uses no map service.
 */
import londonDistrictRows from '../../reference-data/london/districts.json' with { type: 'json' }
import type { Address } from '../address.ts'
import { foldForSearch } from '../fold.ts'
import { haversineMetres, type Point, roundPoint } from '../geometry.ts'
import { sha256Bytes } from '../hash.ts'
import { findDestination } from './coverage.ts'
import { findNamedPlace, type NamedPlace, namedPlaces } from './gazetteer.ts'
import { knownNear } from './known-addresses.ts'
import { nearestArea, normalizePostcode } from './postcode.ts'
import { waterAt, whyInWater } from './water.ts'

/** The postcode districts of London with their approximate centres. Letters at the end (`EC3M`) are omitted. */
export const LONDON_DISTRICTS = londonDistrictRows as [
  district: string,
  name: string,
  latitude: number,
  longitude: number,
][]

/** The precision of a point: the door or the place itself, its street, its postcode, or its district. */
export const PRECISIONS = ['exact', 'street', 'postcode', 'district'] as const
export type Precision = (typeof PRECISIONS)[number]

/** A place with a known position and name. */
export type ResolvedPlace = Place & { location: Point; name: string; precision: Precision }

/**
 * The largest distance in metres of an address from the centre of its postcode area (`district`, `town`), of its
 * postcode (`door`), and from the one known point of its street (`street`).
 */
const SPREAD = { district: 400, town: 1500, street: 150, door: 40 } as const
/** A place that an address names is at most so far from the middle of the address’s district or town, in metres. */
const SAME_PART_M = 3000
const METRES_PER_DEGREE = 111_195
/** Farther than this from every district of London, a point gets the name of the nearest town. */
const LONDON_REACH_M = 3000

/** Returns the point that a place itself gives; undefined without one. */
export function findPlacePoint({ location, address }: Place): Point | undefined {
  return location ?? address?.location
}

/**
 * Returns the place with a point and a name: the given name, the district of its postcode, or the nearest known
 * place. The same address always has the same point
 * (docs/rules/time-and-places.md#an-address-has-one-point). Returns undefined for an unknown postcode or country, for an
 * unnamed point more than 60 km from every known town, and for a point in water.
 */
export function resolvePlace(place: Place): ResolvedPlace | undefined {
  const { address } = place
  const given = findPlacePoint(place)
  if (given !== undefined && waterAt(given) !== undefined) return undefined
  const found: AddressLocation | undefined =
    given === undefined
      ? address && locate(address)
      : { location: given, name: nameAt(given), precision: place.precision ?? 'exact' }
  const called = place.name ?? found?.name ?? address?.city
  if (found === undefined || called === undefined) return undefined
  return { ...place, location: roundPoint(found.location), name: called, precision: found.precision }
}

/** Returns the reason why `resolvePlace` fails, as the end of a sentence. */
export function whyUnresolved(place: Place): string {
  const point = findPlacePoint(place)
  return (point && whyInWater(point)) ?? 'is nowhere that is known here'
}

type AddressLocation = { location: Point; name: string | undefined; precision: Precision }

function locate(address: Address): AddressLocation | undefined {
  const destination = findDestination(address.country_code, address.postal_code)
  if (typeof destination === 'string') return undefined
  const postcode = normalizePostcode(address.postal_code)
  const district = londonDistrict(postcode)
  const { name, ...middle } = district ?? destination.area
  const door = `${postcode} ${address.line1}`
  const near = knownNear(address)
  if (near !== undefined) {
    const { shared, location } = near
    return {
      location: shared === 'exact' ? location : scatter(location, SPREAD.door, door),
      name,
      precision: shared,
    }
  }
  const named = placeIn(address.line1, middle)
  if (named !== undefined) {
    const { precision, place } = named
    return { location: precision === 'exact' ? place : scatter(place, SPREAD.street, door), name, precision }
  }
  const street = scatter(middle, district === undefined ? SPREAD.town : SPREAD.district, postcode)
  return { location: scatter(street, SPREAD.door, door), name, precision: 'district' }
}

/** Named places along which doors have numbers. */
const STREET = / (?:Street|Square|Road)$/

/** Returns the named place that a first line means (`King’s Cross station`), or the street (`221B Baker Street`, `1 Sloane Square`). */
function placeIn(line1: string, middle: Point) {
  const written = [line1, line1.split(',')[0] ?? '']
  const isNear = (place: NamedPlace | undefined) =>
    place !== undefined && haversineMetres(place, middle) <= SAME_PART_M
  const exact = written.map((text) => findNamedPlace(text)).find(isNear)
  if (exact !== undefined) return { place: pointFrom(exact), precision: 'exact' as const }
  const streets = written.map((text) => findNamedPlace(text.replace(/^\s*\d\S*\s+/, '')))
  const street = streets.find((place) => place !== undefined && STREET.test(place.name) && isNear(place))
  return street && { place: pointFrom(street), precision: 'street' as const }
}

function pointFrom({ latitude, longitude }: NamedPlace): Point {
  return { latitude, longitude }
}

function nameAt(point: Point): string | undefined {
  let [name, distance] = [undefined as string | undefined, LONDON_REACH_M]
  for (const place of [...namedPlaces().values(), ...londonDistricts().values()]) {
    const metres = haversineMetres(point, place)
    if (metres <= distance) [name, distance] = [place.name, metres]
  }
  return name ?? nearestArea(point)?.name
}

/** Returns the place of London that a name means: one of the gazetteer, or a postcode district. */
export function findPlaceNamed(text: string): NamedPlace | undefined {
  const name = foldForSearch(text)
  return (
    findNamedPlace(text) ??
    londonDistricts()
      .values()
      .find((district) => foldForSearch(district.name) === name)
  )
}

let districts: Map<string, NamedPlace> | undefined

function londonDistricts(): Map<string, NamedPlace> {
  districts ??= new Map(
    LONDON_DISTRICTS.map(([district, name, latitude, longitude]) => [
      district,
      { name, latitude, longitude },
    ]),
  )
  return districts
}

/** Returns the district of a postcode: `EC3M7AW` is in EC3, and so is `EC3M`. */
function londonDistrict(postcode: string): NamedPlace | undefined {
  const outward = postcode.replace(/\d[A-Z]{2}$/, '')
  return londonDistricts().get(outward.replace(/[A-Z]$/, ''))
}

/** Returns a point within a distance in metres of another, always the same for the same text. */
function scatter({ latitude, longitude }: Point, metres: number, text: string): Point {
  const [first = 0, second = 0, third = 0, fourth = 0] = sha256Bytes(`place|${text}`)
  const angle = ((first * 256 + second) / 65_536) * 2 * Math.PI
  const degrees = (Math.sqrt((third * 256 + fourth) / 65_536) * metres) / METRES_PER_DEGREE
  return {
    latitude: latitude + degrees * Math.sin(angle),
    longitude: longitude + (degrees * Math.cos(angle)) / Math.cos((latitude * Math.PI) / 180),
  }
}

/** An address, a point, or both; in a request also a name alone. */
export type Place = { address?: Address; location?: Point; name?: string; precision?: Precision }
