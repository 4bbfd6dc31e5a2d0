/** The hyphens that look like the one on a keyboard. */
const HYPHENS = /[\u2010\u2011]/g

/** White space, and the blank of Braille, which Unicode counts among the symbols. */
const BLANKS = /[\s\u2800]/g

/** Most codes are printable ASCII without blanks at the ends. */
const PLAIN = /^(?! )[ -~]*(?<! )$/

/**
 * Returns a code as it is compared and stored: a reference, an id, a postcode, an e-mail address or a telephone number.
 * Two codes that look the same become the same: characters that show nothing go, any hyphen and any blank is that of a
 * keyboard, an accent is part of its letter, and no blank is at an end.
 */
export function normalizeIdentifier(text: string): string {
  if (PLAIN.test(text)) return text
  // Characters that Unicode lets every font ignore (zero-width characters, joiners, soft hyphen, marks of direction, tags), marks of
  // annotations, and control characters that are no white space. U+0000 stays and is rejected. Made only here: V8 takes
  // half a millisecond for a set of Unicode.
  const unseen = /\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]|(?![\s\0])\p{Cc}/gu
  return text.replaceAll(unseen, '').replaceAll(HYPHENS, '-').replaceAll(BLANKS, ' ').trim().normalize('NFC')
}
