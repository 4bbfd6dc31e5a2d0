/**
 * The model of food and business: any steps beside the model, on either engine; with `DRAY_MODEL_RUNS` of
 * 300 or more, as in the long battery, until every error that the twenty operations declare was heard.
 */
import { repeatKeyedCall, areaOf, couriers, membership } from '../support/model-calls.ts'
import { testModel } from '../support/model.ts'
import {
  runFoodCreateStep,
  runFoodImportStep,
  runFoodItemsStep,
  runFoodDeleteStep,
  runFoodAvailabilityStep,
  createFirstItems,
  runFoodUpdateStep,
} from './food-catalogue.ts'
import type { FoodModel } from './food-model.ts'
import * as orders from './food-orders.ts'
import { runFoodQuoteStep } from './food-quotes.ts'
import * as reads from './food-reads.ts'
import { openFoodWorld } from './food-setup.ts'
import { type FoodStep, generateFoodSteps } from './food-steps.ts'
import * as time from './food-time.ts'
import { expectNothingPrivate } from './food-views.ts'

const HOUR = 3_600_000

testModel<FoodModel, FoodStep>({
  areas: ['food', 'business'],
  runs: 25,
  runsForAllErrors: 300,
  never: {
    'complete_business_order payment_required':
      'an order by card or wallet that is not paid is refused at accept, and cannot be completed before that',
  },
  draws: generateFoodSteps(40).map((steps) => ({ steps })),
  open: openFoodWorld,
  inspect(name, { text }) {
    if (areaOf(name) === 'food') expectNothingPrivate(text)
  },
  async begin(life) {
    await createFirstItems(life)
    await orders.createFirstOrders(life)
  },
  play: {
    quote: runFoodQuoteStep,
    place: orders.runFoodPlaceStep,
    cancel: orders.runFoodCancelStep,
    show: reads.runFoodShowStep,
    store: orders.runFoodStoreStep,
    list: reads.runFoodListStep,
    settle: time.runFoodSettleStep,
    'open check': time.runFoodOpenCheckStep,
    again: repeatKeyedCall,
    pause: time.runFoodPauseStep,
    couriers,
    membership,
    menu: reads.runFoodMenuStep,
    search: reads.runFoodSearchStep,
    wait: time.runFoodWaitStep,
    create: runFoodCreateStep,
    update: runFoodUpdateStep,
    availability: runFoodAvailabilityStep,
    delete: runFoodDeleteStep,
    import: runFoodImportStep,
    items: runFoodItemsStep,
  },
  end: (life) => time.runFoodWaitStep(life, { do: 'wait', ms: 72 * HOUR, lazily: false }),
})
