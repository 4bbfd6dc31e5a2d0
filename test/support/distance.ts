export type GeoPoint = { latitude: number; longitude: number }

/** Returns the metres between two points, computed apart from the program's own formula. */
export function metresBetween(a: GeoPoint, b: GeoPoint): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const sine = (from: number, to: number): number => Math.sin((radians(to) - radians(from)) / 2) ** 2
  const h =
    sine(a.latitude, b.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * sine(a.longitude, b.longitude)
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(h))
}
