import { defineCases, type CaseInput } from '../../support/cases.ts'
import { stepToEvent } from '../../support/control.ts'
import { ATLANTIS, BY_WALLET, MANCHESTER, NOWHERE } from '../../support/refused.ts'
import { timestampAt, bookJob, findProviderNamed, makeJob, quoteJob } from '../../support/services.ts'
import type { TestCallOptions, TestSandbox } from '../../support/world.ts'

/** A day after all that other errors advance the clock by. */
const DAY = '2026-12-04'

/**
 * Returns starts of the cleaner that are free for the job, from three days ahead on: cases book in one world, whose clock
 * others move.
 */
async function findFreeStarts(world: TestSandbox): Promise<string[]> {
  const { provider_id } = await cleaner(world)
  for (let days = 3; days < 10; days += 1) {
    const date = new Date((await world.now()) + days * 86_400_000).toISOString().slice(0, 10)
    const input = { provider_id, service_code: 'regular_clean', date }
    const { data } = await world.ok('get_provider_availability', input)
    if (data.length > 6) return data.map(({ starts_at }) => starts_at)
  }
  throw new Error('the cleaner has no free day')
}

async function bookFreeStart(world: TestSandbox, options: TestCallOptions) {
  const starts = await findFreeStarts(world)
  const { booking_id } = await bookJob(world, { starts_at: starts[0] }, options)
  // The last start does not overlap the first.
  return { booking_id, last: starts.at(-1) }
}

const cleaner = async (world: TestSandbox): Promise<CaseInput> => ({
  provider_id: (await findProviderNamed(world)).provider_id,
})

export const cases = defineCases({
  stranger: 'member',
  ids: {
    provider_id: { nobodys: 'prv_01m7vkystgeegbv5hxx5fd6kz5', missing: 'provider_not_found' },
    booking_id: {
      nobodys: 'bkg_01m7vkystgfjrv96q54p9ebqz8',
      missing: 'booking_not_found',
      make: async (world, as) => ({ booking_id: (await bookJob(world, {}, { as })).booking_id }),
    },
  },
  operations: {
    search_service_providers: { tool: 'reads', refusals: { address_unresolvable: () => ATLANTIS } },
    get_provider_availability: {
      tool: 'reads',
      rules: { 'some services take any length, which has to be said': /^duration_minutes required$/ },
      needs: cleaner,
      refusals: {
        provider_not_found: { provider_id: 'prv_01m7vkystgeegbv5hxx5fd6kz5', date: DAY },
        service_not_offered: { service_code: 'haircut', date: DAY },
        duration_not_allowed: { duration_minutes: 60, date: DAY },
      },
    },
    quote_service: {
      tool: 'reads',
      needs: cleaner,
      refusals: {
        slot_unavailable: ({ world }) => makeJob(world, { starts_at: timestampAt('03:00', DAY) }),
        service_not_offered: ({ world }) => makeJob(world, { service_code: 'haircut' }),
        duration_not_allowed: ({ world }) => makeJob(world, { duration_minutes: 130 }),
        outside_service_area: ({ world }) => makeJob(world, { place: MANCHESTER }),
        address_unresolvable: ({ world }) => makeJob(world, { place: NOWHERE }),
      },
    },
    book_service: {
      tool: 'writes',
      rules: { 'a window instead of a start': /^\/preferred_window mutually_exclusive$/ },
      spends: 'quote',
      input: (world, as) => quoteJob(world, {}, { as }),
      refusals: {
        insufficient_funds: async ({ world }) => ({
          ...(await quoteJob(world, { duration_minutes: 480 })),
          ...BY_WALLET,
        }),
        slot_unavailable: async ({ world }) => {
          const starts_at = (await findFreeStarts(world))[0]
          const input = await quoteJob(world, { starts_at })
          await bookJob(world, { starts_at })
          return input
        },
        window_invalid: {
          preferred_window: { starts_at: timestampAt('12:00'), ends_at: timestampAt('10:00') },
        },
      },
    },
    get_service_booking: { tool: 'reads' },
    report_booking_problem: {
      tool: 'writes',
      needs: async (world, as) => {
        const { booking_id } = await bookFreeStart(world, { as, scenario: 'provider_no_show' })
        await stepToEvent(world, booking_id, 'provider_no_show')
        return { booking_id }
      },
      afterEntitlementEnds: 'adjustment_not_allowed',
      refusals: {
        adjustment_not_allowed: { reason_code: 'other' },
        problem_window_over: async ({ world, example }) => {
          const input = await example()
          const { slot } = await world.ok('get_service_booking', { booking_id: input['booking_id'] })
          await world.advanceTo(Date.parse(slot?.starts_at ?? '') + 49 * 3_600_000)
          return input
        },
      },
    },
    cancel_booking: { tool: 'removes', spends: 'fee', afterEntitlementEnds: 'not_cancellable' },
    move_booking: {
      tool: 'writes',
      needs: async (world, as) => {
        const { booking_id, last } = await bookFreeStart(world, { as })
        return { booking_id, starts_at: last }
      },
      secondInput: { starts_at: timestampAt('13:00', DAY) },
      refusals: {
        slot_unavailable: { starts_at: timestampAt('03:00', DAY) },
        not_movable: async ({ world }) => ({
          booking_id: (await bookJob(world)).booking_id,
          starts_at: timestampAt('14:00', DAY),
        }),
      },
    },
  },
})
