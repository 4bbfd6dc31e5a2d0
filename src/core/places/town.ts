/** Compares the town and the lines of an address with its postcode. */
import type { Address } from '../address.ts'
import { foldForSearch } from '../fold.ts'
import { haversineMetres } from '../geometry.ts'
import { isCountryServed } from './coverage.ts'
import { findPostcodeArea, formatPostcode, normalizePostcode, placesNamed, townOf } from './postcode.ts'

/** Towns nearer than this share postcodes: much of Surrey is TW and KT, and Manchester has those of five neighbours. */
const FAR_M = 50_000

/**
 * Returns why a town and a postcode may not belong together (`Leeds is far from E1 6EA, which is in East London`);
 * undefined where they may. Only the towns that stand for a postcode area are known, so that a village is no doubt.
 */
export function doubtTown({
  city,
  postal_code,
  country_code,
}: Pick<Address, 'city' | 'postal_code' | 'country_code'>) {
  const area = isCountryServed(country_code) ? findPostcodeArea(postal_code) : undefined
  if (area === undefined) return undefined
  const name = foldForSearch(city)
  // Most towns are those of their postcodes, which are compared without the index of all.
  if (name === townOf(area)) return undefined
  const towns = placesNamed(name)
  if (towns.length === 0 || towns.some((town) => haversineMetres(town, area) < FAR_M)) return undefined
  return `${city} is far from ${postal_code}, which is in ${area.name}`
}

const INWARD = /\d[A-Za-z]{2}(?![A-Za-z\d])/

/** A whole British postcode within a text. `Flat B1 1st floor` has none. */
const POSTCODE = /\b(?:[A-Z]{1,2}\d{1,2}|[A-Z]{1,2}\d[A-Z]) ?\d(?!(?-i:st|nd|rd|th))[ABD-HJLNP-UW-Z]{2}\b/gi

/**
 * Returns why another postcode in the lines or the town of an address makes its postcode doubtful; undefined where they have
 * none, or the same one.
 */
export function doubtLines({
  line1,
  line2 = '',
  city,
  postal_code,
  country_code,
}: Omit<Address, 'location'>): string | undefined {
  const all = `${line1}, ${line2}, ${city}`
  // Nearly no address has the end of a postcode.
  const named = INWARD.test(all) ? (all.match(POSTCODE) ?? []) : []
  if (named.length === 0 || !isCountryServed(country_code)) return undefined
  const own = normalizePostcode(postal_code)
  const other = named.find((each) => normalizePostcode(each) !== own && findPostcodeArea(each) !== undefined)
  return other === undefined
    ? undefined
    : `the address names ${formatPostcode(other)}, and its postcode is ${formatPostcode(postal_code)}`
}
