import { haversineMetres, type Point } from '../geometry.ts'

/** Charing Cross, from where London is measured. */
export const CENTRE: Point = { latitude: 51.5081, longitude: -0.1248 }
/** About as far as the motorway around it. */
const REACH_M = 30_000

/** Whether couriers of the sandbox's market come to a point. */
export function isServed(point: Point): boolean {
  return haversineMetres(CENTRE, point) <= REACH_M
}
