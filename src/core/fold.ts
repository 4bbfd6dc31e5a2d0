/** Letters that no accent is taken from, as people type them who do not have them. */
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

/**
 * The form in which names are compared and searched: no accents, no capitals, one space between words. Marks of scripts
 * in which they tell words apart (Thai, Hindi, kana) stay.
 */
export function fold(text: string): string {
  // Small letters first: ẞ has one, ß, and only that becomes SS.
  return text
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
