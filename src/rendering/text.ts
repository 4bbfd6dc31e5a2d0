/** Prepares text for paper: what shows nothing, or would break out of its line, is omitted. */
import type { GlyphExtent } from './glyph-extent.ts'

/** Controls, and the marks that turn the direction of what follows. The joiners of Arabic and of India stay. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const UNSEEN = /[\x00-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** More marks on one letter than any language has: they would climb into the lines above and below. */
const TOWER = /(\p{M}{4})\p{M}+/gu

export function cleanForPrint(text: string): string {
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

export type TextDirection = 'ltr' | 'rtl'

/** Returns the direction of a text: that of its first letter; undefined if it has none, as a postcode of digits. */
export function directionOf(text: string): TextDirection | undefined {
  const first = /\p{L}/u.exec(text)?.[0]
  return first === undefined ? undefined : RIGHT_TO_LEFT.test(first) ? 'rtl' : 'ltr'
}

/** Returns the direction in which a line of a text is rendered: its punctuation stays in place if all of it reads forwards. */
export function lineDirection(line: string, text: TextDirection): TextDirection {
  return RIGHT_TO_LEFT.test(line) ? text : 'ltr'
}

/** Characters that stand between the lines of Latin script: the height of all others is larger. */
const LOW = /^[\x20-\u058f\u1e00-\u1eff\u2000-\u21ff]*$/

/** The height of a line, and that of its letters above the line that they stand on, for text of size 1. */
export type LineHeight = { height: number; ascent: number }

const LOW_LINE: LineHeight = { height: 1.17, ascent: 0.93 }
const HIGH_LINE: LineHeight = { height: 1.5, ascent: 1.08 }

/** Characters that no line above or below touches: without capitals that have an accent. */
const PLAIN =
  /^[\x20-\x7e\xa0-\xae\xb0\xb1\xb4-\xb8\xba-\xbf\xd7\xdf-\xff\u0391-\u03a9\u03ac-\u03ce\u0410-\u0418\u041a-\u044f\u2010-\u2026€]*$/

/** The white above and below the letters of a line, for text of size 1: a dot of a label printer between small lines. */
const AIR = { above: 0.11, below: 0.05 } as const

/** Returns the height of a line. Marks above or below letters make it higher than is usual in its script. */
export function lineHeight(text: string, inkOf: (text: string) => GlyphExtent): LineHeight {
  if (PLAIN.test(text)) return LOW_LINE
  const least = LOW.test(text) ? LOW_LINE : HIGH_LINE
  const { above, below } = inkOf(text)
  const ascent = Math.max(least.ascent, above + AIR.above)
  return { ascent, height: ascent + Math.max(least.height - least.ascent, below + AIR.below) }
}
