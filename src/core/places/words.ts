/** Parses places as people write them: a point, a one-line address, a postcode, or a name that the market knows. */
import { findCountryCode } from '../country.ts'
import { AppError } from '../errors.ts'
import type { Point } from '../geometry.ts'
import { similarNames } from './gazetteer.ts'
import { addressesNamed, KNOWN_NAMES } from './known-addresses.ts'
import {
  findPlaceNamed,
  type Place,
  findPlacePoint,
  type ResolvedPlace,
  resolvePlace,
  whyUnresolved,
} from './place.ts'
import { formatPostcode } from './postcode.ts'

/** The forms of a place that every flag understands. */
export const PLACE_HELP =
  'an address such as "12 Finsbury Square, London EC2A 1AN", a postcode, a point such as 51.5014,-0.1406, or a place such as kings-cross'

const POINT = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/
const CODE = String.raw`[A-Z]{1,2}\d[A-Z\d]?\s*\d[A-Z]{2}`
const COUNTRY = String.raw`(?:(?:\s*,\s*|\s+)(?<country>\p{L}[\p{L} .'\u2019-]*?))?\.?`
/** Street; optional town; postcode; optional country. London needs no comma before it. */
const ADDRESSES = [
  String.raw`^(?<line1>[^,]+(?:,[^,]+)*?),\s*(?:(?<city>[^,\d]*?)[,\s]\s*)?(?<code>${CODE})${COUNTRY}$`,
  String.raw`^(?<line1>\d[^,]*?)\s+(?:(?<city>London)\s+)?(?<code>${CODE})${COUNTRY}$`,
]
const POSTCODE = String.raw`^(?:London[,\s]\s*)?(?<code>[A-Z]{1,2}\d[A-Z\d]?(?:\s*\d[A-Z]{2})?)(?:[,\s]\s*London)?${COUNTRY}$`

/** Returns the point of the typed place, or undefined. */
export function findPoint(typed: string): Point | undefined {
  const place = findPlace(typed)
  return place && (findPlacePoint(place) ?? resolvePlace(place)?.location)
}

/** Returns the typed place; undefined for unknown words, and for words that mean several places. */
export function findPlace(typed: string): Place | undefined {
  const [place, ...more] = findPlaces(typed)
  return more.length === 0 ? place : undefined
}

/** Returns every place that the words may mean. */
function findPlaces(typed: string): Place[] {
  const location = readPoint(typed)
  if (location !== undefined) return [{ location }]
  const named = findPlaceNamed(typed)
  if (named !== undefined) {
    const { name, latitude, longitude } = named
    return [{ location: { latitude, longitude }, name }]
  }
  const written = readPostcode(typed.trim()) ?? readAddress(typed.trim())
  return written === undefined ? addressesNamed(typed) : [written]
}

function readAddress(typed: string): Place | undefined {
  for (const form of ADDRESSES) {
    const { line1, city = '', code, country } = new RegExp(form, 'iu').exec(typed)?.groups ?? {}
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
  const { code, country } = new RegExp(POSTCODE, 'iu').exec(typed)?.groups ?? {}
  const country_code = readCountry(country)
  if (code === undefined) return undefined
  const address = { line1: '-', city: 'London', postal_code: code, country_code }
  const found = resolvePlace({ address })
  return found && { location: found.location, name: formatPostcode(code), precision: found.precision }
}

/** Returns the code of a country. Returns unknown text unchanged, so that the service's error names it. */
function readCountry(typed: string | undefined): string {
  return typed === undefined ? 'GB' : (findCountryCode(typed) ?? typed.trim())
}

function readPoint(typed: string): Point | undefined {
  const [, latitude, longitude] = POINT.exec(typed) ?? []
  if (latitude === undefined || longitude === undefined) return undefined
  return { latitude: Number(latitude), longitude: Number(longitude) }
}

/** Names to suggest when no known name is similar. */
const WELL_KNOWN = 'heathrow-airport, kings-cross, london-bridge, oxford-circus, stratford and waterloo'

/** Returns the end of an error: the names that may be meant, or the form of names and addresses. */
export function formatPlaceSuggestions(typed: string, names = alternativesTo(typed)): string {
  if (names.length > 0) return ` (did you mean ${names.join(', ')}?)`
  if (/^\s*\d+[a-z]?\s+[a-z]/i.test(typed)) return ' (an address needs its full postcode)'
  return ` (known places are, for example, ${WELL_KNOWN})`
}

/** Returns the addresses that the words mean when there are several, else the most similar names. */
function alternativesTo(typed: string): string[] {
  const several = addressesNamed(typed)
  if (several.length > 1)
    return several.map(({ address }) => `${address.line1}, ${address.city} ${address.postal_code}`)
  return similarNames(typed, KNOWN_NAMES)
}

/**
 * Returns the place with its point. A name alone is read as words: a named place, a store, an address in one line, a
 * postcode or a point. Throws `address_unresolvable`, with the names that may be meant; `pointer` says which field is wrong.
 */
export function locatePlace(asked: Place, pointer: string): ResolvedPlace {
  const isName = asked.address === undefined && asked.location === undefined && asked.name !== undefined
  if (isName) return locateWords(asked.name ?? '', { pointer: `${pointer}/name` }, formatPointer(pointer))
  const place = resolvePlace(asked)
  if (place !== undefined) return place
  const detail = `${formatPointer(pointer)} ${whyUnresolved(asked)}`
  throw new AppError('address_unresolvable', `${detail}.`, {
    errors: [{ pointer, code: 'invalid_format', detail }],
  })
}

/** Returns the place that words mean, with its point. Throws `address_unresolvable`, with the names that may be meant. */
function locateWords(
  typed: string,
  where: { pointer: string } | { parameter: string },
  member: string,
): ResolvedPlace {
  const place = findPlace(typed)
  const found = place && resolvePlace(place)
  if (found !== undefined) return found
  const given = JSON.stringify(typed.slice(0, 60))
  const alternatives = place === undefined ? alternativesTo(typed) : []
  const why =
    place === undefined
      ? `must be ${PLACE_HELP}, not ${given}${formatPlaceSuggestions(typed, alternatives)}`
      : whyUnresolved(place)
  const detail = `${member} ${why}`
  throw new AppError('address_unresolvable', `${detail}.`, {
    errors: [{ ...where, code: 'invalid_format', detail }],
    ...(alternatives.length > 0 && { extra: { alternatives } }),
  })
}

/** Returns `stops 0` for `/stops/0`. */
function formatPointer(pointer: string): string {
  return pointer.slice(1).replace('/', ' ')
}

type Around = { near?: string; latitude?: number; longitude?: number }

/**
 * Returns the point of a search: that of the words, or the given one, or else `fallback`. Throws `invalid_request` for
 * both ways at once, for half a point, and for neither without a fallback, and `address_unresolvable`.
 */
export function resolveSearchPoint({ near, latitude, longitude }: Around, fallback?: Point): Point {
  const given = (['latitude', 'longitude'] as const).filter(
    (member) => (member === 'latitude' ? latitude : longitude) !== undefined,
  )
  if (near !== undefined) {
    if (given.length > 0)
      throw wrongWay(
        'mutually_exclusive',
        ['near', ...given],
        'cannot be given with the other way to say where',
      )
    return locateWords(near, { parameter: 'near' }, 'near').location
  }
  if (latitude !== undefined && longitude !== undefined) return { latitude, longitude }
  if (given.length > 0)
    throw wrongWay(
      'required',
      [latitude === undefined ? 'latitude' : 'longitude'],
      `is required with ${given.join()}`,
    )
  if (fallback !== undefined) return fallback
  throw wrongWay('required', ['near'], 'is required where latitude and longitude are not given')
}

function wrongWay(code: 'required' | 'mutually_exclusive', members: string[], what: string): AppError {
  return new AppError('invalid_request', 'Give either near, or latitude with longitude.', {
    errors: members.map((parameter) => ({ parameter, code, detail: `${parameter} ${what}` })),
  })
}
