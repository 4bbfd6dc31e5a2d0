/**
 * Texts by others within a question to a person: one line each, shortened, and without invisible characters
 * (docs/rules/failure-model.md#text-is-data-to-an-agent).
 */

const LONG_NAME = 60

/**
 * Reduces a text to letters, digits and harmless signs: removes control and invisible characters, links and markup. A
 * longer text ends in `…`.
 */
export function sanitizeForPrompt(text: string, longest = LONG_NAME): string {
  const words = text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]+/gu, ' ')
    .replaceAll(/[<>[\]{}`*_~|\\#“”"]/g, '')
    .trim()
  return words.length > longest ? `${words.slice(0, longest - 1).toWellFormed()}…` : words
}

/** Letters that are written from right to left. Figures beside them would change places with them. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/** Puts text by others in quotation marks, so that its beginning and end are visible. */
export function quoteUntrusted(text: unknown, longest = LONG_NAME): string {
  const words = sanitizeForPrompt(typeof text === 'string' ? text : '', longest)
  return `“${RIGHT_TO_LEFT.test(words) ? `${FIRST_STRONG_ISOLATE}${words}${POP_ISOLATE}` : words}”`
}
