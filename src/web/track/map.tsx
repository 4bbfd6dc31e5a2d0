import { PARKS, MAP_STATIONS } from '../../core/places/london-map.ts'
import { BANK_FACTOR, THAMES } from '../../core/places/water.ts'
import type { SharedView } from '../../core/shared-view.ts'
import { BESIDE, type Box, boxAround, type PlacedName, placeNames } from '../core/names.ts'
import { type Projection, project, type TrackPoint } from './project.ts'

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
        <Ground {...projection} taken={boxesOf(to, from)} />
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

/** Above this length of a unit the river is only a smear. */
const MAX_UNIT_M = 250

type GroundProps = Projection & {
  /** The boxes that no name may cover. */
  taken: readonly Box[]
}

/** Parks, the river and the stations of London, as far as the map shows them. */
function Ground({ place, metres, taken }: GroundProps) {
  if (metres > MAX_UNIT_M) return null
  const river = THAMES.map(([latitude, longitude, reach]) => ({ ...place({ latitude, longitude }), reach }))
  const stations = MAP_STATIONS.map((station) => ({ name: station.name, spot: place(station) })).filter(
    ({ spot }) => isBetween(spot, spot, -EDGE),
  )
  return (
    <g>
      {PARKS.map(({ name, corners }) => {
        const spots = corners.map(([latitude, longitude]) => place({ latitude, longitude }))
        return <polygon class="park" key={name} points={spots.map(({ x, y }) => `${x},${y}`).join(' ')} />
      })}
      {river.slice(1).map((to, index) => {
        const from = river[index] ?? to
        const width = (2 * BANK_FACTOR * from.reach) / metres
        if (!isBetween(from, to, width)) return null
        return (
          <line class="river" key={index} x1={from.x} y1={from.y} x2={to.x} y2={to.y} stroke-width={width} />
        )
      })}
      {stations.map(({ name, spot: { x, y } }) => (
        <rect class="station" key={name} x={x - 4} y={y - 1.5} width="8" height="3" />
      ))}
      {namesOf(stations, taken).map(({ text, x, y, anchor }) => (
        <text class="station" key={text} x={x} y={y} text-anchor={anchor}>
          {text}
        </text>
      ))}
    </g>
  )
}

/** Returns whether the map may show something from one spot to another. */
function isBetween(from: TrackPoint, to: TrackPoint, margin = 0): boolean {
  return (
    Math.max(from.x, to.x) > -margin &&
    Math.min(from.x, to.x) < WIDTH + margin &&
    Math.max(from.y, to.y) > -margin &&
    Math.min(from.y, to.y) < HEIGHT + margin
  )
}

/** So near to the edge of the map no station stands, and no name. */
const EDGE = 4

type Station = { name: string; spot: TrackPoint }

/** The size of the names: about the width of a letter, and the height above and below the line. */
const LETTER = 5.8
const ASCENT = 9
const DESCENT = 3

/** Places the names of stations where they meet neither each other, nor a mark, nor the way. */
function namesOf(stations: readonly Station[], taken: readonly Box[]): PlacedName[] {
  const names = stations.map(({ name, spot }) => ({
    text: name,
    spot,
    width: name.length * LETTER,
    ascent: ASCENT,
    descent: DESCENT,
    gap: { x: 7, y: 3 },
    steps: BESIDE,
  }))
  const marks = stations.map(({ spot }) => boxAround(spot, 4, 1.5))
  const edge = { left: EDGE, top: EDGE, right: WIDTH - EDGE, bottom: HEIGHT - EDGE }
  return placeNames(names, [...taken, ...marks], edge)
}

/** Returns what no name may cover: the pin of the door, the worker who comes, and the route between them. */
function boxesOf(door: TrackPoint, mover: TrackPoint | undefined): Box[] {
  const pin = { left: door.x - 11, right: door.x + 11, top: door.y - 31, bottom: door.y + 2 }
  if (mover === undefined) return [pin]
  const steps = Math.ceil(Math.hypot(mover.x - door.x, mover.y - door.y) / 8)
  const way = Array.from({ length: steps }, (_, step) => ({
    x: door.x + ((mover.x - door.x) * step) / steps,
    y: door.y + ((mover.y - door.y) * step) / steps,
  }))
  return [pin, boxAround(mover, 11), ...way.map((spot) => boxAround(spot, 4))]
}
