/** Pictures for terminals that speak sixel: six rows of dots to a line of characters, one pass for each colour. Pure. */
import type { Pixels } from './pixels.ts'

const WIDEST = 800
/** Steps of red, green and blue each. */
const STEPS = 6
const ROWS = 6

export function toSixel(picture: Pixels): string {
  const { width, height, colours } = reduce(picture)
  const palette = [...new Set(colours)].toSorted((a, b) => a - b)
  const lines: string[] = []
  for (let top = 0; top < height; top += ROWS) {
    const passes = palette.flatMap((colour, index) => {
      const cells = Array.from({ length: width }, (_, x) => bitsAt(x, top, colour))
      return cells.some((bits) => bits > 0) ? [`#${index}${runs(cells)}`] : []
    })
    lines.push(passes.join('$'))
  }
  const named = palette.map((colour, index) => `#${index};2;${percents(colour).join(';')}`)
  return `\x1bPq"1;1;${width};${height}${named.join('')}${lines.join('-')}\x1b\\`

  function bitsAt(x: number, top: number, colour: number): number {
    let bits = 0
    for (let row = 0; row < ROWS && top + row < height; row++) {
      if (colours[(top + row) * width + x] === colour) bits |= 1 << row
    }
    return bits
  }
}

/** In few colours, and no wider than a terminal usually is. */
function reduce({ width, height, rgb }: Pixels): { width: number; height: number; colours: number[] } {
  const scale = Math.min(1, WIDEST / width)
  const [columns, rows] = [Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale))]
  const colours: number[] = []
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const at = (Math.floor(y / scale) * width + Math.floor(x / scale)) * 3
      const [red, green, blue] = [0, 1, 2].map((part) => step(rgb[at + part] ?? 0))
      colours.push(((red ?? 0) * STEPS + (green ?? 0)) * STEPS + (blue ?? 0))
    }
  }
  return { width: columns, height: rows, colours }
}

function step(value: number): number {
  return Math.round((value / 255) * (STEPS - 1))
}

function percents(colour: number): number[] {
  return [Math.floor(colour / (STEPS * STEPS)), Math.floor(colour / STEPS) % STEPS, colour % STEPS].map(
    (each) => Math.round((each / (STEPS - 1)) * 100),
  )
}

/** `!12~` for twelve alike. */
function runs(cells: readonly number[]): string {
  let text = ''
  for (let at = 0; at < cells.length;) {
    let end = at
    while (end < cells.length && cells[end] === cells[at]) end++
    const sign = String.fromCharCode(63 + (cells[at] ?? 0))
    text += end - at > 3 ? `!${end - at}${sign}` : sign.repeat(end - at)
    at = end
  }
  return text
}
