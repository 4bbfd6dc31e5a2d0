/**
 * Returns every statement about rides, for the test that runs all of them on both engines. Needs the account `acc_1`.
 */
import { insertQuote } from '../../src/areas/quotes/queries.ts'
import * as drivers from '../../src/areas/rides/queries/drivers.ts'
import * as rides from '../../src/areas/rides/queries/rides.ts'
import type { Tx } from '../../src/core/db.ts'

type Statements = readonly (readonly [name: string, run: (tx: Tx) => Promise<unknown>])[]

/** Documents are text for the store; it reads the driver of a ride. */
function makeRide(at: number, index: number, driver_id: string | null): rides.RideRecord {
  const doc = { driver: driver_id && { driver_id } }
  return {
    ride_id: `rid_${index}`,
    seq: 900 + index,
    ordinal: index,
    account_id: 'acc_1',
    quote_id: `quo_ride_${index}`,
    status: driver_id === null ? 'processing' : 'accepted',
    tier: 'economy',
    created_at: at + index,
    updated_at: at + index,
    doc: doc as rides.RideDoc,
  }
}

export function rideStatements(now: number): Statements {
  const filters: rides.RideFilters[] = [
    {},
    { statuses: ['processing'] },
    { statuses: ['accepted', 'processing', 'cancelled'] },
    { created_from: now + 1, created_to: now + 2 },
  ]
  return [
    [
      'insertTiers',
      (tx) => drivers.insertTiers(tx, [{ tier: 'economy', sort: 1, name: 'E' } as drivers.TierRecord]),
    ],
    ['listTiers', drivers.listTiers],
    [
      'insertDrivers',
      (tx) => drivers.insertDrivers(tx, [{ driver_id: 'drv_1', sort: 1, name: 'A' } as drivers.DriverRecord]),
    ],
    ['listDrivers', drivers.listDrivers],
    ...[1, 2].map(
      (index) =>
        [
          'insertQuote',
          (tx: Tx) =>
            insertQuote(tx, {
              quote_id: `quo_ride_${index}`,
              account_id: 'acc_1',
              kind: 'ride',
              created_at: now,
              expires_at: now,
              used_by: `rid_${index}`,
              doc: {},
            }),
        ] as const,
    ),
    ['insertRide', (tx) => rides.insertRide(tx, makeRide(now, 1, null))],
    ['insertRide', (tx) => rides.insertRide(tx, makeRide(now, 2, 'drv_1'))],
    ['findRide', (tx) => rides.findRide(tx, 'rid_1')],
    ['findRide', (tx) => rides.findRide(tx, 'rid_9')],
    ['lockRide', (tx) => rides.lockRide(tx, 'rid_2')],
    ['lockRides', (tx) => rides.lockRides(tx, ['rid_2', 'rid_9', 'rid_1'], { skipLocked: false })],
    ['lockRides', (tx) => rides.lockRides(tx, ['rid_2'], { skipLocked: true })],
    ['updateRide', (tx) => rides.updateRide(tx, { ...makeRide(now, 1, 'drv_1'), status: 'arriving' })],
    ['hasRideWithStatus', (tx) => rides.hasRideWithStatus(tx, 'acc_1', ['completed', 'cancelled'])],
    ['hasRideWithStatus', (tx) => rides.hasRideWithStatus(tx, 'acc_1', ['arriving', 'accepted'])],
    ['listRidesIn', (tx) => rides.listRidesIn(tx, ['arriving', 'accepted'])],
    ['countRides', rides.countRides],
    ...filters.flatMap((filter) =>
      [undefined, { created_at: now + 2, seq: 902 }].map(
        (after) =>
          ['listRidesOf', (tx: Tx) => rides.listRidesOf(tx, 'acc_1', filter, { after, limit: 10 })] as const,
      ),
    ),
  ]
}
