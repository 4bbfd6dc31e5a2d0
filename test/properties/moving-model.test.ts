/**
 * The model of the thirty operations of the moving world: any steps beside the model, on either engine;
 * with `DRAY_MODEL_RUNS` of 200 or more, as in the long battery, until every error that they declare was heard.
 */
import { expect } from 'vitest'
import { repeatKeyedCall, membership } from '../support/model-calls.ts'
import { type StepSequence, testModel } from '../support/model.ts'
import { fc } from '../support/properties.ts'
import * as carrier from './moving-carrier.ts'
import { createPoorCustomer, runMovingCancelStep, runMovingConfirmStep } from './moving-confirms.ts'
import { askNobody } from './moving-couriers.ts'
import { DAY, type MovingModel } from './moving-model.ts'
import { runMovingQuoteStep } from './moving-quotes.ts'
import * as reads from './moving-reads.ts'
import { openMovingWorld } from './moving-setup.ts'
import { type MovingStep, generateMovingSteps } from './moving-steps.ts'

testModel<MovingModel, MovingStep, StepSequence<MovingStep> & { oneActiveRide: boolean }>({
  areas: ['account', 'rides', 'delivery', 'carrier', 'services', 'tasks'],
  runs: 16,
  runsForAllErrors: 200,
  never: {
    'create_task task_type_not_found': 'a quote holds a type that there is, and none is ever taken away',
    'get_membership_status insufficient_scope': 'every account has profile.read',
  },
  draws: fc
    .tuple(
      generateMovingSteps(40),
      fc.nat({ max: 2 }).map((value) => value === 0),
    )
    .map(([steps, oneActiveRide]) => ({ steps, oneActiveRide })),
  open: openMovingWorld,
  inspect(_, { body }, said) {
    if (body['code'] === 'slot_unavailable') expect(body['alternatives'], said).toBeInstanceOf(Array)
  },
  async begin(life, { oneActiveRide }) {
    if (oneActiveRide) await createPoorCustomer(life)
  },
  play: {
    quote: runMovingQuoteStep,
    confirm: runMovingConfirmStep,
    'ask nobody': askNobody,
    cancel: runMovingCancelStep,
    again: repeatKeyedCall,
    show: reads.runMovingShowStep,
    evidence: reads.runEvidenceStep,
    rides: reads.runRidesStep,
    search: reads.runMovingSearchStep,
    slots: reads.runSlotsStep,
    member: reads.runMemberStep,
    membership,
    wait: reads.runMovingWaitStep,
    expire: reads.runExpireStep,
    send: carrier.runSendStep,
    batch: carrier.runBatchStep,
    stop: carrier.runStopStep,
    parcel: carrier.runParcelStep,
    parcels: carrier.runParcelsStep,
    rates: carrier.runRatesStep,
    coverage: carrier.runCoverageStep,
    hubs: carrier.runHubsStep,
  },
  async end(life) {
    await reads.advanceModelClock(life, 12 * DAY, false)
    await reads.expectEnds(life)
  },
})
