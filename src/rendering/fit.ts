/** Fits text into its box. */
import { POINTS_PER_MM, type TextItem } from '../core/drawing.ts'
import type { GlyphExtent } from './glyph-extent.ts'
import {
  cleanForPrint,
  type TextDirection,
  directionOf,
  lineDirection,
  type LineHeight,
  lineHeight,
} from './text.ts'

/** The parts of a style on which the measures of text depend. */
export type TextStyle = Pick<TextItem, 'bold' | 'country'>

/** Measures text of size 1, in the same unit as the size. */
export type Ruler = {
  width(text: string, style: TextStyle): number
  ink(text: string, style: TextStyle): GlyphExtent
}

/** A line as it is rendered, in millimetres. */
export type TextLine = {
  text: string
  style: TextStyle
  direction: TextDirection
  x: number
  /** The line that its letters stand on. */
  baseline: number
  width: number
  /** The height of what is rendered of it, and that of the part above the baseline. */
  height: number
  ascent: number
  /** The side of the box at which it stands. */
  align: NonNullable<TextItem['align']>
}

export type FittedText = { lines: TextLine[]; /** In millimetres. */ size: number }

/** A smaller size than this part of the largest one is worth less than a second line. */
const WRAP_BELOW = 0.72
const STEPS = 24

/** A text without what paper cannot show. All lines of a paragraph have its direction and its distance. */
type Part = { text: string; direction: TextDirection; line: LineHeight }

type WidthOf = (text: string) => number

/** Returns the lines of a text in the largest size with which they stay in their box. */
export function fitText(item: TextItem, ruler: Ruler): FittedText {
  const widthOf: WidthOf = (text) => ruler.width(text, item)
  const paragraphs = paragraphsOf(item.lines, (text) => ruler.ink(text, item))
  const largest = item.size / POINTS_PER_MM
  const least = item.least / POINTS_PER_MM
  const widest = Math.max(...paragraphs.map(({ text }) => widthOf(text)), 0)
  const height = totalHeight(paragraphs)
  // Each on one line, if they need not become much smaller for it.
  const size = Math.min(largest, item.width / widest, item.height / height)
  if (size >= Math.max(least, largest * WRAP_BELOW)) return place(item, paragraphs, size, widthOf)
  for (let step = 0; step <= STEPS; step++) {
    const smaller = largest - ((largest - least) * step) / STEPS
    const lines = wrap(paragraphs, item.width / smaller, widthOf)
    if (totalHeight(lines) * smaller <= item.height) return place(item, lines, smaller, widthOf)
  }
  return place(item, cut(paragraphs, item, least, widthOf), least, widthOf)
}

/** Returns the paragraphs that show something. One without letters has the direction of the one above. */
function paragraphsOf(lines: readonly string[], inkOf: (text: string) => GlyphExtent): Part[] {
  let direction: TextDirection = 'ltr'
  return lines
    .map(cleanForPrint)
    .filter((text) => text !== '')
    .map((text) => {
      direction = directionOf(text) ?? direction
      return { text, direction, line: lineHeight(text, inkOf) }
    })
}

function totalHeight(lines: readonly Part[]): number {
  return lines.reduce((sum, { line }) => sum + line.height, 0)
}

function wrap(paragraphs: readonly Part[], width: number, widthOf: WidthOf): Part[] {
  return paragraphs.flatMap((paragraph) =>
    wrapLine(paragraph.text, width, widthOf).map((text) => ({ ...paragraph, text })),
  )
}

/** Returns as many lines as fit into the box, the last one with `…`. */
function cut(
  paragraphs: readonly Part[],
  { width, height }: TextItem,
  size: number,
  widthOf: WidthOf,
): Part[] {
  const kept: Part[] = []
  for (const line of wrap(paragraphs, width / size, widthOf)) {
    // One line is rendered even where it is higher than the box.
    if (kept.length > 0 && totalHeight([...kept, line]) * size > height) break
    kept.push(line)
  }
  return kept.map((line, index) => (index < kept.length - 1 ? line : shorten(line, width / size, widthOf)))
}

function shorten(line: Part, width: number, widthOf: WidthOf): Part {
  const letters = lettersOf(line.text)
  while (letters.length > 0 && widthOf(`${letters.join('')}…`) > width) letters.pop()
  return { ...line, text: `${letters.join('')}…` }
}

const WORDS = new Intl.Segmenter('en', { granularity: 'word' })
const LETTERS = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Breaks a line between words, and a word that is too long alone between its letters. */
function wrapLine(line: string, width: number, widthOf: WidthOf): string[] {
  if (widthOf(line) <= width) return [line]
  const lines: string[] = []
  let current = ''
  for (const part of partsOf(line, width, widthOf)) {
    if (current === '' || widthOf((current + part).trimEnd()) <= width) current += part
    else {
      lines.push(current.trim())
      current = part.trimStart()
    }
  }
  return [...lines, current.trim()].filter((each) => each !== '')
}

/** Returns words with the punctuation that follows them; a word that fills more than a line, in letters. */
function partsOf(line: string, width: number, widthOf: WidthOf): string[] {
  const words: string[] = []
  for (const { segment, isWordLike } of WORDS.segment(line)) {
    const last = words.at(-1)
    const follows = isWordLike !== true && last !== undefined && !/^[([{«“‘]/.test(segment)
    if (follows) words[words.length - 1] = last + segment
    else words.push(segment)
  }
  return words.flatMap((word) => (widthOf(word.trim()) <= width ? [word] : lettersOf(word)))
}

function lettersOf(text: string): string[] {
  return Array.from(LETTERS.segment(text), ({ segment }) => segment)
}

function place(item: TextItem, parts: readonly Part[], size: number, widthOf: WidthOf): FittedText {
  const { x, y, width, height, stands } = item
  let top = stands === 'middle' ? y + (height - totalHeight(parts) * size) / 2 : y
  const lines = parts.map(({ text, direction, line }): TextLine => {
    const long = Math.min(widthOf(text) * size, width)
    const baseline = top + line.ascent * size
    top += line.height * size
    // Text begins where its readers begin.
    const align = item.align ?? (direction === 'rtl' ? 'right' : 'left')
    const indent = align === 'right' ? width - long : align === 'centre' ? (width - long) / 2 : 0
    return {
      text,
      style: item,
      direction: lineDirection(text, direction),
      x: x + indent,
      baseline,
      width: long,
      height: line.height * size,
      ascent: line.ascent * size,
      align,
    }
  })
  return { size, lines }
}
