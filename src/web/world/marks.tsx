/** The marks of the map, and their names. */
import type { PlacedName } from '../core/names.ts'
import { clamp, shapeOf, type MapPoint } from './draw.ts'
import { type Crowd, DISTRICT_FONT, type Layout, MARKS, STATION_FONT } from './layout.ts'
import type { Person } from './people.ts'
import { CREW_WORDS, crowdText } from './words.ts'

type ShapeProps = { person: Person; spot: MapPoint; unit: number; idle?: boolean }

export function Shape({ person: { crew, name }, spot, unit, idle = false }: ShapeProps) {
  return (
    <path
      class={idle ? `person idle ${crew}` : `person ${crew}`}
      d={shapeOf(crew, clamp(spot, MARKS.edge * unit), (idle ? MARKS.idle : 6.5) * unit)}
      stroke-width={(idle ? 1 : 1.75) * unit}
    >
      <title>{`${name}, ${CREW_WORDS[crew].one.toLowerCase()}`}</title>
    </path>
  )
}

type StillProps = { layout: Layout; unit: number; onEnter: (spot: MapPoint) => void }

/** All that does not move. Names are above those who wait, so that they can be read. */
export function Still({ layout, unit, onEnter }: StillProps) {
  const { crowds, places, stations, districtNames, stationNames } = layout
  return (
    <>
      {places.map(({ place: { place_id, kind, name }, spot }) => (
        <g key={place_id} class={`place ${kind}`}>
          <path d={houseAt(spot, MARKS.house * unit)} stroke-width={1.5 * unit} />
          <title>{kind === 'hub' ? `${name}, parcel hub` : `${name}, ${kind}`}</title>
        </g>
      ))}
      {crowds.map((crowd) => (
        <WaitingCrowd key={crowd.people[0]?.person_id} crowd={crowd} unit={unit} onEnter={onEnter} />
      ))}
      {stations.map(({ name, spot }) => (
        <Station key={name} name={name} spot={spot} unit={unit} />
      ))}
      <Names kind="district" names={districtNames} font={DISTRICT_FONT} unit={unit} />
      <Names kind="station" names={stationNames} font={STATION_FONT} unit={unit} />
    </>
  )
}

function WaitingCrowd({
  crowd,
  unit,
  onEnter,
}: {
  crowd: Crowd
  unit: number
  onEnter: (spot: MapPoint) => void
}) {
  const { people, spot } = crowd
  const [person] = people
  if (person !== undefined && people.length === 1)
    return <Shape person={person} spot={spot} unit={unit} idle />
  const { x, y } = spot
  return (
    <g class="crowd" onClick={() => onEnter(spot)}>
      <circle class="reach" cx={x} cy={y} r={18 * unit} />
      <circle class="disc" cx={x} cy={y} r={MARKS.crowd * unit} stroke-width={1.25 * unit} />
      <text x={x} y={y + 4 * unit} font-size={11 * unit}>
        {people.length}
      </text>
      <title>{crowdText(people)}</title>
    </g>
  )
}

function Station({ name, spot: { x, y }, unit }: { name: string; spot: MapPoint; unit: number }) {
  const { x: halfWidth, y: halfHeight } = MARKS.station
  return (
    <g class="station">
      <rect
        x={x - halfWidth * unit}
        y={y - halfHeight * unit}
        width={2 * halfWidth * unit}
        height={2 * halfHeight * unit}
      />
      <title>{name} station</title>
    </g>
  )
}

type NamesProps = { kind: string; names: readonly PlacedName[]; font: typeof DISTRICT_FONT; unit: number }

function Names({ kind, names, font, unit }: NamesProps) {
  return (
    <g class={`names ${kind}`} font-size={font.size * unit} font-weight={font.weight}>
      {names.map(({ text, x, y, anchor }) => (
        <text key={text} x={x} y={y} text-anchor={anchor} stroke-width={3 * unit}>
          {text}
        </text>
      ))}
    </g>
  )
}

/** A house: stores and hubs do not move. */
export function houseAt({ x, y }: MapPoint, r: number): string {
  return `M${x - r} ${y - r * 0.2}L${x} ${y - r}L${x + r} ${y - r * 0.2}V${y + r * 0.9}H${x - r}Z`
}
