import { defineCases, type CaseInput } from '../../support/cases.ts'
import { stepToEvent } from '../../support/control.ts'
import { ATLANTIS, BY_WALLET, MANCHESTER, NOWHERE } from '../../support/refused.ts'
import { timestampAt, bookJob, findProviderNamed, makeJob, quoteJob } from '../../support/services.ts'
import type { TestSandbox } from '../../support/world.ts'

/** A day after all that other errors advance the clock by. */
const DAY = '2026-12-04'

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
          const input = await quoteJob(world, { starts_at: timestampAt('11:00', DAY) })
          await bookJob(world, { starts_at: timestampAt('10:00', DAY) })
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
        const start = { starts_at: timestampAt('10:00', DAY) }
        const { booking_id } = await bookJob(world, start, { as, scenario: 'provider_no_show' })
        await stepToEvent(world, booking_id, 'provider_no_show')
        return { booking_id }
      },
      afterEntitlementEnds: 'adjustment_not_allowed',
      refusals: {
        adjustment_not_allowed: { reason_code: 'other' },
        problem_window_over: async ({ world, example }) => {
          const input = await example()
          await world.advance(48 * 3_600_000)
          return input
        },
      },
    },
    cancel_booking: { tool: 'removes', spends: 'fee', afterEntitlementEnds: 'not_cancellable' },
    move_booking: {
      tool: 'writes',
      needs: async (world, as) => {
        const { booking_id } = await bookJob(world, { starts_at: timestampAt('10:00', DAY) }, { as })
        return { booking_id, starts_at: timestampAt('14:00', DAY) }
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
