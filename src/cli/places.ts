/** Places as people write them: a point, a one-line address, a postcode, or a name of the gazetteer. */
import { countryCode } from '../domain/country.ts'
import type { Place } from '../domain/food.ts'
import { similarNames } from '../domain/gazetteer.ts'
import type { Point } from '../domain/geo.ts'
import { findPlaceNamed, pointOf, resolvePlace } from '../domain/place.ts'

/** Where somebody in the sandbox is who does not say: by the stores of the City. */
export const SANDBOX_POINT: Point = { latitude: 51.5125, longitude: -0.0803 }

/** Where its couriers are sent by who only tries it. */
export const SANDBOX_ADDRESS = '12 Finsbury Square, London EC2A 1AN'

export const PLACE_WORDS =
  'latitude,longitude such as 51.5014,-0.1406, a postcode, or a place such as kings-cross'
export const ADDRESS_WORDS =
  'an address such as "12 Finsbury Square, London EC2A 1AN", a point such as 51.5014,-0.1406, or a place such as kings-cross'

const POINT = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/
/** Street; town, if any; postcode; country, if any. */
const ADDRESS =
  /^([^,]+(?:,[^,]+)*?),\s*(?:([^,\d]*?)[,\s]\s*)?([A-Z]{1,2}\d[A-Z\d]?\s*\d[A-Z]{2})(?:(?:\s*,\s*|\s+)(\p{L}[\p{L} .'’-]+))?$/iu
const POSTCODE = /^[A-Z]{1,2}\d[A-Z\d]?(?:\s*\d[A-Z]{2})?$/i

/** The point of what was typed, or undefined. */
export function findPoint(typed: string): Point | undefined {
  const place = findPlace(typed)
  return (place && (pointOf(place) ?? resolvePlace(place)?.location)) ?? pointOfPostcode(typed)
}

/** Where something is brought, or undefined. */
export function findPlace(typed: string): Place | undefined {
  const location = readPoint(typed)
  if (location !== undefined) return { location }
  const [, line1, city = '', postcode, country = 'GB'] = ADDRESS.exec(typed.trim()) ?? []
  if (line1 !== undefined && postcode !== undefined) {
    return {
      address: {
        line1: line1.trim(),
        city: city.trim() === '' ? 'London' : city.trim(),
        postal_code: postcode.toUpperCase(),
        // What is no country is refused by the service, which says so.
        country_code: countryCode(country) ?? country.trim(),
      },
    }
  }
  const named = findPlaceNamed(typed)
  if (named === undefined) return undefined
  const { name, latitude, longitude } = named
  return { location: { latitude, longitude }, name }
}

function readPoint(typed: string): Point | undefined {
  const [, latitude, longitude] = POINT.exec(typed) ?? []
  if (latitude === undefined || longitude === undefined) return undefined
  return { latitude: Number(latitude), longitude: Number(longitude) }
}

function pointOfPostcode(typed: string): Point | undefined {
  if (!POSTCODE.test(typed.trim())) return undefined
  return resolvePlace({
    address: { line1: '-', city: 'London', postal_code: typed.trim(), country_code: 'GB' },
  })?.location
}

/** Names that may have been meant, for the end of an error; empty when none is like it. */
export function meantPlaces(typed: string): string {
  const names = similarNames(typed)
  return names.length === 0 ? '' : ` (did you mean ${names.join(', ')}?)`
}
