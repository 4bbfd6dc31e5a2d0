import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { DISTRICTS, PARKS, ROADS, STATIONS } from '../../core/places/london-map.ts'
import { BANK, THAMES } from '../../core/places/water.ts'
import { clamp, HEIGHT, isOnMap, place, pointsOf, shapeOf, span, type Spot, whereIs, WIDTH } from './draw.ts'
import { atWork, type Person, type World } from './people.ts'
import { CREW_WORDS, CREWS } from './words.ts'

type MapProps = {
  world: World
  now: () => number
  chosen: string | undefined
  onChoose: (personId: string) => void
}

/** London with everybody on it. They move between two looks at the service, as its clock does. */
export function WorldMap({ world, now, chosen, onChoose }: MapProps) {
  const svg = useRef<SVGSVGElement>(null)
  const unit = useUnit(svg)
  const [, setTick] = useState(0)
  useEffect(() => {
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    const timer = setInterval(() => setTick((tick) => tick + 1), calm ? 1000 : 200)
    return () => clearInterval(timer)
  }, [])
  const { people, places } = world
  const land = useMemo(() => <Land unit={unit} />, [unit])
  const still = useMemo(
    () => (
      <>
        <Places places={places} unit={unit} />
        {people
          .filter(({ job }) => job === null)
          .map((person) => (
            <Shape key={person.person_id} person={person} spot={place(person.at)} unit={unit} idle />
          ))}
        <Names unit={unit} />
      </>
    ),
    [people, places, unit],
  )
  const moment = now()
  const working = atWork(people)
  return (
    <svg
      ref={svg}
      class="map"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Map of London: ${people.length} people, ${working.length} of them at work. The list “At work” names them.`}
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
      <Chosen person={people.find(({ person_id }) => person_id === chosen)} now={moment} unit={unit} />
    </svg>
  )
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

/** Labels are left out where they would cover each other. */
const CROWDED = 3

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
            stroke-width={span(2 * BANK * reach)}
          />
        )
      })}
    </g>
  )
}

/** Above those who wait, so that it can be read; below those who move. */
function Names({ unit }: { unit: number }) {
  return (
    <g class="names">
      {unit < CROWDED &&
        DISTRICTS.map(({ name, ...point }) => (
          <text class="district" key={name} {...place(point)} font-size={12 * unit} stroke-width={3 * unit}>
            {name}
          </text>
        ))}
      {STATIONS.map(({ name, ...point }) => {
        const { x, y } = place(point)
        return (
          <g key={name} class="station">
            <rect x={x - 4 * unit} y={y - 1.5 * unit} width={8 * unit} height={3 * unit} />
            <title>{name} station</title>
            {unit < CROWDED / 1.4 && (
              <text x={x + 7 * unit} y={y + 3.5 * unit} font-size={10 * unit} stroke-width={3 * unit}>
                {name}
              </text>
            )}
          </g>
        )
      })}
    </g>
  )
}

function Places({ places, unit }: { places: World['places']; unit: number }) {
  return (
    <g>
      {places
        .map((one) => ({ ...one, spot: place(one.location) }))
        .filter(({ spot }) => isOnMap(spot))
        .map(({ place_id, kind, name, spot: { x, y } }) => (
          <g key={place_id} class={`place ${kind}`}>
            <path d={houseAt({ x, y }, 5.5 * unit)} stroke-width={1.5 * unit} />
            <title>{kind === 'hub' ? `${name}, depot for parcels` : `${name}, ${kind}`}</title>
          </g>
        ))}
    </g>
  )
}

/** A house: stores and depots do not move. */
function houseAt({ x, y }: Spot, r: number): string {
  return `M${x - r} ${y - r * 0.2}L${x} ${y - r}L${x + r} ${y - r * 0.2}V${y + r * 0.9}H${x - r}Z`
}

function Shape({
  person: { crew, name },
  spot,
  unit,
  idle = false,
}: {
  person: Person
  spot: Spot
  unit: number
  idle?: boolean
}) {
  return (
    <path
      class={idle ? `person idle ${crew}` : `person ${crew}`}
      d={shapeOf(crew, clamp(spot, 9 * unit), (idle ? 2.75 : 6.5) * unit)}
      stroke-width={(idle ? 1 : 1.75) * unit}
    >
      <title>{`${name}, ${CREW_WORDS[crew].one.toLowerCase()}`}</title>
    </path>
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

/** The one who was chosen, above everybody else. */
function Chosen({ person, now, unit }: { person: Person | undefined; now: number; unit: number }) {
  if (person === undefined) return null
  const { x, y } = clamp(whereIs(person, now).spot, 9 * unit)
  const left = x > WIDTH * 0.7
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

/** The legend of the map. */
export function Legend({ people }: { people: readonly Person[] }) {
  return (
    <ul class="legend">
      {CREWS.map((crew) => (
        <li key={crew}>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path class={`person ${crew}`} d={shapeOf(crew, { x: 10, y: 10 }, 6)} stroke-width="1.5" />
          </svg>
          <span>
            {people.filter((person) => person.crew === crew).length} {CREW_WORDS[crew].many.toLowerCase()}
          </span>
        </li>
      ))}
      <li>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path class="person idle" d={shapeOf('courier', { x: 10, y: 10 }, 3)} stroke-width="1.25" />
        </svg>
        <span>small: waits for work</span>
      </li>
      <li class="place">
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d={houseAt({ x: 10, y: 10 }, 6)} stroke-width="1.5" />
        </svg>
        <span>store</span>
      </li>
      <li class="place hub">
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d={houseAt({ x: 10, y: 10 }, 6)} stroke-width="1.5" />
        </svg>
        <span>depot</span>
      </li>
      <li class="station">
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <rect x="5" y="8.5" width="10" height="3.5" />
        </svg>
        <span>station</span>
      </li>
    </ul>
  )
}
