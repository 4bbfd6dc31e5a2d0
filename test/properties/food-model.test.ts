/**
 * B11 of `reliability.md` for food and business: any steps beside the model, on either engine; with `DRAY_MODEL_RUNS` of
 * 300 or more, as in the long battery, until every refusal that the twenty operations declare was heard.
 */
import { again, areaOf, couriers, membership } from '../support/model-calls.ts'
import { testModel } from '../support/model.ts'
import { create, importRows, items, remove, setAvailability, stock, update } from './food-catalogue.ts'
import type { FoodModel } from './food-model.ts'
import * as orders from './food-orders.ts'
import { quote } from './food-quotes.ts'
import * as reads from './food-reads.ts'
import { openFoodWorld } from './food-setup.ts'
import { type Step, stepsOf } from './food-steps.ts'
import * as time from './food-time.ts'
import { expectNothingPrivate } from './food-views.ts'

const HOUR = 3_600_000

testModel<FoodModel, Step>({
  areas: ['food', 'business'],
  runs: 25,
  runsForAllErrors: 300,
  never: {
    'complete_business_order payment_required':
      'an order by card or wallet that is not paid is refused at accept, and cannot be completed before that',
  },
  draws: stepsOf(40).map((steps) => ({ steps })),
  open: openFoodWorld,
  inspect(name, { text }) {
    if (areaOf(name) === 'food') expectNothingPrivate(text)
  },
  async begin(life) {
    await stock(life)
    await orders.begin(life)
  },
  play: {
    quote,
    place: orders.place,
    cancel: orders.cancel,
    show: reads.show,
    store: orders.store,
    list: reads.list,
    settle: time.settle,
    'open check': time.openTable,
    again,
    pause: time.pause,
    couriers,
    membership,
    menu: reads.menu,
    search: reads.search,
    wait: time.wait,
    create,
    update,
    availability: setAvailability,
    delete: remove,
    import: importRows,
    items,
  },
  end: (life) => time.wait(life, { do: 'wait', ms: 72 * HOUR, lazily: false }),
})
