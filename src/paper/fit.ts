/** Fits text into its box. */
import { POINTS_PER_MM, type Text } from '../core/drawing.ts'
import { cleanForPaper, lineHeight } from './text.ts'

/** Returns the width of text of size 1, in the same unit as the size. */
export type Measure = (text: string, style: Pick<Text, 'bold' | 'country'>) => number

/** A line as it is drawn: its place, the line that its letters stand on, and its width, in millimetres. */
export type Line = { text: string; x: number; baseline: number; width: number }

export type Fitted = { lines: Line[]; /** In millimetres. */ size: number }

/** A smaller size than this part of the largest one is worth less than a second line. */
const WRAP_BELOW = 0.72
const STEPS = 24

/** Returns the lines of a text in the largest size with which they stay in their box. */
export function fitText(item: Text, measure: Measure): Fitted {
  const paragraphs = item.lines.map(cleanForPaper).filter((line) => line !== '')
  const largest = item.size / POINTS_PER_MM
  const least = item.least / POINTS_PER_MM
  const widthOf = (text: string): number => measure(text, item)
  const widest = Math.max(...paragraphs.map(widthOf), 0)
  const height = totalHeight(paragraphs)
  // Each on one line, if they need not become much smaller for it.
  const size = Math.min(largest, item.width / widest, item.height / height)
  if (size >= Math.max(least, largest * WRAP_BELOW)) return place(item, paragraphs, size, widthOf)
  for (let step = 0; step <= STEPS; step++) {
    const smaller = largest - ((largest - least) * step) / STEPS
    const lines = paragraphs.flatMap((line) => wrapLine(line, item.width / smaller, widthOf))
    if (totalHeight(lines) * smaller <= item.height) return place(item, lines, smaller, widthOf)
  }
  return place(item, cut(paragraphs, item, least, widthOf), least, widthOf)
}

function totalHeight(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + lineHeight(line).height, 0)
}

/** Returns as many lines as fit into the box, the last one with `…`. */
function cut(
  paragraphs: readonly string[],
  { width, height }: Text,
  size: number,
  widthOf: (text: string) => number,
): string[] {
  const kept: string[] = []
  for (const line of paragraphs.flatMap((each) => wrapLine(each, width / size, widthOf))) {
    if (totalHeight([...kept, line]) * size > height) break
    kept.push(line)
  }
  const last = lettersOf(kept.pop() ?? '')
  while (last.length > 0 && widthOf(`${last.join('')}…`) > width / size) last.pop()
  return [...kept, `${last.join('')}…`]
}

const WORDS = new Intl.Segmenter('en', { granularity: 'word' })
const LETTERS = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Breaks a line between words, and a word that is too long alone between its letters. */
function wrapLine(line: string, width: number, widthOf: (text: string) => number): string[] {
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
function partsOf(line: string, width: number, widthOf: (text: string) => number): string[] {
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

function place(
  item: Text,
  lines: readonly string[],
  size: number,
  widthOf: (text: string) => number,
): Fitted {
  const { x, y, width, height, align, stands } = item
  let top = stands === 'middle' ? y + (height - totalHeight(lines) * size) / 2 : y
  return {
    size,
    lines: lines.map((text) => {
      const line = lineHeight(text)
      const long = Math.min(widthOf(text) * size, width)
      const baseline = top + line.ascent * size
      top += line.height * size
      const indent = align === 'right' ? width - long : align === 'centre' ? (width - long) / 2 : 0
      return { text, x: x + indent, baseline, width: long }
    }),
  }
}
