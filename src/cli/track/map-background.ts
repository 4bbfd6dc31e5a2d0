/** The river and the stations of London below a route, to find one's way on the map. Pure. */
import type { Point } from '../../core/geometry.ts'
import { MAP_STATIONS } from '../../core/places/london-map.ts'
import { THAMES } from '../../core/places/water.ts'

export type Spot = readonly [x: number, y: number]

/** A frame of cells; `place` also gives spots outside of it. */
export type Frame = { columns: number; rows: number; metresPerCell: number; place: (point: Point) => Spot }

/** A map on which a cell is wider shows no river, only a smear. */
const MAX_CELL_M = 1000
/** Stations would stand on each other. */
const MAX_STATION_CELL_M = 250
/** A map of one place has no scale. */
const MIN_CELL_M = 1

/** Returns the stretches of the river that the frame may show. */
export function riverIn({ columns, rows, metresPerCell, place }: Frame): (readonly [from: Spot, to: Spot])[] {
  if (metresPerCell > MAX_CELL_M || metresPerCell < MIN_CELL_M) return []
  const spots = THAMES.map(([latitude, longitude]) => place({ latitude, longitude }))
  return spots.slice(1).flatMap((to, at) => {
    const from = spots[at] ?? to
    const [left, right] = [Math.min(from[0], to[0]), Math.max(from[0], to[0])]
    const [top, bottom] = [Math.min(from[1], to[1]), Math.max(from[1], to[1])]
    return right < 0 || left >= columns || bottom < 0 || top >= rows ? [] : [[from, to] as const]
  })
}

/** Returns the stations within the frame. */
export function stationsIn({ columns, rows, metresPerCell, place }: Frame): { spot: Spot; name: string }[] {
  if (metresPerCell > MAX_STATION_CELL_M || metresPerCell < MIN_CELL_M) return []
  return MAP_STATIONS.map((station) => ({ spot: place(station), name: station.name })).filter(
    ({ spot: [x, y] }) => x >= 0 && x < columns && y >= 0 && y < rows,
  )
}
