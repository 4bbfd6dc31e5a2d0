/**
 * B11 of `reliability.md` for the thirty operations of the moving world: any steps beside the model, on either engine;
 * with `DRAY_MODEL_RUNS` of 200 or more, as in the long battery, until every refusal that they declare was heard.
 */
import { expect } from 'vitest'
import { again, membership } from '../support/model-calls.ts'
import { type Drawn, testModel } from '../support/model.ts'
import { fc } from '../support/properties.ts'
import * as carrier from './moving-carrier.ts'
import { begin, cancel, confirm } from './moving-confirms.ts'
import { askNobody } from './moving-couriers.ts'
import { DAY, type MovingModel } from './moving-model.ts'
import { quote } from './moving-quotes.ts'
import * as reads from './moving-reads.ts'
import { openMovingWorld } from './moving-setup.ts'
import { type Step, stepsOf } from './moving-steps.ts'

testModel<MovingModel, Step, Drawn<Step> & { oneActiveRide: boolean }>({
  areas: ['account', 'rides', 'delivery', 'carrier', 'services', 'tasks'],
  runs: 16,
  runsForAllErrors: 200,
  never: {
    'create_task task_type_not_found': 'a quote holds a type that there is, and none is ever taken away',
    'get_membership_status insufficient_scope': 'every account has profile.read',
  },
  draws: fc
    .tuple(
      stepsOf(40),
      fc.nat({ max: 2 }).map((value) => value === 0),
    )
    .map(([steps, oneActiveRide]) => ({ steps, oneActiveRide })),
  open: openMovingWorld,
  inspect(_, { body }, said) {
    if (body['code'] === 'slot_unavailable') expect(body['alternatives'], said).toBeInstanceOf(Array)
  },
  async begin(life, { oneActiveRide }) {
    if (oneActiveRide) await begin(life)
  },
  play: {
    quote,
    confirm,
    'ask nobody': askNobody,
    cancel,
    again,
    show: reads.show,
    evidence: reads.evidence,
    rides: reads.rides,
    search: reads.search,
    slots: reads.slots,
    member: reads.member,
    membership,
    wait: reads.wait,
    expire: reads.expire,
    send: carrier.send,
    batch: carrier.batch,
    stop: carrier.stop,
    parcel: carrier.parcel,
    parcels: carrier.parcels,
    rates: carrier.rates,
    coverage: carrier.coverage,
    hubs: carrier.hubs,
  },
  async end(life) {
    await reads.pass(life, 12 * DAY, false)
    await reads.expectEnds(life)
  },
})
