import { haversineMetres, type Point } from '../geometry.ts'
import { AREAS, DISTRICTS, type Zone } from './postcode-areas.ts'

export type { Zone }

/** A postcode area: its code, the town or island that stands for it, the position and the price zone. */
export type PostcodeArea = Point & { area: string; name: string; zone: Zone; island: boolean }

/** A point farther than this from every known town is not served. */
const REACH_M = 60_000

/** Returns the form in which postcodes are compared: upper case, no spaces. */
export function normalizePostcode(text: string): string {
  return text.replace(/\s/g, '').toUpperCase()
}

/** Formats a postcode for people: a British one gets its space, others only upper case. */
export function formatPostcode(text: string): string {
  const compact = normalizePostcode(text)
  if (splitPostcode(compact)?.inward === undefined) return text.trim().replace(/\s+/g, ' ').toUpperCase()
  return `${compact.slice(0, -3)} ${compact.slice(-3)}`
}

/** Returns the area of a British postcode, or of its outward half (`SW1A`); undefined when there is none. */
export function findArea(postcode: string): PostcodeArea | undefined {
  const parts = splitPostcode(normalizePostcode(postcode))
  if (parts === undefined) return undefined
  return byDistrict().get(`${parts.area}${parts.district}`) ?? byArea().get(parts.area)
}

/** Returns the nearest area to a point, at most 60 km away. */
export function nearestArea(point: Point): PostcodeArea | undefined {
  let nearest: PostcodeArea | undefined
  let distance = REACH_M
  for (const place of places()) {
    const metres = haversineMetres(point, place)
    if (metres <= distance) [nearest, distance] = [place, metres]
  }
  return nearest
}

/** Returns whether an address line is a post office box, to which no courier can deliver. */
export function isPoBox(addressLine: string): boolean {
  return /\bp\.?\s*o\.?\s*box\b|\bpost\s+office\s+box\b/i.test(addressLine)
}

type Parts = { area: string; district: string; inward: string | undefined }

function splitPostcode(compact: string): Parts | undefined {
  const match = /^([A-Z]{1,2})(\d{1,2}|\d[A-Z])(\d[ABD-HJLNP-UW-Z]{2})?$/.exec(compact)
  if (match === null) return undefined
  const [, area = '', district = '', inward] = match
  return { area, district, inward }
}

let allPlaces: PostcodeArea[] | undefined
let areaIndex: Map<string, PostcodeArea> | undefined
let districtIndex: Map<string, PostcodeArea> | undefined

function byArea(): Map<string, PostcodeArea> {
  areaIndex ??= new Map(AREAS.map((row): [string, PostcodeArea] => [row[0], toPlace(row)]))
  return areaIndex
}

function byDistrict(): Map<string, PostcodeArea> {
  if (districtIndex !== undefined) return districtIndex
  districtIndex = new Map()
  for (const [districts, ...row] of DISTRICTS) {
    const place = toPlace(row)
    for (const district of expand(districts)) districtIndex.set(`${row[0]}${district}`, place)
  }
  return districtIndex
}

function places(): PostcodeArea[] {
  allPlaces ??= [...byArea().values(), ...new Set(byDistrict().values())]
  return allPlaces
}

/** Expands `8,15-17` into its numbers. */
function expand(districts: string): number[] {
  return districts.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}

function toPlace([area, name, latitude, longitude, zone, place]: (typeof AREAS)[number]): PostcodeArea {
  return { area, name, latitude, longitude, zone, island: place === 'island' }
}
