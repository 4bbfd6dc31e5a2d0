/** Prepares text for paper: what shows nothing, or would break out of its line, is left out. */

/** Controls, and the marks that turn the direction of what follows. The joiners of Arabic and of India stay. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const UNSEEN = /[\x00-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** More marks on one letter than any language has: they would climb into the lines above and below. */
const TOWER = /(\p{M}{4})\p{M}+/gu

export function cleanForPaper(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(UNSEEN, '')
    .normalize('NFC')
    .replaceAll(TOWER, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const RIGHT_TO_LEFT = /\p{scx=Arab}|\p{scx=Hebr}|\p{scx=Syrc}|\p{scx=Thaa}|\p{scx=Nkoo}/u

/** Returns the direction of a line: that of its first letter. */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const first = /\p{L}/u.exec(text)?.[0] ?? ''
  return RIGHT_TO_LEFT.test(first) ? 'rtl' : 'ltr'
}

/** Characters that stand between the lines of Latin script: the height of all others is larger. */
const LOW = /^[\x20-\u058f\u1e00-\u1eff\u2000-\u21ff]*$/

/** Returns the height of a line, and that of its letters above the line that they stand on, for text of size 1. */
export function lineHeight(text: string): { height: number; ascent: number } {
  return LOW.test(text) ? { height: 1.17, ascent: 0.93 } : { height: 1.5, ascent: 1.08 }
}
