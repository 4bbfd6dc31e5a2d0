import type { SharedView } from '../../core/shared-view.ts'
import { project } from './project.ts'

const WIDTH = 320
const HEIGHT = 180

/** The way between somebody and the place that he is coming to, north up, with the length of a line for scale. */
export function Map({ map }: { map: NonNullable<SharedView['map']> }) {
  const { door, mover } = map
  if (door === null) return null
  const { points, scale } = project(mover === null ? [door.point] : [door.point, mover.point], WIDTH, HEIGHT)
  const [to = { x: 0, y: 0 }, from] = points
  const label = mover === null ? door.words : `${mover.words} is ${scale.distance} from: ${door.words}`
  return (
    <figure class="map">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
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
            <bdi>{mover.words}</bdi>, {scale.distance} away
          </>
        )}
      </figcaption>
    </figure>
  )
}
