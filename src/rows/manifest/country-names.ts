import { COUNTRY_NAMES } from '../../generated/country-names.ts'
import { wordKeys } from '../csv/keys.ts'

/** The alpha-2 code of a country by its German, French, Spanish, Italian or Polish name, in any case and without accents. */
export function countryByName(name: string): string | undefined {
  const lines = wordKeys(name).map((key) => new RegExp(`^([A-Z]{2}) (?:.* )?${key}(?: |$)`, 'm'))
  return lines.flatMap((line) => line.exec(COUNTRY_NAMES)?.[1] ?? [])[0]
}
