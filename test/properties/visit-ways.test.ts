/** Visits across the town in any order: each provider has time to travel and arrives on time. */
import { expect, test } from 'vitest'
import { iterations } from '../support/battery.ts'
import { CARD, newKey } from '../support/food.ts'
import { checkInvariants } from '../support/invariants.ts'
import { checkPeople } from '../support/people-invariants.ts'
import { fc } from '../support/properties.ts'
import { CONTACT, CLAPHAM_JUNCTION, findProviderNamed, HOME, SATURDAY } from '../support/services.ts'
import { ENGINES } from '../support/stores.ts'
import { openTestSandbox } from '../support/world.ts'

const HALF_HOUR = 1_800_000
const OPENS = Date.parse(`${SATURDAY}T08:00:00Z`)

/** The edges of the cleaner's area: some are 20 km apart. */
const PLACES = [
  HOME,
  CLAPHAM_JUNCTION,
  { location: { latitude: 51.6021, longitude: -0.1887 } },
  { location: { latitude: 51.5416, longitude: 0.0042 } },
  { location: { latitude: 51.4613, longitude: -0.1156 } },
]

const visit = fc.record({
  place: fc.constantFrom(...PLACES),
  service_code: fc.constantFrom('window_clean', 'regular_clean'),
  /** A half hour of the day, or the next one that is shown. */
  start: fc.option(fc.nat(19)),
  wait: fc.nat(3),
  scenario: fc.constantFrom('happy', 'happy', 'customer_no_show', 'provider_cancels'),
})

test.each(ENGINES)(
  'nobody is in two places or late, and what is shown can be booked from anywhere, on $name',
  async (engine) => {
    await fc.assert(
      fc.asyncProperty(fc.array(visit, { minLength: 2, maxLength: 8 }), fc.nat(4), async (visits, days) => {
        const world = await openTestSandbox({ engine })
        const { provider_id } = await findProviderNamed(world)
        for (const { place, service_code, start, wait, scenario } of visits) {
          const asked = { provider_id, service_code }
          const { data } = await world.ok('get_provider_availability', { ...asked, date: SATURDAY })
          const starts_at =
            start === null ? data[0]?.starts_at : new Date(OPENS + start * HALF_HOUR).toISOString()
          if (starts_at === undefined) continue
          const { quote_id } = await world.ok('quote_service', { ...asked, place })
          const body = { quote_id, starts_at, contact: CONTACT, payment: CARD }
          const { status } = await world.call('book_service', body, { key: newKey(), scenario })
          const isShown = data.some((slot) => slot.starts_at === starts_at)
          expect(isShown ? [201] : [201, 409]).toContain(status)
          await world.advance(wait * HALF_HOUR)
        }
        for (let step = 0; step <= days; step++) {
          await world.advanceTo(
            new Date(OPENS + (step + 1) * (11 / (days + 1)) * 2 * HALF_HOUR).toISOString(),
          )
          expect(await world.db.read(checkPeople)).toEqual([])
          expect(await checkInvariants(world.db)).toEqual([])
        }
      }),
      { numRuns: engine.name === 'SQLite' ? iterations(12, 30) : iterations(2, 4) },
    )
  },
  60_000,
)
