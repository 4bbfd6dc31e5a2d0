/** Makes bookings with the providers of the fixture, by their names. */
import { findProvider, type ProviderRecord } from '../../src/areas/services/queries/providers.ts'
import { CARD, newKey } from './food.ts'
import type { TestCallOptions, TestSandbox } from './world.ts'

export const CLEANER = 'Bright Corner Cleaning'

/** In Spitalfields, 700 m from the cleaner. */
export const HOME = { location: { latitude: 51.5188, longitude: -0.0814 }, name: 'Home' }
/** At Clapham Junction, 9 km from the cleaner. */
export const CLAPHAM_JUNCTION = { location: { latitude: 51.4643, longitude: -0.1704 }, name: 'Far' }
export const CONTACT = { name: 'Ana Reid', phone: '+447700900123' }

/** A Saturday morning; the tests begin the day before at nine. */
export const SATURDAY = '2026-11-21'
export const timestampAt = (time: string, date = SATURDAY): string => `${date}T${time}:00.000Z`

export async function findProviderNamed({ db }: TestSandbox, name = CLEANER): Promise<ProviderRecord> {
  return db.read(async (tx) => {
    const row = await tx.get('select provider_id from providers where name = $1', name)
    const provider = await findProvider(tx, String(row?.['provider_id']))
    if (provider === undefined) throw new Error(`there is no provider ${name}`)
    return provider
  })
}

/** Returns a job for the cleaner: two hours at home, with overrides. */
export async function makeJob(
  world: TestSandbox,
  { provider = CLEANER, ...over }: { provider?: string } & Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const { provider_id } = await findProviderNamed(world, provider)
  return { provider_id, service_code: 'regular_clean', place: HOME, ...over }
}

/** Quotes a job and returns the input that confirms it. */
export async function quoteJob(
  world: TestSandbox,
  over: { provider?: string } & Record<string, unknown> = {},
  options: TestCallOptions = {},
): Promise<Record<string, unknown>> {
  const { as } = options
  const asked = as === undefined ? {} : { as }
  const { quote_id } = await world.ok('quote_service', await makeJob(world, over), asked)
  return { quote_id, contact: CONTACT, payment: CARD }
}

/** Books a job at a start; without one, on request. */
export async function bookJob(
  world: TestSandbox,
  over: { provider?: string } & Record<string, unknown> = {},
  { body = {}, ...options }: TestCallOptions & { body?: Record<string, unknown> } = {},
) {
  const confirm = await quoteJob(world, over, options)
  return world.ok('book_service', { ...confirm, ...body }, { key: newKey(), ...options })
}

/** Returns a provider's open starts for a number of minutes on a date, as HH:MM in UTC. */
export async function startsOf(
  world: TestSandbox,
  over: { provider?: string } & Record<string, unknown> = {},
): Promise<string[]> {
  const { provider, ...rest } = over
  const { provider_id } = await findProviderNamed(world, provider)
  const input = { provider_id, date: SATURDAY, ...rest }
  const asked =
    'duration_minutes' in rest || 'service_code' in rest ? input : { ...input, duration_minutes: 60 }
  const { data } = await world.ok('get_provider_availability', asked)
  return data.map(({ starts_at }) => starts_at.slice(11, 16))
}
