/** Addresses as they stand on a parcel: in the order of their country. */
import { formatAddress } from 'localized-address-format'
import type { Address } from '../../../core/address.ts'
import { countryName } from '../../../core/country.ts'

/** Scripts in which the countries of East Asia write an address from the largest place to the smallest. */
const EAST_ASIAN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u

/** Returns the lines of an address, without the names above it and the country below. */
export function addressLines({ line1, line2, city, region, postal_code, country_code }: Address): string[] {
  const script = EAST_ASIAN.test(`${line1}${city}`) ? 'local' : 'latin'
  const street = [line1, ...(line2 === undefined ? [] : [line2])]
  // The rules of a few countries name no town, because their street lines hold it; ours do not.
  const hasCity = formatAddress({ postalCountry: country_code, locality: '*' }, script).length > 0
  const lines = formatAddress(
    {
      postalCountry: country_code,
      ...(region !== undefined && { administrativeArea: region }),
      // The British post reads the town in capitals.
      ...(hasCity && { locality: country_code === 'GB' ? city.toUpperCase() : city }),
      postalCode: postal_code,
      addressLines: hasCity ? street : script === 'local' ? [city, ...street] : [...street, city],
    },
    script,
  ).map((line) => line.replace(/^[\s,、-]+/, ''))
  // A country of which the rules are not known may have no place for a postcode.
  return lines.some((line) => line.includes(postal_code)) ? lines : [...lines, postal_code]
}

/** Returns the country as every post reads it: in English, in capitals. */
export function countryLine(code: string): string {
  return countryName(code).toUpperCase()
}
