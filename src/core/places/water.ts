/** Water where nobody can stop: the Thames in London, and the sea around England and Wales. Drawn coarsely, manually. */
import coast from '../../reference-data/coast.json' with { type: 'json' }
import thames from '../../reference-data/london/thames.json' with { type: 'json' }
import { haversineMetres, offsetPoint, type Point } from '../geometry.ts'
import { bearingOf } from '../path.ts'

type Spot = [latitude: number, longitude: number]

/**
 * The middle of the Thames from Hammersmith to Woolwich, and the metres of water on each side: less than half of the
 * river's width, so that the banks stay land. Bridges count as water, since no vehicle stops on them.
 */
export const THAMES: readonly (readonly [...Spot, reachMetres: number])[] = thames as [...Spot, number][]

/**
 * The coast of England and Wales, a kilometre or two offshore, clockwise from Dover. Points outside `SEA` are never
 * in the sea.
 */
const COAST: readonly Spot[] = coast as Spot[]
const SEA = { south: 49.6, north: 54.4, west: -6, east: 2 }

/** Returns the water at a point; undefined on land and outside the drawn area. */
export function waterAt(point: Point): 'the Thames' | 'the sea' | undefined {
  if (isInThames(point)) return 'the Thames'
  return isAtSea(point) ? 'the sea' : undefined
}

/**
 * Returns the reason why a point is rejected, as the end of a sentence; undefined on land
 * (docs/rules/time-and-places.md#nobody-is-sent-into-the-water).
 */
export function whyInWater(point: Point): string | undefined {
  const water = waterAt(point)
  return water === undefined ? undefined : `is in ${water}; give a point on land`
}

/** The river's banks are this many times as far from its middle as the water that no point may be in. */
export const BANK_FACTOR = 1.3
/** A street beside the river is so far from its bank, in metres. */
const QUAY = 60

/** Returns the point itself, or the nearest street beside the Thames for a point between its banks. */
export function ashore(point: Point): Point {
  let here = point
  // At a bend the street of one stretch may lie in the next one.
  for (let stretch = 0; stretch < 5; stretch++) {
    const [from] = stretchesOf(here).filter(({ metres, reach }) => metres <= reach * BANK_FACTOR)
    if (from === undefined) break
    here = offsetPoint(from.middle, from.reach * BANK_FACTOR + QUAY, bearingOf(from.middle, here))
  }
  return here
}

function isInThames(point: Point): boolean {
  return stretchesOf(point).some(({ metres, reach }) => metres <= reach)
}

type RiverSegment = { middle: Point; metres: number; reach: number }

/** Returns each stretch of the river by its spot next to a point: how far that is, and how far the water reaches there. */
function stretchesOf(point: Point): RiverSegment[] {
  const spots = THAMES.map(([latitude, longitude, reach]) => ({ latitude, longitude, reach }))
  return spots.slice(1).map((to, index) => {
    const from = spots[index] ?? to
    const { middle, metres, share } = nearestOn(point, from, to)
    return { middle, metres, reach: from.reach + share * (to.reach - from.reach) }
  })
}

/** Returns the spot of a straight line of a few kilometres next to a point, its distance, and how far along it is. */
function nearestOn(point: Point, from: Point, to: Point): { middle: Point; metres: number; share: number } {
  const shrink = Math.cos((point.latitude * Math.PI) / 180)
  const flat = (spot: Point) =>
    [(spot.longitude - from.longitude) * shrink, spot.latitude - from.latitude] as const
  const [[x, y], [dx, dy]] = [flat(point), flat(to)]
  const share = Math.min(1, Math.max(0, (x * dx + y * dy) / (dx * dx + dy * dy)))
  const middle = {
    latitude: from.latitude + share * (to.latitude - from.latitude),
    longitude: from.longitude + share * (to.longitude - from.longitude),
  }
  return { middle, metres: haversineMetres(point, middle), share }
}

/** Uses the even-odd rule: a line to the north crosses the coast an odd number of times from land. */
function isAtSea({ latitude, longitude }: Point): boolean {
  const { south, north, west, east } = SEA
  if (latitude < south || latitude > north || longitude < west || longitude > east) return false
  let land = false
  for (const [index, [toLatitude, toLongitude]] of COAST.entries()) {
    const [fromLatitude, fromLongitude] = COAST[(index + COAST.length - 1) % COAST.length] ?? [0, 0]
    if (fromLongitude > longitude === toLongitude > longitude) continue
    const share = (longitude - fromLongitude) / (toLongitude - fromLongitude)
    if (fromLatitude + share * (toLatitude - fromLatitude) > latitude) land = !land
  }
  return !land
}
