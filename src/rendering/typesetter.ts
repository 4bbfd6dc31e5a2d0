/** Measures and renders lines of text in the fonts of the paper. */
import { createCanvas } from '@napi-rs/canvas'
import type { TextItem } from '../core/drawing.ts'
import { fitText, type FittedText, type TextLine, type Ruler, type TextStyle } from './fit.ts'
import { familiesOf, inPlainLetters } from './fonts.ts'
import { type CanvasContext, type GlyphExtent, makeExtentMeter } from './glyph-extent.ts'

/**
 * Text is measured and rendered in this size, and the canvas makes it smaller. The library puts fonts on whole units:
 * text of 4 points in a canvas of millimetres would stand a third of its size too low.
 */
const FONT_SIZE = 100

/** The fonts of one file. `missing` collects the characters that none of them has. */
export type Typesetter = {
  fit(item: TextItem): FittedText
  /** Renders a line with its start at this place of a canvas. */
  drawLine(context: CanvasContext, line: TextLine, at: { x: number; baseline: number; size: number }): void
  missing: Set<string>
}

export function makeTypesetter(): Typesetter {
  const context = createCanvas(1, 1).getContext('2d')
  const meter = makeExtentMeter(FONT_SIZE)
  const missing = new Set<string>()
  const setFont = (target: CanvasContext, text: string, { bold = false, country }: TextStyle): void => {
    const families = familiesOf(text, country)
    for (const character of families.missing) missing.add(character)
    target.font = `${FONT_SIZE}px ${families.css}`
    // Without it half of the fonts are as thin as they go, and bold letters are only smeared.
    target.fontVariationSettings = `"wght" ${bold ? 700 : 400}`
    // Letters that are joined to one shape, such as ff, are lost to those who search a PDF or copy from it.
    target.textRendering = 'optimizeSpeed'
  }
  const ruler: Ruler = {
    width: remember((text, style) => {
      setFont(context, text, style)
      return context.measureText(text).width / FONT_SIZE
    }),
    ink: remember<GlyphExtent>((text, style) => meter(text, (target) => setFont(target, text, style))),
  }
  return {
    missing,
    fit: (item) =>
      fitText({ ...item, lines: item.lines.map((line) => inPlainLetters(line, item.country)) }, ruler),
    drawLine(target, { text, style, direction }, { x, baseline, size }) {
      target.save()
      target.translate(x, baseline)
      target.scale(size / FONT_SIZE, size / FONT_SIZE)
      setFont(target, text, style)
      target.direction = direction
      target.textAlign = 'left'
      target.fillText(text, 0, 0)
      target.restore()
    },
  }
}

/** Measures each text once. */
function remember<T>(measure: (text: string, style: TextStyle) => T): (text: string, style: TextStyle) => T {
  const known = new Map<string, T>()
  return (text, style) => {
    const key = `${style.bold === true ? 'b' : 'r'}${style.country ?? ''} ${text}`
    const found = known.get(key) ?? measure(text, style)
    known.set(key, found)
    return found
  }
}
