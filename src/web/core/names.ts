/** Places names around their spots so that no name meets another name or a mark. Pure. */
type NamePoint = { x: number; y: number }

export type Box = { left: number; top: number; right: number; bottom: number }

/** A name to place. Its sizes are in units of its map. */
export type Name = {
  text: string
  spot: NamePoint
  width: number
  /** The height above and below the line that the letters stand on. */
  ascent: number
  descent: number
  /** The distance to the spot, which the mark at the spot needs. */
  gap: NamePoint
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
  ...[-0.5, 0.5, -1, 1].flatMap((down): Step[] => [
    [1, down],
    [-1, down],
  ]),
  ...[0.25, 0.5, 0.75].flatMap((right): Step[] => [
    [right, -1],
    [right, 1],
    [-right, -1],
    [-right, 1],
  ]),
]

/** The positions of a name that has no mark: upon its spot or around it, the nearest first. */
export const UPON: readonly Step[] = [0, -0.5, 0.5, -1, 1, -1.5, 1.5, -2, 2, -2.5, 2.5, -3, 3]
  .flatMap((down) => [0, -0.25, 0.25, -0.5, 0.5, -0.75, 0.75, -1, 1].map((right): Step => [right, down]))
  .toSorted((a, b) => farness(a) - farness(b))

/** A name is several times as wide as high. */
function farness([right, down]: Step): number {
  return Math.hypot(3 * right, down)
}

/** A name in its place. `x` and `y` are where its text is anchored; `step` is its position among `steps`. */
export type PlacedName = {
  text: string
  x: number
  y: number
  anchor: 'start' | 'middle' | 'end'
  step: number
  box: Box
}

/**
 * Places names, the first ones first. One that finds no room within `edge` is omitted. `before` holds the steps of an
 * earlier time: a name keeps its position while that is free, so that it does not jump about.
 */
export function placeNames(
  names: readonly Name[],
  taken: readonly Box[],
  edge: Box,
  before: ReadonlyMap<string, number> = new Map(),
): PlacedName[] {
  const placed: PlacedName[] = []
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
  const usual = [...steps.keys()]
  const known = before.get(text)
  return known === undefined ? usual : [known, ...usual]
}

function putAt({ text, spot, width, ascent, descent, gap, steps }: Name, step: number): PlacedName {
  const [right, down] = steps[step] ?? [0, 0]
  const height = ascent + descent
  const x = spot.x + right * (width / 2 + gap.x)
  const top = spot.y + down * (height / 2 + gap.y) - height / 2
  const box = { left: x - width / 2, right: x + width / 2, top, bottom: top + height }
  // A text beside its mark begins there, however wide its letters turn out to be.
  const anchor = right >= 1 ? 'start' : right <= -1 ? 'end' : 'middle'
  const ends = { start: box.left, middle: x, end: box.right }
  return { text, x: ends[anchor], y: top + ascent, anchor, step, box }
}

/** Returns the box around a spot. */
export function boxAround({ x, y }: NamePoint, halfWidth: number, halfHeight = halfWidth): Box {
  return { left: x - halfWidth, right: x + halfWidth, top: y - halfHeight, bottom: y + halfHeight }
}

export function meets(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

function isWithin(box: Box, edge: Box): boolean {
  return box.left >= edge.left && box.right <= edge.right && box.top >= edge.top && box.bottom <= edge.bottom
}
