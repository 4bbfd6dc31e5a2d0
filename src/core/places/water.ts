/** Water where nobody can stop: the Thames in London, and the sea around England and Wales. Drawn coarsely, by hand. */
import { haversineMetres, offset, type Point } from '../geometry.ts'
import { bearingOf } from '../path.ts'

type Spot = readonly [latitude: number, longitude: number]

/**
 * The middle of the Thames from Hammersmith to Woolwich, and the metres of water on each side: less than half of the
 * river's width, so that the banks stay land. Bridges count as water, since nobody stops on them.
 */
export const THAMES: readonly (readonly [...Spot, reachMetres: number])[] = [
  [51.4883, -0.2306, 55],
  [51.484, -0.2268, 50],
  [51.479, -0.2262, 50],
  [51.4749, -0.2245, 55],
  [51.4702, -0.2202, 60],
  [51.4669, -0.2132, 70],
  [51.4657, -0.2085, 70],
  [51.4634, -0.2, 60],
  [51.4632, -0.193, 60],
  [51.4649, -0.1881, 65],
  [51.469, -0.1835, 55],
  [51.4731, -0.1797, 55],
  [51.4768, -0.1773, 50],
  [51.4811, -0.1726, 70],
  [51.4823, -0.1667, 70],
  [51.4835, -0.158, 75],
  [51.4848, -0.15, 80],
  [51.4846, -0.1405, 80],
  [51.4856, -0.133, 75],
  [51.4875, -0.1268, 80],
  [51.4909, -0.1245, 85],
  [51.4944, -0.1231, 85],
  [51.5008, -0.1219, 95],
  [51.5035, -0.1213, 95],
  [51.5065, -0.1195, 100],
  [51.5075, -0.1183, 100],
  [51.5086, -0.1169, 95],
  [51.5098, -0.1105, 95],
  [51.5097, -0.1044, 90],
  [51.5095, -0.0985, 90],
  [51.5089, -0.0942, 85],
  [51.5079, -0.0877, 85],
  [51.5066, -0.081, 90],
  [51.5055, -0.0754, 90],
  [51.504, -0.068, 75],
  [51.5024, -0.06, 70],
  [51.5028, -0.0545, 65],
  [51.5054, -0.0498, 60],
  [51.5072, -0.0452, 60],
  [51.5082, -0.04, 60],
  [51.5072, -0.0345, 60],
  [51.505, -0.0302, 75],
  [51.5, -0.03, 80],
  [51.495, -0.0297, 80],
  [51.4895, -0.0285, 75],
  [51.4872, -0.024, 70],
  [51.4852, -0.0175, 70],
  [51.485, -0.0096, 80],
  [51.486, -0.005, 70],
  [51.488, -0.0026, 70],
  [51.492, -0.0033, 70],
  [51.496, -0.003, 70],
  [51.501, -0.003, 70],
  [51.505, -0.0008, 70],
  [51.507, 0.003, 60],
  [51.5062, 0.0085, 60],
  [51.503, 0.013, 75],
  [51.4993, 0.0195, 75],
  [51.4973, 0.027, 80],
  [51.4972, 0.0368, 100],
  [51.4958, 0.05, 80],
  [51.4966, 0.062, 90],
  [51.4969, 0.07, 80],
]

/**
 * The coast of England and Wales, a kilometre or two offshore, clockwise from Dover. Points outside `SEA` are never
 * in the sea.
 */
const COAST: readonly Spot[] = [
  [51.1, 1.4],
  [50.87, 1.0],
  [50.82, 0.62],
  [50.7, 0.26],
  [50.79, -0.14],
  [50.69, -0.79],
  [50.55, -1.3],
  [50.6, -1.62],
  [50.55, -1.98],
  [50.48, -2.46],
  [50.68, -2.94],
  [50.58, -3.38],
  [50.18, -3.64],
  [50.28, -4.15],
  [49.92, -5.2],
  [50.0, -5.76],
  [50.26, -5.52],
  [50.57, -5.08],
  [51.05, -4.58],
  [51.25, -4.12],
  [51.27, -3.45],
  [51.42, -3.02],
  [51.36, -3.3],
  [51.5, -3.85],
  [51.52, -4.38],
  [51.63, -4.65],
  [51.55, -4.95],
  [51.87, -5.4],
  [52.18, -4.7],
  [52.42, -4.15],
  [52.75, -4.85],
  [53.33, -4.75],
  [53.47, -4.4],
  [53.38, -3.87],
  [53.38, -3.4],
  [53.45, -3.25],
  [53.58, -3.15],
  [53.82, -3.1],
  [54.02, -3.3],
  [54.52, -3.7],
  [54.52, -0.55],
  [54.13, -0.02],
  [53.58, 0.2],
  [53.14, 0.42],
  [52.98, 0.42],
  [53.0, 0.5],
  [52.98, 1.32],
  [52.48, 1.82],
  [52.06, 1.64],
  [51.93, 1.4],
  [51.75, 1.2],
  [51.58, 1.03],
  [51.49, 0.82],
  [51.46, 1.0],
  [51.41, 1.38],
  [51.38, 1.5],
  [51.22, 1.46],
]
const SEA = { south: 49.6, north: 54.4, west: -6, east: 2 }

/** Returns the water at a point; undefined on land and outside the drawn area. */
export function waterAt(point: Point): 'the Thames' | 'the sea' | undefined {
  if (isInThames(point)) return 'the Thames'
  return isAtSea(point) ? 'the sea' : undefined
}

/** Returns the reason why a point is refused, as the end of a sentence; undefined on land. */
export function whyInWater(point: Point): string | undefined {
  const water = waterAt(point)
  return water === undefined ? undefined : `is in ${water}; give a point on land`
}

/** The river's banks are so many times as far from its middle as the water that no point may be in. */
export const BANK = 1.3
/** A street beside the river is so far from its bank, in metres. */
const QUAY = 60

/** Returns the point itself, or the nearest street beside the Thames for a point between its banks. */
export function ashore(point: Point): Point {
  let here = point
  // At a bend the street of one stretch may lie in the next one.
  for (let stretch = 0; stretch < 5; stretch++) {
    const [from] = stretchesOf(here).filter(({ metres, reach }) => metres <= reach * BANK)
    if (from === undefined) break
    here = offset(from.middle, from.reach * BANK + QUAY, bearingOf(from.middle, here))
  }
  return here
}

function isInThames(point: Point): boolean {
  return stretchesOf(point).some(({ metres, reach }) => metres <= reach)
}

type Stretch = { middle: Point; metres: number; reach: number }

/** Returns each stretch of the river by its spot next to a point: how far that is, and how far the water reaches there. */
function stretchesOf(point: Point): Stretch[] {
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
