/** Where no wheel and no foot goes: the Thames in London, and the sea around England and Wales. Drawn coarsely, by hand. */
import { haversineMetres, type Point } from './geo.ts'

type Spot = readonly [latitude: number, longitude: number]

/** The middle of the Thames from Battersea to Wapping, with the bridges over it. */
const THAMES: readonly (readonly [...Spot, bridge?: 'bridge'])[] = [
  [51.4811, -0.1726, 'bridge'],
  [51.4823, -0.1667, 'bridge'],
  [51.4835, -0.158],
  [51.4848, -0.15, 'bridge'],
  [51.4846, -0.1405],
  [51.4856, -0.133],
  [51.4874, -0.1268, 'bridge'],
  [51.4944, -0.123, 'bridge'],
  [51.5009, -0.1219, 'bridge'],
  [51.5062, -0.1203, 'bridge'],
  [51.5086, -0.1169, 'bridge'],
  [51.5098, -0.1105],
  [51.5097, -0.1044, 'bridge'],
  [51.5095, -0.0985, 'bridge'],
  [51.5087, -0.0944, 'bridge'],
  [51.5079, -0.0877, 'bridge'],
  [51.5066, -0.081],
  [51.5055, -0.0754, 'bridge'],
  [51.504, -0.068],
]
/** Half of the river's least width, less what the line may be off. */
const RIVER_REACH_M = 60
const BRIDGE_REACH_M = 75

/** The coast of England and Wales, a kilometre or two out, clockwise from Dover. Beyond `SEA` nothing is judged. */
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

/** Returns the water that a point lies in; undefined on dry land, on bridges and beyond what is drawn. */
export function waterAt(point: Point): 'the Thames' | 'the sea' | undefined {
  if (isInThames(point)) return 'the Thames'
  return isAtSea(point) ? 'the sea' : undefined
}

function isInThames(point: Point): boolean {
  const spots = THAMES.map(([latitude, longitude, bridge]) => ({ latitude, longitude, bridge }))
  if (spots.some((spot) => spot.bridge && haversineMetres(point, spot) <= BRIDGE_REACH_M)) return false
  return spots.some((spot, index) => {
    const next = spots[index + 1]
    return next !== undefined && metresFrom(point, spot, next) <= RIVER_REACH_M
  })
}

/** Metres from a point to a straight line of a few kilometres. */
function metresFrom(point: Point, from: Point, to: Point): number {
  const shrink = Math.cos((point.latitude * Math.PI) / 180)
  const flat = (spot: Point) =>
    [(spot.longitude - from.longitude) * shrink, spot.latitude - from.latitude] as const
  const [[x, y], [dx, dy]] = [flat(point), flat(to)]
  const share = Math.min(1, Math.max(0, (x * dx + y * dy) / (dx * dx + dy * dy)))
  return haversineMetres(point, {
    latitude: from.latitude + share * (to.latitude - from.latitude),
    longitude: from.longitude + share * (to.longitude - from.longitude),
  })
}

/** By the rule of even and odd: a line to the north crosses the coast an odd number of times from land. */
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
