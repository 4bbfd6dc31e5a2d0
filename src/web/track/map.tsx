import { PARKS, STATIONS } from '../../core/places/london-map.ts'
import { BANK, THAMES } from '../../core/places/water.ts'
import type { SharedView } from '../../core/shared-view.ts'
import { type Projection, project, type Spot } from './project.ts'

const WIDTH = 320
const HEIGHT = 180

/** The way between somebody and the place that he is coming to, north up, on the ground of London. */
export function Map({ map }: { map: NonNullable<SharedView['map']> }) {
  const { door, mover } = map
  if (door === null) return null
  const points = mover === null ? [door.point] : [door.point, mover.point]
  const { distance, ...projection } = project(points, WIDTH, HEIGHT)
  const [to = { x: 0, y: 0 }, from] = points.map((point) => projection.place(point))
  const label = mover === null ? door.words : `${mover.words} is ${distance} from: ${door.words}`
  return (
    <figure class="map">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        <Ground {...projection} taken={from === undefined ? [to] : [to, from]} />
        {from !== undefined && <line class="way" x1={from.x} y1={from.y} x2={to.x} y2={to.y} />}
        <path class="door" d={`M${to.x} ${to.y}c-5-8-10-13-10-19a10 10 0 0 1 20 0c0 6-5 11-10 19z`} />
        <circle class="hole" cx={to.x} cy={to.y - 19} r="3.5" />
        {from !== undefined && <circle class="mover" cx={from.x} cy={from.y} r="8" />}
      </svg>
      <figcaption>
        {mover === null ? (
          door.words
        ) : (
          <>
            <bdi>{mover.words}</bdi>, {distance} away
          </>
        )}
      </figcaption>
    </figure>
  )
}

/** Where a unit is longer the river is only a smear. */
const WIDEST_UNIT_M = 250

type GroundProps = Projection & {
  /** Spots that no name may cover. */
  taken: readonly Spot[]
}

/** Parks, the river and the stations of London, as far as the map shows them. */
function Ground({ place, metres, taken }: GroundProps) {
  if (metres > WIDEST_UNIT_M) return null
  const river = THAMES.map(([latitude, longitude, reach]) => ({ ...place({ latitude, longitude }), reach }))
  const stations = STATIONS.map((station) => ({ name: station.name, spot: place(station) })).filter(
    ({ spot }) => isBetween(spot, spot),
  )
  return (
    <g>
      {PARKS.map(({ name, corners }) => {
        const spots = corners.map(([latitude, longitude]) => place({ latitude, longitude }))
        return <polygon class="park" key={name} points={spots.map(({ x, y }) => `${x},${y}`).join(' ')} />
      })}
      {river.slice(1).map((to, index) => {
        const from = river[index] ?? to
        const width = (2 * BANK * from.reach) / metres
        if (!isBetween(from, to, width)) return null
        return (
          <line class="river" key={index} x1={from.x} y1={from.y} x2={to.x} y2={to.y} stroke-width={width} />
        )
      })}
      {stations.map(({ name, spot: { x, y } }) => (
        <rect class="station" key={name} x={x - 4} y={y - 1.5} width="8" height="3" />
      ))}
      {named(stations, taken).map(({ name, spot: { x, y } }) => (
        <text class="station" key={name} x={x + 7} y={y + 3}>
          {name}
        </text>
      ))}
    </g>
  )
}

/** Returns whether the map may show something from one spot to another. */
function isBetween(from: Spot, to: Spot, margin = 0): boolean {
  return (
    Math.max(from.x, to.x) > -margin &&
    Math.min(from.x, to.x) < WIDTH + margin &&
    Math.max(from.y, to.y) > -margin &&
    Math.min(from.y, to.y) < HEIGHT + margin
  )
}

type Station = { name: string; spot: Spot }

/** About the width of a letter, and the height of a line. */
const LETTER = 5.5
const LINE = 14

/** Returns the stations whose names fit: they stay on the map, and cover neither each other nor what is under way. */
function named(stations: readonly Station[], taken: readonly Spot[]): Station[] {
  const shown: Station[] = []
  const end = ({ name, spot }: Station): number => spot.x + 7 + name.length * LETTER
  for (const station of stations) {
    const { x, y } = station.spot
    const isFree =
      end(station) < WIDTH &&
      taken.every(
        (spot) =>
          spot.x + 12 < x || spot.x - 12 > end(station) || spot.y + 10 < y - LINE / 2 || spot.y - 32 > y,
      ) &&
      shown.every(
        (other) => end(other) < x - 4 || other.spot.x - 4 > end(station) || Math.abs(other.spot.y - y) > LINE,
      )
    if (isFree) shown.push(station)
  }
  return shown
}
