/** Places names around their spots so that no name meets another name or a mark. Pure. */
import type { Spot } from './draw.ts'

export type Box = { left: number; top: number; right: number; bottom: number }

/** A name to place. Its sizes are in units of the map. */
export type Name = {
  text: string
  spot: Spot
  width: number
  /** The height above and below the line that the letters stand on. */
  ascent: number
  descent: number
  /** The distance to the spot, which the mark at the spot needs. */
  gap: Spot
  steps: readonly Step[]
}

/** A position beside a spot, in halves of the name's own size: `[1, 0]` begins right of the spot, `[0, -1]` is above it. */
type Step = readonly [right: number, down: number]

/** The positions of a name beside a mark, the best first. */
export const BESIDE: readonly Step[] = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [1, -1],
  [1, 1],
  [-1, -1],
  [-1, 1],
  [0.5, -1],
  [0.5, 1],
  [-0.5, -1],
  [-0.5, 1],
]

/** The positions of a name that has no mark: upon its spot, or near it. */
export const UPON: readonly Step[] = [
  [0, 0],
  [0, -1],
  [0, 1],
  [0.5, 0],
  [-0.5, 0],
  [0.5, -1],
  [-0.5, -1],
  [0.5, 1],
  [-0.5, 1],
  [0, -2],
  [0, 2],
  [1, 0],
  [-1, 0],
  [1, -1],
  [-1, -1],
  [1, 1],
  [-1, 1],
  [0.5, -2],
  [-0.5, -2],
  [0.5, 2],
  [-0.5, 2],
  [0, -3],
  [0, 3],
]

/** A name in its place: the middle of the line that its letters stand on. `step` is its position among `steps`. */
export type Placed = { text: string; x: number; y: number; step: number; box: Box }

/**
 * Places names, the first ones first. One that finds no room within `edge` is left out. `before` holds the steps of an
 * earlier time: a name keeps its position while that is free, so that it does not jump about.
 */
export function placeNames(
  names: readonly Name[],
  taken: readonly Box[],
  edge: Box,
  before: ReadonlyMap<string, number>,
): Placed[] {
  const placed: Placed[] = []
  for (const name of names) {
    const isFree = (box: Box): boolean =>
      isWithin(box, edge) &&
      ![...taken, ...placed.map((other) => other.box)].some((other) => meets(box, other))
    const found = stepsOf(name, before)
      .map((step) => putAt(name, step))
      .find(({ box }) => isFree(box))
    if (found !== undefined) placed.push(found)
  }
  return placed
}

function stepsOf({ text, steps }: Name, before: ReadonlyMap<string, number>): number[] {
  const usual = steps.keys().toArray()
  const known = before.get(text)
  return known === undefined ? usual : [known, ...usual]
}

function putAt({ text, spot, width, ascent, descent, gap, steps }: Name, step: number): Placed {
  const [right, down] = steps[step] ?? [0, 0]
  const height = ascent + descent
  const x = spot.x + right * (width / 2 + gap.x)
  const top = spot.y + down * (height / 2 + gap.y) - height / 2
  const box = { left: x - width / 2, right: x + width / 2, top, bottom: top + height }
  return { text, x, y: top + ascent, step, box }
}

/** Returns the box around a spot. */
export function boxAround({ x, y }: Spot, halfWidth: number, halfHeight = halfWidth): Box {
  return { left: x - halfWidth, right: x + halfWidth, top: y - halfHeight, bottom: y + halfHeight }
}

export function meets(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

export function isWithin(box: Box, edge: Box): boolean {
  return box.left >= edge.left && box.right <= edge.right && box.top >= edge.top && box.bottom <= edge.bottom
}
