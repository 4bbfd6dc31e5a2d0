/**
 * Resolves addresses to points and points to names (`contract.md` A5), by postcodes alone: the sandbox uses no map
 * service.
 */
import type { Address } from '../address.ts'
import { fold } from '../fold.ts'
import { haversineMetres, type Point, roundPoint } from '../geometry.ts'
import { sha256Bytes } from '../hash.ts'
import { findDestination } from './coverage.ts'
import { findNamedPlace, NAMED_PLACES, type NamedPlace } from './gazetteer.ts'
import { LONDON_DISTRICTS } from './london-districts.ts'
import { nearestArea, normalizePostcode } from './postcode.ts'
import { waterAt, whyInWater } from './water.ts'

/** A place with a known position and name. */
export type ResolvedPlace = Place & { location: Point; name: string }

/**
 * The largest distance in metres of an address from the centre of its postcode area (`district`, `town`) and of its
 * postcode (`door`).
 */
const SPREAD = { district: 400, town: 1500, door: 40 } as const
const METRES_PER_DEGREE = 111_195
/** Farther than this from every district of London, a point gets the name of the nearest town. */
const LONDON_REACH_M = 3000

/** Returns the point that a place itself gives; undefined without one. */
export function pointOf({ location, address }: Place): Point | undefined {
  return location ?? address?.location
}

/**
 * Returns the place with a point and a name: the given name, the district of its postcode, or the nearest known
 * place. The same address always has the same point. Returns undefined for an unknown postcode or country, for an
 * unnamed point more than 60 km from every known town, and for a point in water.
 */
export function resolvePlace(place: Place): ResolvedPlace | undefined {
  const { address } = place
  const given = pointOf(place)
  if (given !== undefined && waterAt(given) !== undefined) return undefined
  const found = given === undefined ? undefined : { location: given, name: nameAt(given) }
  const { location, name } = found ?? (address === undefined ? undefined : locate(address)) ?? {}
  const called = place.name ?? name ?? address?.city
  if (location === undefined || called === undefined) return undefined
  return { ...place, location: roundPoint(location), name: called }
}

/** Returns the reason why `resolvePlace` fails, as the end of a sentence. */
export function whyUnresolved(place: Place): string {
  const point = pointOf(place)
  return (point && whyInWater(point)) ?? 'is nowhere that is known here'
}

function locate(address: Address): { location: Point; name: string } | undefined {
  const destination = findDestination(address.country_code, address.postal_code)
  if (typeof destination === 'string') return undefined
  const postcode = normalizePostcode(address.postal_code)
  const district = londonDistrict(postcode)
  const middle = district ?? destination.area
  const street = scatter(middle, district === undefined ? SPREAD.town : SPREAD.district, postcode)
  return { location: scatter(street, SPREAD.door, `${postcode} ${address.line1}`), name: middle.name }
}

function nameAt(point: Point): string | undefined {
  let [name, distance] = [undefined as string | undefined, LONDON_REACH_M]
  for (const place of [...NAMED_PLACES, ...londonDistricts().values()]) {
    const metres = haversineMetres(point, place)
    if (metres <= distance) [name, distance] = [place.name, metres]
  }
  return name ?? nearestArea(point)?.name
}

/** Returns the place of London that a name means: one of the gazetteer, or a postcode district. */
export function findPlaceNamed(text: string): NamedPlace | undefined {
  const name = fold(text)
  return (
    findNamedPlace(text) ??
    londonDistricts()
      .values()
      .find((district) => fold(district.name) === name)
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

/** `contract.md` A5: an address, a point, or both. */
export type Place = { address?: Address; location?: Point; name?: string }
