/** The panel of the map: London, what zooms and moves it, and its legend. */
import { useEffect, useState } from 'preact/hooks'
import { isOnMap, place, type MapPoint, whereIs } from './draw.ts'
import { Legend } from './legend.tsx'
import { WorldMap } from './map.tsx'
import type { Person, World } from './people.ts'
import { boxOf, middleOf, MAX_ZOOM, moveBy, showing, type View, WHOLE, zoomBy } from './view.ts'

type PictureProps = {
  world: World
  now: () => number
  chosen: string | undefined
  onChoose: (personId: string) => void
}

export function Picture({ world, now, chosen, onChoose }: PictureProps) {
  const [view, setView] = useState(WHOLE)
  const { people, more_people } = world
  // The first step leads to where people are.
  const zoomIn = (): void =>
    setView((before) => zoomBy(before, 2, before.zoom === 1 ? middleOf(spotsOf(people)) : before.centre))
  const zoomOut = (): void => setView((before) => zoomBy(before, 0.5))
  useEffect(() => {
    const person = people.find(({ person_id }) => person_id === chosen)
    if (person !== undefined) setView((before) => showing(before, whereIs(person, now()).spot))
  }, [chosen])
  return (
    <section class="panel picture" aria-label="Map">
      <div
        class={view.zoom > 1 ? 'frame zoomed' : 'frame'}
        role="group"
        tabIndex={0}
        aria-label="Map. Plus and minus zoom it, the arrow keys move it."
        onKeyDown={(event) => {
          const change = KEYS[event.key]
          if (change === undefined || event.ctrlKey || event.metaKey || event.altKey) return
          event.preventDefault()
          if (change === 'in') zoomIn()
          else if (change === 'out') zoomOut()
          else setView((before) => moveBy(before, quarterOf(before, change)))
        }}
      >
        <WorldMap
          world={world}
          now={now}
          view={view}
          chosen={chosen}
          onChoose={onChoose}
          onMove={(by) => setView((before) => moveBy(before, by))}
          onEnter={(spot) => setView((before) => zoomBy(before, 2, spot))}
        />
      </div>
      <div class="under">
        <Zoom view={view} onIn={zoomIn} onOut={zoomOut} onWhole={() => setView(WHOLE)} />
        <Legend people={people} />
      </div>
      {more_people > 0 && (
        <p class="soft">
          {more_people} more people wait for work; the map shows {people.length}.
        </p>
      )}
    </section>
  )
}

const KEYS: Readonly<Record<string, 'in' | 'out' | MapPoint>> = {
  '+': 'in',
  '=': 'in',
  '-': 'out',
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** Returns a quarter of what is seen, in a direction. */
function quarterOf(view: View, { x, y }: MapPoint): MapPoint {
  const { left, right, top, bottom } = boxOf(view)
  return { x: (x * (right - left)) / 4, y: (y * (bottom - top)) / 4 }
}

function spotsOf(people: readonly Person[]): MapPoint[] {
  return people.map(({ at }) => place(at)).filter(isOnMap)
}

type ZoomProps = { view: View; onIn: () => void; onOut: () => void; onWhole: () => void }

function Zoom({ view: { zoom }, onIn, onOut, onWhole }: ZoomProps) {
  return (
    <div class="zoom" role="group" aria-label="Size of the map">
      <button
        type="button"
        class="quiet small"
        aria-label="Zoom out"
        aria-disabled={zoom === 1}
        onClick={onOut}
      >
        −
      </button>
      <button
        type="button"
        class="quiet small"
        aria-label="Zoom in"
        aria-disabled={zoom === MAX_ZOOM}
        onClick={onIn}
      >
        +
      </button>
      <button type="button" class="quiet small" aria-disabled={zoom === 1} onClick={onWhole}>
        Whole map
      </button>
    </div>
  )
}
