import { lockRide, updateRide } from '../../../src/areas/rides/queries/rides.ts'
import { defineCases, type CaseInput } from '../../support/cases.ts'
import { stepToEvent } from '../../support/control.ts'
import { CARD } from '../../support/food.ts'
import { ATLANTIS, beyondWallet, BY_WALLET, MANCHESTER, NOWHERE, outdated } from '../../support/refused.ts'
import { BANK_STATION, quoteTestRide, requestTestRide } from '../../support/rides.ts'
import type { TestSandbox } from '../../support/world.ts'

const CAMBRIDGE = { location: { latitude: 52.2053, longitude: 0.1218 } }

async function confirmRide(world: TestSandbox, over: CaseInput, way: CaseInput = {}): Promise<CaseInput> {
  return { quote_id: (await quoteTestRide(world, way)).quote_id, tier: 'economy', payment: CARD, ...over }
}

export const cases = defineCases({
  stranger: 'member',
  ids: {
    ride_id: {
      nobodys: 'rid_01m7vkystgfx5vsa9mkvef9ews',
      missing: 'ride_not_found',
      make: async (world, as) => ({ ride_id: (await requestTestRide(world, { as })).ride_id }),
    },
  },
  operations: {
    search_ride_options: { tool: 'reads', refusals: { address_unresolvable: () => ATLANTIS } },
    quote_ride: {
      tool: 'reads',
      refusals: {
        outside_service_area: { pickup: MANCHESTER },
        pickup_equals_dropoff: { pickup: BANK_STATION, dropoff: BANK_STATION },
        distance_limit_exceeded: { dropoff: MANCHESTER },
        address_unresolvable: { stops: [NOWHERE] },
      },
    },
    request_ride: {
      tool: 'writes',
      spends: 'quote',
      needs: async (world, as) => {
        const { quote_id, fares } = await quoteTestRide(world, {}, { as })
        return { quote_id, expected_total: fares.find(({ tier }) => tier === 'economy')?.fare }
      },
      refusals: {
        insufficient_funds: (given) =>
          beyondWallet(given, () => confirmRide(given.world, BY_WALLET, { dropoff: CAMBRIDGE })),
        tier_not_quoted: ({ world }) => confirmRide(world, {}, { passengers: 5 }),
        capacity_exceeded: ({ world }) => confirmRide(world, { passenger_count: 5 }, { passengers: 2 }),
        tier_unavailable: async ({ world }) =>
          outdated(
            world,
            await confirmRide(world, { tier: 'accessible' }),
            `update drivers set doc = replace(doc, '"accessible"', '"economy"')`,
          ),
      },
      unreachableErrors: {
        active_ride_exists: 'needs a configured service: test/areas/rides/request_ride.test.ts',
      },
    },
    report_ride_problem: {
      tool: 'writes',
      needs: async (world, as) => {
        const { ride_id } = await requestTestRide(world, { as })
        await stepToEvent(world, ride_id, 'completed')
        // The clock stands still for the other cases, so the promise is put before it.
        await world.write(async (tx, _, now) => {
          const ride = await lockRide(tx, ride_id)
          if (ride === undefined) throw new Error(`there is no ride ${ride_id}`)
          await updateRide(tx, { ...ride, doc: { ...ride.doc, promised_pickup_at: now - 11 * 60_000 } })
        })
        return { ride_id }
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
    get_ride: { tool: 'reads' },
    list_rides: { tool: 'reads' },
    cancel_ride: { tool: 'removes', spends: 'fee', afterEntitlementEnds: 'not_cancellable' },
  },
})
