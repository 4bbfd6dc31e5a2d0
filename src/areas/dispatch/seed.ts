/** The crowd: dozens of people with names and homes drawn from the seed, beside those that the fixture names. */
import { offsetPoint, type Point } from '../../core/geometry.ts'
import { seededInt } from '../../core/hash.ts'
import { ashore } from '../../core/places/water.ts'
import type { WorldSettings } from '../../core/world.ts'

const CENTRE: Point = { latitude: 51.5136, longitude: -0.1066 }
const MAX_HOME_DISTANCE_M = 4000

const GIVEN_NAMES =
  'Aisha Alba Anders Beatriz Caleb Dunja Emre Faye Goran Hetty Idris Joana Karim Linnea Mateo Nkechi Orla Pavel Rhys Saoirse Tariq Uma Viktor Wren Yusuf Zelda'.split(
    ' ',
  )
const FAMILY_NAMES =
  'Abara Bergström Costa Dhillon Ekwueme Farrell Grünwald Hoang Ivanova Jansen Kowalski Lindsay Moreau Ndiaye Oyelaran Petrov Quigley Rahman Sato Tennant Ueda Vance Whitby Yilmaz'.split(
    ' ',
  )

/** Returns name, phone, rating and home of person `index` of a kind; `below` draws further values for them. */
export function makePerson({ seed }: WorldSettings, kind: string, index: number) {
  const below = (limit: number, purpose: string) =>
    seededInt(limit, seed, [`crowd|${kind}`, index, 0, purpose])
  // No two people of a kind have the same first and last name.
  const shift = seededInt(FAMILY_NAMES.length, seed, [`crowd|${kind}`, 0, 0, 'names'])
  const given = pickCyclic(GIVEN_NAMES, index)
  const family = pickCyclic(FAMILY_NAMES, index * 7 + shift)
  return {
    name: `${given} ${family}`,
    // Ofcom reserves this range for drama.
    phone: `+4477009003${String(index).padStart(2, '0')}`,
    rating_tenths: 43 + below(8, 'rating'),
    home: ashore(offsetPoint(CENTRE, below(MAX_HOME_DISTANCE_M, 'distance'), below(360, 'bearing'))),
    below,
  }
}

/** Returns an element of a list; an index past the end starts again at the first. */
export function pickCyclic<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length]
  if (found === undefined) throw new Error('an empty list')
  return found
}
