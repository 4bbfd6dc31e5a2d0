/** Chooses what of the waiting world a map of a size can show, and where its names stand. Pure. */
import { MAP_DISTRICTS, MAP_STATIONS } from '../../core/places/london-map.ts'
import {
  BESIDE,
  type Box,
  boxAround,
  meets,
  type Name,
  type PlacedName,
  placeNames,
  UPON,
} from '../core/names.ts'
import { clamp, isOnMap, place, type MapPoint } from './draw.ts'
import type { Person, World } from './people.ts'

type Place = World['places'][number]

/** People who wait so close together that a small map shows them as one. */
export type Crowd = { spot: MapPoint; people: readonly Person[] }

export type Layout = {
  crowds: readonly Crowd[]
  places: readonly { place: Place; spot: MapPoint }[]
  stations: readonly { name: string; spot: MapPoint }[]
  districtNames: readonly PlacedName[]
  stationNames: readonly PlacedName[]
}

/** The size of a text in pixels. */
export type Measure = (text: string, font: typeof DISTRICT_FONT) => Pick<Name, 'width' | 'ascent' | 'descent'>

export type MapViewport = {
  /** The units of the map that one pixel of the screen covers. */
  unit: number
  /** The part of the map that is seen. */
  box: Box
  measure: Measure
  /** The layout before this one. */
  before: Layout | undefined
}

export const DISTRICT_FONT = { size: 12.5, weight: 600 }
export const STATION_FONT = { size: 11, weight: 400 }

/** The sizes of marks in pixels, from the middle to the edge. */
export const MARKS = { idle: 2.75, house: 5.5, station: { x: 4, y: 1.5 }, crowd: 10, edge: 9 } as const

/** Above this size of a pixel the marks of the centre would be a heap. */
const SMALL_UNIT = 2.6

/** The pixels between crowds of a small map, so that a thumb meets one of them. */
const APART = 36

/** Lays out the waiting world. On a small map names come before marks, and what finds no room is left for a closer look. */
export function layOut({ people, places }: Pick<World, 'people' | 'places'>, seen: MapViewport): Layout {
  const idle = people.filter(({ job }) => job === null)
  const houses = places
    .map((each) => ({ place: each, spot: place(each.location) }))
    .filter(({ spot }) => isOnMap(spot))
  return seen.unit < SMALL_UNIT ? layOutAll(idle, houses, seen) : layOutSome(idle, houses, seen)
}

type Houses = Layout['places']

const SPOTS = {
  stations: MAP_STATIONS.map(({ name, ...point }) => ({ name, spot: place(point) })),
  districts: MAP_DISTRICTS.map(({ name, ...point }) => ({ name, spot: place(point) })),
}

function layOutAll(idle: readonly Person[], places: Houses, seen: MapViewport): Layout {
  const { stations } = SPOTS
  const crowds = idle.map((person) => ({ spot: spotOf(person, seen), people: [person] }))
  const marks = [
    ...crowds.map((crowd) => crowdBox(crowd, seen)),
    ...places.map(({ spot }) => houseBox(spot, seen)),
    ...stations.map(({ spot }) => stationBox(spot, seen)),
  ]
  const districtNames = nameDistricts(marks, seen)
  const stationNames = nameStations(stations, [...marks, ...boxesOf(districtNames)], seen)
  return { crowds, places, stations, districtNames, stationNames }
}

function layOutSome(idle: readonly Person[], houses: Houses, seen: MapViewport): Layout {
  const crowds = gather(
    idle.map((person) => ({ spot: spotOf(person, seen), people: [person] })),
    APART * seen.unit,
  )
  const taken = crowds.map((crowd) => crowdBox(crowd, seen))
  const districtNames = nameDistricts(taken, seen)
  taken.push(...boxesOf(districtNames))
  // Hubs are few, and lie apart.
  const depotsFirst = houses.toSorted(
    (a, b) => Number(b.place.kind === 'hub') - Number(a.place.kind === 'hub'),
  )
  const places = reserveFree(depotsFirst, taken, ({ spot }) => houseBox(spot, seen))
  const free = reserveFree(SPOTS.stations, taken, ({ spot }) => stationBox(spot, seen))
  const stationNames = nameStations(free, taken, seen)
  const isNamed = new Set(stationNames.map(({ text }) => text))
  return {
    crowds,
    places,
    stations: free.filter(({ name }) => isNamed.has(name)),
    districtNames,
    stationNames,
  }
}

/** Returns those with a box that meets nothing, and takes their boxes. */
function reserveFree<T>(all: readonly T[], taken: Box[], toBox: (one: T) => Box): T[] {
  return all.filter((one) => {
    const box = toBox(one)
    if (taken.some((other) => meets(box, other))) return false
    taken.push(box)
    return true
  })
}

/** Joins crowds that are nearer to one another than a distance, until none are. */
function gather(crowds: readonly Crowd[], distance: number): Crowd[] {
  const joined: Crowd[] = []
  for (const crowd of crowds) {
    const near = joined.findIndex(
      ({ spot }) => Math.hypot(spot.x - crowd.spot.x, spot.y - crowd.spot.y) < distance,
    )
    if (near < 0) joined.push(crowd)
    else joined[near] = join(joined[near] ?? crowd, crowd)
  }
  return joined.length === crowds.length ? joined : gather(joined, distance)
}

function join(a: Crowd, b: Crowd): Crowd {
  const people = [...a.people, ...b.people]
  const mean = (from: number, to: number): number =>
    (from * a.people.length + to * b.people.length) / people.length
  return { people, spot: { x: mean(a.spot.x, b.spot.x), y: mean(a.spot.y, b.spot.y) } }
}

function spotOf({ at }: Person, { unit }: MapViewport): MapPoint {
  return clamp(place(at), MARKS.edge * unit)
}

function crowdBox({ spot, people }: Crowd, { unit }: MapViewport): Box {
  return boxAround(spot, (people.length === 1 ? MARKS.idle + 1 : MARKS.crowd + 2) * unit)
}

function houseBox(spot: MapPoint, { unit }: MapViewport): Box {
  return boxAround(spot, (MARKS.house + 1) * unit)
}

function stationBox(spot: MapPoint, { unit }: MapViewport): Box {
  return boxAround(spot, MARKS.station.x * unit, MARKS.station.y * unit)
}

function boxesOf(names: readonly PlacedName[]): Box[] {
  return names.map(({ box }) => box)
}

function nameDistricts(taken: readonly Box[], seen: MapViewport): PlacedName[] {
  const { unit, box, measure, before } = seen
  const names = SPOTS.districts.map(({ name, spot }) => ({
    ...toName(name, spot, measure(name, DISTRICT_FONT), unit),
    gap: { x: 2 * unit, y: 2 * unit },
    steps: UPON,
  }))
  return placeNames(names, taken, box, stepsOf(before?.districtNames))
}

function nameStations(stations: Layout['stations'], taken: readonly Box[], seen: MapViewport): PlacedName[] {
  const { unit, box, measure, before } = seen
  const { x, y } = MARKS.station
  const names = stations.map(({ name, spot }) => ({
    ...toName(name, spot, measure(name, STATION_FONT), unit),
    gap: { x: (x + 3) * unit, y: (y + 1) * unit },
    steps: BESIDE,
  }))
  return placeNames(names, taken, box, stepsOf(before?.stationNames))
}

function toName(text: string, spot: MapPoint, size: ReturnType<Measure>, unit: number) {
  const { width, ascent, descent } = size
  return { text, spot, width: width * unit, ascent: ascent * unit, descent: descent * unit }
}

function stepsOf(names: readonly PlacedName[] | undefined): ReadonlyMap<string, number> {
  return new Map(names?.map(({ text, step }) => [text, step]))
}
