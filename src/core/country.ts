import { COUNTRIES } from './countries.ts'

let codes: Map<string, string> | undefined
let callingCodes: Map<string, string> | undefined

/**
 * Returns the ISO 3166-1 alpha-2 code for an alpha-2 code, an alpha-3 code or an English name (`UK`, `Great Britain`,
 * `Korea, Republic of`). Undefined for anything else.
 */
export function countryCode(text: string): string | undefined {
  codes ??= indexCodes()
  return codes.get(compareForm(text))
}

/** Returns true for an alpha-2 code of ISO 3166-1 in upper case. */
export function isCountryCode(code: string): boolean {
  return callingCodeOf(code) !== undefined
}

/** Returns the calling code without the plus sign, by alpha-2 code. */
export function callingCodeOf(code: string): string | undefined {
  callingCodes ??= new Map(
    COUNTRIES.map((row): [string, string] => [row.slice(0, 2), row.split(' ')[2] ?? '']),
  )
  return callingCodes.get(code)
}

function indexCodes(): Map<string, string> {
  const index = new Map<string, string>()
  for (const row of COUNTRIES) {
    const [alpha2 = '', alpha3 = '', , ...names] = row.split(' ')
    for (const key of [alpha2.toLowerCase(), alpha3.toLowerCase(), ...names.join(' ').split('|')])
      index.set(key, alpha2)
  }
  return index
}

/**
 * Returns the form in which names are compared: lower case, no accents, dots or apostrophes, `&` as `and`, one space
 * between words, no article in front.
 */
function compareForm(text: string): string {
  const plain = text
    .normalize('NFD')
    .replace(/[\u0300-\u036f.'’`]/g, '')
    .replace(/&/g, ' and ')
    .toLowerCase()
  return plain
    .replace(/[^a-z]+/g, ' ')
    .trim()
    .replace(/^the /, '')
}
