/** Bar codes as shapes, in modules: the width of the thinnest bar is 1. */
import { code128, datamatrix } from '@bwip-js/node'

/** A symbol. A path is a closed line; what lies within an odd number of them is black. */
export type Symbol = { width: number; height: number; paths: readonly (readonly [number, number][])[] }

/** The pixels of a module in the drawings of the library. */
const PIXELS = 2

const known = new Map<string, Symbol>()
/** A service prints many labels; what a page of them needs is far less. */
const MAX_CACHED_SYMBOLS = 1000

/** Returns the symbol of a text. The same label is measured and rendered, so the latest ones are kept. */
export function symbolOf(kind: 'code128' | 'datamatrix', value: string): Symbol {
  const key = `${kind} ${value}`
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size >= MAX_CACHED_SYMBOLS) known.clear()
  const symbol = kind === 'code128' ? renderBars(value) : renderMatrix(value)
  known.set(key, symbol)
  return symbol
}

function renderBars(text: string): Symbol {
  const { pen, drawn } = makePen()
  code128({ bcid: 'code128', text, scaleX: 1, height: 1 }, pen)
  return { ...drawn, height: 1, paths: drawn.bars.map(([from, to]) => rectangle(from, to)) }
}

function rectangle(from: number, to: number): [number, number][] {
  return [
    [from, 0],
    [to, 0],
    [to, 1],
    [from, 1],
  ]
}

function renderMatrix(text: string): Symbol {
  const { pen, drawn } = makePen()
  datamatrix({ bcid: 'datamatrix', text, scale: 1 }, pen)
  const scaled = drawn.paths.map((path) => path.map(([x, y]): [number, number] => [x / PIXELS, y / PIXELS]))
  return { width: drawn.width / PIXELS, height: drawn.height / PIXELS, paths: scaled }
}

type SymbolDrawing = { width: number; height: number; bars: [number, number][]; paths: [number, number][][] }

/** Takes down what the library renders. */
function makePen() {
  const drawn: SymbolDrawing = { width: 0, height: 0, bars: [], paths: [] }
  const nothing = (): void => undefined
  const pen = {
    setopts: nothing,
    scale: (): null => null,
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init(width: number, height: number) {
      drawn.width = width
      drawn.height = height
    },
    line(...[x, , , , width]: [x: number, y: number, x1: number, y1: number, width: number]) {
      // The middle of a bar of odd width is rounded up.
      const from = Math.floor(x - width / 2)
      drawn.bars.push([from, from + width])
    },
    polygon: (points: [number, number][]) => void drawn.paths.push(points),
    hexagon: nothing,
    ellipse: nothing,
    fill: nothing,
    clip: nothing,
    unclip: nothing,
    text: nothing,
    end: nothing,
  }
  return { pen, drawn }
}
