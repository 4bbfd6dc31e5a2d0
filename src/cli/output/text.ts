/**
 * Prepares text for a terminal. It removes everything that could move the cursor, change the title, send input to the
 * shell or hide text, and cuts text to its real width.
 */

import { INVISIBLE_CHARACTERS } from './hidden.ts'

/** Characters that need a closer check; nearly all text has none. */
// oxlint-disable-next-line no-control-regex -- control characters are what this file is about
const SUSPECT = /[^\x20-\x7e\xa1-\xac\xae-\u02ff]/

/** OSC, DCS, SOS, PM and APC with their bodies, CSI, then every other escape; in seven bits and in eight. */
const ESCAPES =
  // oxlint-disable-next-line no-control-regex -- see above
  /(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x90\x98\x9b-\x9f]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]|\x1b[\x20-\x2f]*[\x30-\x7e]/g

// oxlint-disable-next-line no-control-regex -- see above
const LINE_BREAKS = /\r\n|[\n\r\v\f\x85\u2028\u2029]/g

// oxlint-disable-next-line no-control-regex -- see above
const C0 = /[\x00-\x08\x0b-\x1f]/g

/**
 * Removes control, escape and invisible characters. Line breaks and tabs are kept with `multiline`; otherwise they
 * become `⏎` and a space, so that a name cannot imitate a row or a question.
 */
export function sanitizeForTerminal(
  text: string,
  { multiline = false }: { multiline?: boolean } = {},
): string {
  if (!SUSPECT.test(text)) return text
  const lines = text.toWellFormed().replace(ESCAPES, '').replace(LINE_BREAKS, '\n').replace(C0, '')
  const seen = lines.replace(INVISIBLE_CHARACTERS, (found, at: number) =>
    found === JOINER && joinsEmoji(lines, at) ? JOINER : '',
  )
  return multiline ? seen : seen.replaceAll('\n', '⏎').replaceAll('\t', ' ')
}

const JOINER = '\u200d'

function joinsEmoji(text: string, at: number): boolean {
  // `v`, not `u`: V8 of Node 26.5 and later misses astral characters in a class before `$`
  const before = /\p{Extended_Pictographic}[\ufe0f\p{EMod}]?$/v.test(text.slice(Math.max(0, at - 4), at))
  return before && /^\p{Extended_Pictographic}/u.test(text.slice(at + 1, at + 3))
}

const ASCII = /^[\x20-\x7e]*$/

/** Returns the columns that text takes on a terminal: two for wide characters and emoji, none for combining marks. */
export function measureTextWidth(text: string): number {
  if (ASCII.test(text)) return text.length
  let columns = 0
  for (const [cluster] of clusters(text)) columns += clusterWidth(cluster)
  return columns
}

/** Returns the units that a terminal draws in one cell: a flag, an emoji sequence, or a character with its marks. */
function clusters(text: string): Iterable<RegExpExecArray> {
  // The sets of Unicode are made where they are needed, as V8 takes up to half a millisecond for one.
  return text.matchAll(
    // oxlint-disable-next-line no-misleading-character-class -- they are meant to be combined
    /\p{RI}{2}|\p{Extended_Pictographic}(?:[\ufe0f\p{EMod}]|\u200d\p{Extended_Pictographic})*|.[\p{Mn}\p{Me}]*/gsu,
  )
}

function clusterWidth(cluster: string): number {
  const takesTwo =
    /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}])|\ufe0f|\p{EMod}$/u
  if (takesTwo.test(cluster)) return 2
  return /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]/u.test(cluster) ? 0 : 1
}

/**
 * Cuts text to at most `columns`; its last character is `…` when something was cut. A list is cut between its entries.
 * Anything else is cut within a word, because two names may differ in their last letters only.
 */
export function truncateToWidth(text: string, columns: number): string {
  // text this long need not be measured whole
  if (text.length <= columns * 8 && measureTextWidth(text) <= columns) return text
  if (columns < 1) return ''
  const taken = cutToColumns(text, columns - 1)
  const end = taken.lastIndexOf(', ') + 2
  return `${end > 2 ? taken.slice(0, end) : taken}…`
}

/** Wraps text into lines of at most `columns`, only at spaces, because a broken id or address could not be copied. */
export function wrapText(text: string, columns: number): string[] {
  return fill(text.split(' '), columns)
}

/** Wraps a notice. Its own line breaks and indents are kept, and text in backticks is not broken. */
export function wrapNotice(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => {
    if (measureTextWidth(line) <= columns) return [line]
    const indent = / */.exec(line)?.[0] ?? ''
    const words = line.match(/(?:`[^`]*`|\S)+/g) ?? ['']
    return fill(words, columns - indent.length).map((part) => indent + part)
  })
}

/** As `wrapNotice`, but a word longer than a line is broken: for what must be read whole, whoever wrote it. */
export function wrapWhole(text: string, columns: number): string[] {
  return wrapNotice(text, columns).flatMap((line) => {
    const parts: string[] = []
    let rest = line
    while (measureTextWidth(rest) > columns && columns > 1) {
      const part = cutToColumns(rest, columns)
      parts.push(part)
      rest = rest.slice(part.length)
    }
    return [...parts, rest]
  })
}

function fill(words: readonly string[], columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    if (line !== '' && measureTextWidth(line) + 1 + measureTextWidth(word) > columns) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

function cutToColumns(text: string, columns: number): string {
  let taken = ''
  let used = 0
  for (const [cluster] of clusters(text)) {
    used += clusterWidth(cluster)
    if (used > columns) break
    taken += cluster
  }
  return taken
}

/** Pads text with spaces to a number of columns. */
export function pad(text: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, columns - measureTextWidth(text)))
  return side === 'left' ? text + space : space + text
}

/**
 * Returns the usable width of a terminal: a valid COLUMNS, or else the terminal's width, or else 80; from 20 to 1000.
 */
export function usableWidth(
  columns: number | undefined,
  env: Readonly<Record<string, string | undefined>>,
): number {
  const wished = /^[1-9]\d{0,9}$/.test(env['COLUMNS'] ?? '') ? Number(env['COLUMNS']) : columns
  if (wished === undefined || !(wished >= 1)) return 80
  return Math.min(1000, Math.max(20, Math.floor(wished)))
}

const NO_BREAK = '\u00a0'

/** A line is broken before or after this, not within. */
export function unbroken(text: string): string {
  return text.replaceAll(' ', NO_BREAK)
}

/** Lines of at most so many columns, with ordinary spaces again. */
export function wrapPieces(text: string, columns: number): string[] {
  return wrapText(text, columns).map((line) => line.replaceAll(NO_BREAK, ' '))
}
