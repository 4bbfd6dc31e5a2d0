/** The part of the map that is seen. Pure. */
import type { Box } from '../core/names.ts'
import { HEIGHT, type MapPoint, WIDTH } from './draw.ts'

export type View = { centre: MapPoint; zoom: number }

export const WHOLE: View = { centre: { x: WIDTH / 2, y: HEIGHT / 2 }, zoom: 1 }

export const MAX_ZOOM = 8

/** Returns the seen part in units of the map. */
export function boxOf({ centre: { x, y }, zoom }: View): Box {
  const [halfWidth, halfHeight] = [WIDTH / zoom / 2, HEIGHT / zoom / 2]
  return { left: x - halfWidth, right: x + halfWidth, top: y - halfHeight, bottom: y + halfHeight }
}

/** Returns a view with a centre as near to the given one as the edges of the map allow. */
function within({ centre: { x, y }, zoom }: View): View {
  const [halfWidth, halfHeight] = [WIDTH / zoom / 2, HEIGHT / zoom / 2]
  const centre = {
    x: Math.min(WIDTH - halfWidth, Math.max(halfWidth, x)),
    y: Math.min(HEIGHT - halfHeight, Math.max(halfHeight, y)),
  }
  return { centre, zoom }
}

/** Zooms by a factor; `around` becomes the centre as far as the edges allow. */
export function zoomBy(view: View, factor: number, around: MapPoint = view.centre): View {
  return within({ centre: around, zoom: Math.min(MAX_ZOOM, Math.max(1, view.zoom * factor)) })
}

/** Moves the view by units of the map. */
export function moveBy({ centre, zoom }: View, { x, y }: MapPoint): View {
  return within({ centre: { x: centre.x + x, y: centre.y + y }, zoom })
}

/** Returns a view that shows a spot: the same one where it shows the spot already. */
export function showing(view: View, { x, y }: MapPoint): View {
  const { left, right, top, bottom } = boxOf(view)
  return x > left && x < right && y > top && y < bottom ? view : within({ centre: { x, y }, zoom: view.zoom })
}

/** Returns the middle of spots: half of them lie on each side of it. */
export function middleOf(spots: readonly MapPoint[]): MapPoint {
  const half = (values: number[]): number | undefined => values.toSorted((a, b) => a - b)[values.length >> 1]
  return {
    x: half(spots.map(({ x }) => x)) ?? WHOLE.centre.x,
    y: half(spots.map(({ y }) => y)) ?? WHOLE.centre.y,
  }
}
