import type { Point } from '../geometry.ts'
import {
  findPostcodeArea,
  formatPostcode,
  nearestArea,
  findForeignPostcodePlace,
  type PostcodeArea,
  type PriceZone,
} from './postcode.ts'
import { waterAt } from './water.ts'

/** The reason why the carrier does not deliver to a place. */
export type CoverageRefusal = 'not_served' | 'remote_area' | 'embargoed' | 'unknown_postcode'

export type Restriction = 'no_saturday' | 'islands_surcharge' | 'po_box_refused'

/** A place that the carrier delivers to. */
export type Destination = {
  country_code: string
  zone: PriceZone
  island: boolean
  area: PostcodeArea
  restrictions: Restriction[]
}

/** The countries of the domestic network, with the postcode areas of those that have their own. */
const SERVED: Readonly<Record<string, readonly string[] | undefined>> = {
  GB: [],
  IM: ['IM'],
  JE: ['JE'],
  GG: ['GY'],
}

/** Says whether the carrier delivers in a country at all. */
export function isCountryServed(countryCode: string): boolean {
  return Object.hasOwn(SERVED, countryCode)
}

/** The countries to which parcels go. */
export const SERVED_COUNTRIES: readonly string[] = Object.keys(SERVED)

const EMBARGOED = new Set(['CU', 'IR', 'KP', 'SY'])

/** Returns the destination of a full postcode or of its first half, or the reason why there is none. */
export function findDestination(countryCode: string, postalCode: string): Destination | CoverageRefusal {
  if (EMBARGOED.has(countryCode)) return 'embargoed'
  const areas = SERVED[countryCode]
  if (areas === undefined) return 'not_served'
  if (findForeignPostcodePlace(postalCode) !== undefined) return 'not_served'
  const area = findPostcodeArea(postalCode)
  if (area === undefined || (areas.length > 0 && !areas.includes(area.area))) return 'unknown_postcode'
  return toDestination(area)
}

/** Returns the destination of a point on land, by the nearest town; `not_served` in water and far from towns. */
export function findDestinationAt(point: Point): Destination | CoverageRefusal {
  const area = nearestArea(point)
  return area === undefined || waterAt(point) !== undefined ? 'not_served' : toDestination(area)
}

/** Returns whether the postcode names a street and not only a district, as an address needs. */
export function isFullPostcode(postalCode: string): boolean {
  return /^\S+ \S{3}$/.test(formatPostcode(postalCode))
}

const destinations = new Map<PostcodeArea, Destination>()

function toDestination(area: PostcodeArea): Destination {
  const known = destinations.get(area) ?? makeDestination(area)
  destinations.set(area, known)
  return known
}

function makeDestination(area: PostcodeArea): Destination {
  const [country_code = 'GB'] = Object.entries(SERVED).find(([, areas]) => areas?.includes(area.area)) ?? []
  return {
    country_code,
    zone: area.zone,
    island: area.island,
    area,
    restrictions: [
      ...(area.zone === 'D' ? (['no_saturday'] as const) : []),
      ...(area.island ? (['islands_surcharge'] as const) : []),
      'po_box_refused',
    ],
  }
}
