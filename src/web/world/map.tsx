import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { PARKS, ROADS } from '../../core/places/london-map.ts'
import { BANK_FACTOR, THAMES } from '../../core/places/water.ts'
import { useDrag } from './drag.ts'
import { clamp, HEIGHT, place, pointsOf, span, type MapPoint, whereIs, WIDTH } from './draw.ts'
import { type Layout, layOut, MARKS, type Measure } from './layout.ts'
import { Shape, Still } from './marks.tsx'
import { atWork, type Person, type World } from './people.ts'
import { boxOf, type View } from './view.ts'

type MapProps = {
  world: World
  now: () => number
  view: View
  chosen: string | undefined
  onChoose: (personId: string) => void
  /** Hears by how many units of the map the view moves. */
  onMove: (by: MapPoint) => void
  /** Receives the place that the user zooms to. */
  onEnter: (spot: MapPoint) => void
}

/** London with all workers on it. They move between two looks at the service, as its clock does. */
export function WorldMap({ world, now, view, chosen, onChoose, onMove, onEnter }: MapProps) {
  const svg = useRef<SVGSVGElement>(null)
  const unit = useUnit(svg) / view.zoom
  useSteps()
  const { people } = world
  const land = useMemo(() => <Land unit={unit} />, [unit])
  const layout = useLayout(world, unit, view)
  const still = useMemo(() => <Still layout={layout} unit={unit} onEnter={onEnter} />, [layout, unit])
  const drag = useDrag(({ x, y }) => onMove({ x: -x * unit, y: -y * unit }))
  const moment = now()
  const working = atWork(people)
  const { left, top, right, bottom } = boxOf(view)
  return (
    <svg
      ref={svg}
      class="map"
      viewBox={`${left} ${top} ${right - left} ${bottom - top}`}
      role="img"
      aria-label={`Map of London: ${people.length} people, ${working.length} of them at work. The list “At work” names them.`}
      {...(view.zoom > 1 && drag)}
    >
      {land}
      {still}
      {working.map((person) => (
        <Worker
          key={person.person_id}
          person={person}
          now={moment}
          unit={unit}
          chosen={person.person_id === chosen}
          onChoose={onChoose}
        />
      ))}
      <ChosenPerson
        person={people.find(({ person_id }) => person_id === chosen)}
        now={moment}
        unit={unit}
        view={view}
      />
    </svg>
  )
}

/** Renders the map again several times a second, so that people move. */
function useSteps(): void {
  const [, setTick] = useState(0)
  useEffect(() => {
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    const timer = setInterval(() => setTick((tick) => tick + 1), calm ? 1000 : 200)
    return () => clearInterval(timer)
  }, [])
}

/** Lays out all that stands still. Names keep their positions from one layout to the next where they can. */
function useLayout({ people, places }: World, unit: number, view: View): Layout {
  const before = useRef<Layout | undefined>(undefined)
  const measure = useMemo(makeMeasure, [])
  return useMemo(() => {
    const seen = { unit, box: boxOf(view), measure, before: before.current }
    before.current = layOut({ people, places }, seen)
    return before.current
  }, [people, places, unit, view])
}

/** Measures texts in the font of the page. */
function makeMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d')
  const { fontFamily } = getComputedStyle(document.body)
  return (text, { size, weight }) => {
    // A browser without a canvas keeps the names apart by their letters.
    if (context === null) return { width: text.length * size * 0.65, ascent: size, descent: size / 4 }
    context.font = `${weight} ${size}px ${fontFamily}`
    const { width, actualBoundingBoxAscent, actualBoundingBoxDescent } = context.measureText(text)
    return { width: width + 2, ascent: actualBoundingBoxAscent + 1, descent: actualBoundingBoxDescent + 1 }
  }
}

/** Returns how much of the map one pixel of the screen covers, so that marks keep their size. */
function useUnit(svg: { current: SVGSVGElement | null }): number {
  const [unit, setUnit] = useState(2)
  useEffect(() => {
    const { current } = svg
    if (current === null) return undefined
    const observer = new ResizeObserver(() => {
      const { width, height } = current.getBoundingClientRect()
      if (width > 0 && height > 0) setUnit(Math.max(WIDTH / width, HEIGHT / height))
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return unit
}

function Land({ unit }: { unit: number }) {
  const river = THAMES.map(([latitude, longitude, reach]) => ({ ...place({ latitude, longitude }), reach }))
  return (
    <g>
      <rect class="land" width={WIDTH} height={HEIGHT} />
      {PARKS.map(({ name, corners }) => (
        <polygon class="park" key={name} points={pointsOf(corners)}>
          <title>{name}</title>
        </polygon>
      ))}
      {ROADS.map((road, index) => (
        <polyline class="road" key={index} points={pointsOf(road)} stroke-width={Math.max(5, 1.5 * unit)} />
      ))}
      {river.slice(1).map((to, index) => {
        const { x, y, reach } = river[index] ?? to
        return (
          <line
            class="river"
            key={index}
            x1={x}
            y1={y}
            x2={to.x}
            y2={to.y}
            stroke-width={span(2 * BANK_FACTOR * reach)}
          />
        )
      })}
    </g>
  )
}

function Worker({
  person,
  now,
  unit,
  chosen,
  onChoose,
}: {
  person: Person
  now: number
  unit: number
  chosen: boolean
  onChoose: (personId: string) => void
}) {
  const { spot, way } = whereIs(person, now)
  const { x, y } = spot
  return (
    <g class={chosen ? 'worker chosen' : 'worker'} onClick={() => onChoose(person.person_id)}>
      {way.length > 1 && (
        <polyline
          class={`way ${person.crew}`}
          points={way.map((step) => `${step.x},${step.y}`).join(' ')}
          stroke-width={(chosen ? 3 : 1.5) * unit}
          stroke-dasharray={chosen ? undefined : `${4 * unit} ${4 * unit}`}
        />
      )}
      <circle class="reach" cx={x} cy={y} r={16 * unit} />
      <Shape person={person} spot={spot} unit={unit} />
    </g>
  )
}

type ChosenProps = { person: Person | undefined; now: number; unit: number; view: View }

/** The one who was chosen, above all others. */
function ChosenPerson({ person, now, unit, view }: ChosenProps) {
  if (person === undefined) return null
  const { x, y } = clamp(whereIs(person, now).spot, MARKS.edge * unit)
  const left = x > view.centre.x + (0.2 * WIDTH) / view.zoom
  return (
    <g class="chosen-one">
      <circle cx={x} cy={y} r={13 * unit} stroke-width={2.5 * unit} />
      <text
        x={left ? x - 18 * unit : x + 18 * unit}
        y={y + 5 * unit}
        font-size={14 * unit}
        stroke-width={4 * unit}
        text-anchor={left ? 'end' : 'start'}
      >
        {person.name}
      </text>
    </g>
  )
}
