/** Letters with accents, and what else Unicode knows: most headers have none. */
const BEYOND_ASCII = /[^\0-\x7f]/

/** A header as it is compared: lower case, accents removed, each run of other characters one `_`, none at the ends. */
export function headerKey(header: string): string {
  const key = BEYOND_ASCII.test(header)
    ? header
        .normalize('NFD')
        .replaceAll(/\p{M}/gu, '')
        .toLowerCase()
        .replaceAll('ł', 'l')
        .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    : header.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
  return key.replaceAll(/^_+|_+$/g, '')
}

/** `Address Line 1`, `AddressLine1` and `address_line1` are one. */
export function stripUnderscores(key: string): string {
  return key.replaceAll('_', '')
}

const SPELT_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }

/** Returns the forms in which a word is compared: without what is between its letters, umlauts as they are and spelt out. */
export function wordKeys(word: string): string[] {
  if (!BEYOND_ASCII.test(word)) return [stripUnderscores(headerKey(word))]
  const spelt = word.replaceAll(/[äöüß]/gi, (letter) => SPELT_OUT[letter.toLowerCase()] ?? letter)
  const keys = [word, spelt, word.replaceAll('ß', 'ss')].map((each) => stripUnderscores(headerKey(each)))
  return [...new Set(keys)]
}
