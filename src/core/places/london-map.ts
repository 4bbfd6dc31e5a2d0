/**
 * Parks, main roads and stations of London, to find one's way on a map. Drawn coarsely manually for this project, from
 * well-known corners and crossings; no map's data was copied, so none has a licence here. The river is in `water.ts`.
 */
import labels from '../../reference-data/london/labels.json' with { type: 'json' }
import parks from '../../reference-data/london/parks.json' with { type: 'json' }
import roads from '../../reference-data/london/roads.json' with { type: 'json' }
import { findNamedPlace, type NamedPlace } from './gazetteer.ts'

type Spot = [latitude: number, longitude: number]

/** The part of the world that the drawing covers. */
export const LONDON_FRAME = { south: 51.455, north: 51.577, west: -0.235, east: 0.05 } as const

/** Parks, each by its corners. */
export const PARKS = parks as { name: string; corners: Spot[] }[]

/** Main roads, each by the crossings on its way. */
export const ROADS: readonly (readonly Spot[])[] = roads.map(({ line }) => line as Spot[])

const named = (names: readonly string[]): NamedPlace[] => names.flatMap((name) => findNamedPlace(name) ?? [])

/** The stations that people know, and the parts of town that give a map its names. */
export const MAP_STATIONS: readonly NamedPlace[] = named(labels.stations)
export const MAP_DISTRICTS: readonly NamedPlace[] = named(labels.districts)
