/** Parses places as people write them: a point, a one-line address, a postcode, or a name of the gazetteer. */
import { countryCode } from '../core/country.ts'
import type { Point } from '../core/geometry.ts'
import { similarNames } from '../core/places/gazetteer.ts'
import { findPlaceNamed, type Place, pointOf, resolvePlace } from '../core/places/place.ts'
import { formatPostcode } from '../core/places/postcode.ts'

/** The default position in the sandbox: near the stores of the City. */
export const SANDBOX_POINT: Point = { latitude: 51.5125, longitude: -0.0803 }

/** The default address in the sandbox for a first try of a courier delivery. */
export const SANDBOX_ADDRESS = '12 Finsbury Square, London EC2A 1AN'

/** The forms of a place that every flag understands. */
export const PLACE_WORDS =
  'an address such as "12 Finsbury Square, London EC2A 1AN", a postcode, a point such as 51.5014,-0.1406, or a place such as kings-cross'

const POINT = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/
const CODE = String.raw`[A-Z]{1,2}\d[A-Z\d]?\s*\d[A-Z]{2}`
const COUNTRY = String.raw`(?:(?:\s*,\s*|\s+)(?<country>\p{L}[\p{L} .'’-]*?))?\.?`
/** Street; optional town; postcode; optional country. London needs no comma before it. */
const ADDRESSES = [
  String.raw`^(?<line1>[^,]+(?:,[^,]+)*?),\s*(?:(?<city>[^,\d]*?)[,\s]\s*)?(?<code>${CODE})${COUNTRY}$`,
  String.raw`^(?<line1>\d[^,]*?)\s+(?:(?<city>London)\s+)?(?<code>${CODE})${COUNTRY}$`,
].map((source) => new RegExp(source, 'iu'))
const POSTCODE = new RegExp(
  String.raw`^(?:London[,\s]\s*)?(?<code>[A-Z]{1,2}\d[A-Z\d]?(?:\s*\d[A-Z]{2})?)(?:[,\s]\s*London)?${COUNTRY}$`,
  'iu',
)

/** Returns the point of the typed place, or undefined. */
export function findPoint(typed: string): Point | undefined {
  const place = findPlace(typed)
  return place && (pointOf(place) ?? resolvePlace(place)?.location)
}

/** Returns the typed place, or undefined. */
export function findPlace(typed: string): Place | undefined {
  const location = readPoint(typed)
  if (location !== undefined) return { location }
  const named = findPlaceNamed(typed)
  if (named !== undefined) {
    const { name, latitude, longitude } = named
    return { location: { latitude, longitude }, name }
  }
  return readPostcode(typed.trim()) ?? readAddress(typed.trim())
}

function readAddress(typed: string): Place | undefined {
  for (const form of ADDRESSES) {
    const { line1, city = '', code, country } = form.exec(typed)?.groups ?? {}
    const country_code = readCountry(country)
    if (line1 === undefined || code === undefined) continue
    return {
      address: {
        line1: line1.trim(),
        city: city.trim() === '' ? 'London' : city.trim(),
        postal_code: code.toUpperCase(),
        country_code,
      },
    }
  }
  return undefined
}

/** Returns the point of a postcode's district, named by the postcode. */
function readPostcode(typed: string): Place | undefined {
  const { code, country } = POSTCODE.exec(typed)?.groups ?? {}
  const country_code = readCountry(country)
  if (code === undefined) return undefined
  const address = { line1: '-', city: 'London', postal_code: code, country_code }
  const location = resolvePlace({ address })?.location
  return location && { location, name: formatPostcode(code) }
}

/** Returns the code of a country. Returns unknown text unchanged, so that the service's error names it. */
function readCountry(typed: string | undefined): string {
  return typed === undefined ? 'GB' : (countryCode(typed) ?? typed.trim())
}

function readPoint(typed: string): Point | undefined {
  const [, latitude, longitude] = POINT.exec(typed) ?? []
  if (latitude === undefined || longitude === undefined) return undefined
  return { latitude: Number(latitude), longitude: Number(longitude) }
}

/** Names to suggest when no known name is similar. */
const WELL_KNOWN = 'heathrow-airport, kings-cross, london-bridge, oxford-circus, stratford and waterloo'

/** Returns the end of an error: the nearest names, or the form of names and addresses. */
export function meantPlaces(typed: string): string {
  const names = similarNames(typed)
  if (names.length > 0) return ` (did you mean ${names.join(', ')}?)`
  if (/^\s*\d+[a-z]?\s+[a-z]/i.test(typed)) return ' (an address needs its full postcode)'
  return ` (known places are, for example, ${WELL_KNOWN})`
}
