/**
 * Invisible characters that a terminal, a reader or a model may act on: delete and C1, soft hyphen, bidi controls,
 * zero-width and filler characters, line separators, variation selectors except the two of emoji, tag characters and
 * the rest of their plane. C0 is not included, because JSON and line breaks need another treatment.
 */
export const INVISIBLE_CHARACTERS =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- they are what is looked for
  /[\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu

/** Returns whether the text has invisible characters. */
export function hasHidden(text: string): boolean {
  return text.search(INVISIBLE_CHARACTERS) !== -1
}
