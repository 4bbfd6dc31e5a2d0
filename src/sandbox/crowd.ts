/** The rest of those who drive, bring and are sent: dozens of people whose names, homes and vehicles the seed draws. */
import { insertCouriers } from '../areas/couriers/store/couriers.ts'
import type { Tier } from '../areas/rides/states.ts'
import { insertDrivers } from '../areas/rides/store/drivers.ts'
import { insertTaskers } from '../areas/tasks/store/taskers.ts'
import type { Tx } from '../core/db.ts'
import { offset, type Point } from '../core/geometry.ts'
import { drawBelow } from '../core/hash.ts'
import { packWeek } from '../core/opening-hours.ts'
import { WEEKDAYS } from '../core/time.ts'
import type { VehicleType } from '../core/travel.ts'
import type { World } from '../core/world.ts'
import { newIds } from '../store/counters.ts'

const CENTRE: Point = { latitude: 51.5136, longitude: -0.1066 }
const FURTHEST_M = 4000

const GIVEN_NAMES =
  'Aisha Alba Anders Beatriz Caleb Dunja Emre Faye Goran Hetty Idris Joana Karim Linnea Mateo Nkechi Orla Pavel Rhys Saoirse Tariq Uma Viktor Wren Yusuf Zelda'.split(
    ' ',
  )
const FAMILY_NAMES =
  'Abara Bergström Costa Dhillon Ekwueme Farrell Grünwald Hoang Ivanova Jansen Kowalski Lindsay Moreau Ndiaye Oyelaran Petrov Quigley Rahman Sato Tennant Ueda Vance Whitby Yilmaz'.split(
    ' ',
  )

type Car = readonly [make: string, model: string, type: string]

/** One driver in so many is of each kind. */
const TIERS: readonly (readonly [tiers: readonly Tier[], car: Car])[] = [
  [['economy'], ['Toyota', 'Corolla', 'hatchback']],
  [['economy'], ['Kia', 'Niro', 'hatchback']],
  [
    ['economy', 'comfort'],
    ['Škoda', 'Octavia', 'saloon'],
  ],
  [
    ['economy', 'comfort'],
    ['Volkswagen', 'Passat', 'saloon'],
  ],
  [
    ['comfort', 'premium'],
    ['BMW', '5 Series', 'luxury saloon'],
  ],
  [['xl'], ['Ford', 'Galaxy', 'people carrier']],
  [['accessible'], ['LEVC', 'TX', 'accessible taxi']],
]
const COLOURS = ['black', 'blue', 'grey', 'red', 'silver', 'white'] as const
const SHIFTS = [
  ['00:00', '00:00'],
  ['05:00', '23:00'],
  ['14:00', '04:00'],
] as const
const COURIER_VEHICLES: readonly VehicleType[] = ['bicycle', 'motorbike', 'bicycle', 'car', 'walker', 'van']
const TASKER_VEHICLES: readonly VehicleType[] = ['bicycle', 'motorbike', 'car']
const QUALIFICATIONS = [
  'retail errands',
  'photography meters',
  'patience errands',
  'retail patience meters',
] as const

const DRIVERS = 35
const COURIERS = 30
const TASKERS = 24

/** Adds the crowd to an area's own people, who are numbered before. */
export async function seedDriverCrowd(tx: Tx, world: World, now: number, after: number): Promise<void> {
  const ids = await newIds(tx, world, 'drv', now, DRIVERS)
  await insertDrivers(
    tx,
    ids.map((driver_id, index) => {
      const { below, ...person } = makePerson(world, 'driver', index)
      const [tiers, [make, model, vehicle_type]] = pick(TIERS, index)
      const [opens, closes] = pick(SHIFTS, index)
      const letters = 'ABCDEFGHJKLMNPRSTUVWXY'
      const letter = (purpose: string) => letters.charAt(below(letters.length, purpose))
      return {
        ...person,
        driver_id,
        sort: after + index + 1,
        tiers: [...tiers],
        week: packWeek(WEEKDAYS.map((day) => ({ day, opens, closes }))),
        vehicle: {
          make,
          model,
          colour: pick(COLOURS, below(COLOURS.length, 'colour')),
          licence_plate: `QZ${String(index + 20)} ${letter('plate1')}${letter('plate2')}${letter('plate3')}`,
          vehicle_type,
        },
      }
    }),
  )
}

export async function seedCourierCrowd(tx: Tx, world: World, now: number, after: number): Promise<void> {
  const ids = await newIds(tx, world, 'cou', now, COURIERS)
  await insertCouriers(
    tx,
    ids.map((courier_id, index) => {
      const { below: _, ...person } = makePerson(world, 'courier', index)
      return { ...person, courier_id, sort: after + index + 1, vehicle_type: pick(COURIER_VEHICLES, index) }
    }),
  )
}

export async function seedTaskerCrowd(tx: Tx, world: World, now: number, after: number): Promise<void> {
  const ids = await newIds(tx, world, 'prv', now, TASKERS)
  await insertTaskers(
    tx,
    ids.map((tasker_id, index) => {
      const { below: _, ...person } = makePerson(world, 'tasker', index)
      return {
        ...person,
        tasker_id,
        sort: after + index + 1,
        vehicle_type: pick(TASKER_VEHICLES, index),
        qualifications: pick(QUALIFICATIONS, index).split(' '),
      }
    }),
  )
}

function makePerson({ seed }: World, kind: string, index: number) {
  const below = (limit: number, purpose: string) => drawBelow(limit, seed, `crowd|${kind}`, index, 0, purpose)
  // No two people of a kind have both names in common.
  const shift = drawBelow(FAMILY_NAMES.length, seed, `crowd|${kind}`, 0, 0, 'names')
  const given = pick(GIVEN_NAMES, index)
  const family = pick(FAMILY_NAMES, index * 7 + shift)
  return {
    name: `${given} ${family}`,
    // A range that the regulator keeps for stories.
    phone: `+4477009003${String(index).padStart(2, '0')}`,
    rating_tenths: 43 + below(8, 'rating'),
    home: offset(CENTRE, below(FURTHEST_M, 'distance'), below(360, 'bearing')),
    below,
  }
}

function pick<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length]
  if (found === undefined) throw new Error('an empty list')
  return found
}
