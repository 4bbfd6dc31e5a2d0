/** WGS84, degrees, 6 decimals kept. */
export type Point = { latitude: number; longitude: number }

/** The area between two parallels and two meridians, in degrees. */
export type BoundingBox = { south: number; north: number; west: number; east: number }

/** Metres per second. */
const SPEEDS = { car: 8.33, motorbike: 9, bicycle: 4.2, walker: 1.35 } as const

export type Vehicle = keyof typeof SPEEDS

const EARTH_RADIUS_M = 6_371_008.8
const DETOUR = 1.3
const HANDLING_SECONDS = 60

/** Returns the great-circle distance in metres, not rounded. */
export function haversineMetres(a: Point, b: Point): number {
  const [latitudeA, latitudeB] = [toRadians(a.latitude), toRadians(b.latitude)]
  const byLatitude = Math.sin((latitudeB - latitudeA) / 2) ** 2
  const byLongitude = Math.sin(toRadians(b.longitude - a.longitude) / 2) ** 2
  const h = byLatitude + Math.cos(latitudeA) * Math.cos(latitudeB) * byLongitude
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** Returns whole metres by road (docs/rules/time-and-places.md#distances-follow-a-formula). */
export function roadDistanceMetres(a: Point, b: Point): number {
  return roadMetres(haversineMetres(a, b))
}

/** Returns whole metres by road for a straight distance in metres. */
export function roadMetres(straight: number): number {
  return Math.round(DETOUR * straight)
}

/** Returns whole seconds for a road distance in metres, with the handling time. */
export function computeRoadTravelSeconds(roadDistance: number, vehicle: Vehicle): number {
  return Math.round(roadDistance / SPEEDS[vehicle]) + HANDLING_SECONDS
}

/** Returns the point at a fraction (0 to 1) of the straight segment from `a` to `b`, the short way round the globe. */
export function interpolatePoint(a: Point, b: Point, fraction: number): Point {
  const share = Math.min(1, Math.max(0, fraction))
  const east = wrap(b.longitude - a.longitude)
  return roundPoint({
    latitude: a.latitude + share * (b.latitude - a.latitude),
    longitude: wrap(a.longitude + share * east),
  })
}

/**
 * Returns boxes that contain a circle: two if it crosses the meridian of 180 degrees, all longitudes if it contains a
 * pole.
 */
export function boxesAround({ latitude, longitude }: Point, metres: number): BoundingBox[] {
  // Points are rounded to 6 decimals, so a point just outside the circle may be stored on it.
  const angle = toDegrees(metres / EARTH_RADIUS_M) + 1e-5
  const [south, north] = [Math.max(-90, latitude - angle), Math.min(90, latitude + angle)]
  const half = Math.sin(toRadians(angle)) / Math.cos(toRadians(latitude))
  if (south === -90 || north === 90 || half >= 1) return [{ south, north, west: -180, east: 180 }]
  const width = toDegrees(Math.asin(half))
  const [west, east] = [longitude - width, longitude + width]
  if (west < -180)
    return [
      { south, north, west: west + 360, east: 180 },
      { south, north, west: -180, east },
    ]
  if (east > 180)
    return [
      { south, north, west, east: 180 },
      { south, north, west: -180, east: east - 360 },
    ]
  return [{ south, north, west, east }]
}

/** Rounds a point to 6 decimals, a tenth of a metre, as it is stored. */
export function roundPoint({ latitude, longitude }: Point): Point {
  return { latitude: round6(latitude), longitude: round6(longitude) }
}

/** Returns degrees of longitude from -180 to 180. */
function wrap(degrees: number): number {
  if (degrees > 180) return degrees - 360
  return degrees < -180 ? degrees + 360 : degrees
}

function toRadians(degrees: number): number {
  return (degrees * Math.PI) / 180
}

function toDegrees(radians: number): number {
  return (radians * 180) / Math.PI
}

function round6(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

const METRES_PER_DEGREE = 111_195

/** Returns the point at a distance in metres from another, in a direction in degrees from north. */
export function offsetPoint({ latitude, longitude }: Point, metres: number, bearingDegrees: number): Point {
  const bearing = (bearingDegrees * Math.PI) / 180
  const shrink = Math.cos((latitude * Math.PI) / 180)
  return roundPoint({
    latitude: latitude + (metres * Math.cos(bearing)) / METRES_PER_DEGREE,
    longitude: longitude + (metres * Math.sin(bearing)) / (METRES_PER_DEGREE * shrink),
  })
}
