import { defineCases, type CaseInput } from '../../support/cases.ts'
import { callTestControl, stepToEvent } from '../../support/control.ts'
import {
  FROM,
  PARCEL_OF_KEYS,
  quoteRun,
  requestOf,
  type DeliveryOptions,
  sendRun,
} from '../../support/deliveries.ts'
import { beyondWallet, BY_WALLET, EUROS, MANCHESTER, NOWHERE, outdated } from '../../support/refused.ts'
import type { TestSandbox } from '../../support/world.ts'

const SOFA = { parcel: { size: 'xl', description: 'A sofa' } }

/** Quotes a delivery and returns the body that confirms it. */
async function confirmRun(
  world: TestSandbox,
  over: CaseInput,
  quote: DeliveryOptions['quote'] = {},
): Promise<CaseInput> {
  return requestOf((await quoteRun(world, { as: 'everything', quote })).quote_id, over)
}

/** Deletes all couriers with such a vehicle. */
const dismiss = (world: TestSandbox, input: CaseInput, vehicle: string): Promise<CaseInput> =>
  outdated(world, input, `delete from couriers where doc like '%"${vehicle}"%'`)

export const cases = defineCases({
  stranger: 'member',
  ids: {
    delivery_id: {
      nobodys: 'dlv_01m7vkystgef7a5n56tabvem4j',
      missing: 'delivery_not_found',
      make: async (world, as) => ({ delivery_id: (await sendRun(world, { as })).delivery_id }),
    },
  },
  operations: {
    quote_delivery: {
      tool: 'reads',
      refusals: {
        address_unresolvable: { dropoff: NOWHERE },
        outside_service_area: { dropoff: MANCHESTER },
        pickup_equals_dropoff: { pickup: FROM, dropoff: FROM },
        distance_limit_exceeded: {
          pickup: { location: { latitude: 51.38, longitude: -0.1 } },
          dropoff: { location: { latitude: 51.65, longitude: -0.39 } },
        },
        parcel_limits_exceeded: { vehicle_type: 'walker', parcel: { ...PARCEL_OF_KEYS, size: 'xl' } },
        amount_too_large: { parcel: { ...PARCEL_OF_KEYS, value: { amount: 250_001, currency: 'GBP' } } },
        prohibited_item: { parcel: { ...PARCEL_OF_KEYS, description: 'Fireworks' } },
        currency_mismatch: { parcel: { ...PARCEL_OF_KEYS, value: EUROS } },
        options_conflict: { if_absent: 'leave', parcel: { ...PARCEL_OF_KEYS, requires_id: true } },
        no_courier_available: async ({ world, example }) =>
          dismiss(world, { ...(await example()), vehicle_type: 'walker' }, 'walker'),
      },
    },
    request_delivery: {
      tool: 'writes',
      spends: 'quote',
      needs: async (world, as) => {
        const { quote_id, total } = await quoteRun(world, { as })
        return { quote_id, expected_total: total }
      },
      refusals: {
        insufficient_funds: async (given) => {
          const { world } = given
          // The wallet pays for several sofas, and each needs its own van.
          await callTestControl(world, 'set_supply', { supply: 'unlimited' })
          const input = await beyondWallet(given, () => confirmRun(world, BY_WALLET, SOFA))
          await callTestControl(world, 'set_supply', { supply: 'normal' })
          return input
        },
        options_conflict: ({ world }) =>
          confirmRun(world, { payment: { method: 'cash' } }, { if_absent: 'leave' }),
        no_courier_available: async ({ world }) =>
          dismiss(world, await confirmRun(world, {}, { vehicle_type: 'car' }), 'car'),
      },
    },
    report_delivery_problem: {
      tool: 'writes',
      needs: async (world, as) => {
        const { delivery_id } = await sendRun(world, { as, scenario: 'goods_damaged' })
        await stepToEvent(world, delivery_id, 'delivered')
        return { delivery_id, reason_code: 'damaged' }
      },
      afterEntitlementEnds: 'adjustment_not_allowed',
      refusals: {
        adjustment_not_allowed: { reason_code: 'other' },
        problem_window_over: async ({ world, example }) => {
          const input = await example()
          await world.advance(49 * 3_600_000)
          return input
        },
      },
    },
    get_delivery: { tool: 'reads' },
  },
})
