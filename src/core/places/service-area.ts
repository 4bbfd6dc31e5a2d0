import { haversineMetres, type Point } from '../geometry.ts'

/** Charing Cross, the conventional centre of London. */
export const CENTRE: Point = { latitude: 51.5081, longitude: -0.1248 }
/** About the radius of the motorway around London. */
const REACH_M = 30_000

/** Returns whether couriers of the sandbox's market serve a point. */
export function isPointServed(point: Point): boolean {
  return haversineMetres(CENTRE, point) <= REACH_M
}
