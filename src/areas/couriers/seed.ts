/** The couriers: twenty people who live in London, and a generated crowd. */
import type { Tx } from '../../core/db.ts'
import type { VehicleType } from '../../core/travel.ts'
import type { WorldSettings } from '../../core/world.ts'
import { newIds } from '../../db/counters.ts'
import { makePerson, pickCyclic } from '../dispatch/seed.ts'
import { insertCouriers } from './queries/couriers.ts'

type Person = readonly [
  name: string,
  vehicle: VehicleType,
  phone: string,
  rating: number,
  latitude: number,
  longitude: number,
]

const COURIERS: readonly Person[] = [
  ['Amara Okafor', 'bicycle', '+447700900101', 4.9, 51.5154, -0.0726],
  ['Ben Whitlock', 'bicycle', '+447700900102', 4.7, 51.5262, -0.0778],
  ['Chiara Fontana', 'bicycle', '+447700900103', 4.8, 51.5238, -0.1069],
  ['Dev Malhotra', 'motorbike', '+447700900104', 4.6, 51.5033, -0.0873],
  ['Ewa Zielińska', 'bicycle', '+447700900105', 5, 51.5112, -0.1198],
  ['Farid Haddad', 'motorbike', '+447700900106', 4.5, 51.5301, -0.1231],
  ['Grace Adeyemi', 'walker', '+447700900107', 4.9, 51.5131, -0.0884],
  ['Hamish Reid', 'bicycle', '+447700900108', 4.4, 51.4988, -0.1109],
  ['Ines Carvalho', 'bicycle', '+447700900109', 4.8, 51.5407, -0.1034],
  ['Jonas Lindqvist', 'bicycle', '+447700900110', 4.7, 51.4959, -0.0702],
  ['Kofi Mensah', 'car', '+447700900111', 4.6, 51.5171, -0.1379],
  ['Leila Rahimi', 'bicycle', '+447700900112', 4.9, 51.5207, -0.0556],
  ['Marco Bellini', 'motorbike', '+447700900113', 4.3, 51.5093, -0.1321],
  ['Nadia Petrova', 'car', '+447700900114', 4.8, 51.5349, -0.0621],
  ['Oisín Byrne', 'bicycle', '+447700900115', 4.6, 51.5056, -0.0995],
  ['Preeti Nair', 'walker', '+447700900116', 4.8, 51.5187, -0.0812],
  ['Quentin Ashby', 'car', '+447700900117', 4.2, 51.4921, -0.1202],
  ['Rosa Delgado', 'bicycle', '+447700900118', 4.9, 51.5279, -0.0912],
  ['Samuel Tran', 'motorbike', '+447700900119', 4.7, 51.5452, -0.0764],
  ['Tamsin Vale', 'van', '+447700900120', 4.5, 51.4872, -0.0951],
]

export async function seedCouriers(tx: Tx, world: WorldSettings, now: number): Promise<void> {
  const ids = await newIds({ tx, world, at: now }, 'cou', COURIERS.length)
  await insertCouriers(
    tx,
    COURIERS.map(([name, vehicle_type, phone, rating, latitude, longitude], index) => ({
      courier_id: ids[index] ?? '',
      sort: index + 1,
      name,
      vehicle_type,
      phone,
      rating_tenths: Math.round(rating * 10),
      home: { latitude, longitude },
    })),
  )
  await addCouriers(tx, world, now)
}

/** Adds the crowd, to a new store or to an older one that has only the twenty. */
export async function addCouriers(tx: Tx, world: WorldSettings, now: number): Promise<void> {
  await seedCourierCrowd(tx, world, now, COURIERS.length)
}

const COURIER_VEHICLES: readonly VehicleType[] = ['bicycle', 'motorbike', 'bicycle', 'car', 'walker', 'van']
const CROWD = 30

async function seedCourierCrowd(tx: Tx, world: WorldSettings, now: number, after: number): Promise<void> {
  const ids = await newIds({ tx, world, at: now }, 'cou', CROWD)
  await insertCouriers(
    tx,
    ids.map((courier_id, index) => {
      const { below: _, ...person } = makePerson(world, 'courier', index)
      return {
        ...person,
        courier_id,
        sort: after + index + 1,
        vehicle_type: pickCyclic(COURIER_VEHICLES, index),
      }
    }),
  )
}
