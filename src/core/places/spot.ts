import type { RouteMap } from '../presenter.ts'
import { type Place, findPlacePoint } from './place.ts'

/** Returns a place of a route map, under its own name or `label`; none where its point is not known. */
export function spotOf(place: Place | undefined, mark: string, label: string): RouteMap['places'] {
  const point = place && findPlacePoint(place)
  return point === undefined ? [] : [{ point, mark, label: place?.name ?? label }]
}
