import { normalizeIdentifier } from './identifiers.ts'

/** Letters that Unicode does not decompose, with their usual replacements. */
const LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
  '’': "'",
  '‘': "'",
}

/** Most names are printable ASCII. */
const PLAIN = /^[ -~]*$/

/**
 * Returns the form in which names are compared and searched: nothing unseen, no accents, lower case, one space between words. Keeps
 * the marks of scripts where they distinguish words (Thai, Hindi, kana).
 */
export function foldForSearch(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().replaceAll(/ +/g, ' ').trim()
  // Lower case comes first, because ẞ becomes ß, and only ß becomes SS.
  return normalizeIdentifier(text)
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll(/[æœøđðþłıς’‘]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll(/\s+/g, ' ')
    .trim()
}
