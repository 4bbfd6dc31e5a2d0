/** Makes the seeded sandbox with its customers, and its model. */
import { openWithout } from '../support/account-without.ts'
import { beginModel, type Body } from '../support/model-calls.ts'
import { amountOf } from '../support/money.ts'
import type { Engine } from '../support/stores.ts'
import { NINE_AM, openTestSandbox, type TestSandbox } from '../support/world.ts'
import { CELL, DAY, type MovingModel, type ModelProvider } from './moving-model.ts'

/** Providers who work round the clock, with a break at noon, and only with a start time. */
const PROVIDERS = [
  'Bright Corner Cleaning',
  'Thames Pipe & Tap',
  'Vauxhall Fix-It',
  'Kensington Mobile Beauty',
]

export async function openMovingWorld(
  engine: Engine,
  { oneActiveRide }: { oneActiveRide: boolean },
): Promise<{ world: TestSandbox; model: MovingModel }> {
  const world = await openTestSandbox({ engine, at: NINE_AM, configured: { rules: { oneActiveRide } } })
  await world.write(openWithout)
  // where one ride at a time is allowed, there are no premium drivers
  if (oneActiveRide) await world.db.write((tx) => tx.run(`delete from drivers where doc like '%"premium"%'`))
  const { data } = await world.ok('search_service_providers', {
    latitude: 51.51,
    longitude: -0.1,
    limit: 100,
  })
  const wanted = data.filter(({ name }) => PROVIDERS.includes(name))
  const providers: ModelProvider[] = []
  for (const each of wanted) providers.push(await toProvider(world, each))
  const model: MovingModel = {
    ...(await beginModel(world)),
    providers,
    oneActiveRide,
    quotes: [],
    things: [],
    parcels: [],
  }
  return { world, model }
}

/** Returns a provider from its public view; its hours are the open ones before any booking. */
async function toProvider(world: TestSandbox, view: Body): Promise<ModelProvider> {
  const id = String(view['provider_id'])
  const travel = view['travel'] as Body
  const services = (view['services'] as Body[]).map((each) => {
    const pricing = each['pricing'] as Body
    return {
      code: String(each['service_code']),
      hourly: pricing['model'] === 'hourly',
      price: amountOf(pricing['price']),
      minutes: Number(each['default_duration_minutes']),
      least: Number(pricing['minimum_minutes']),
      callout: amountOf(pricing['callout_fee']),
      buffer: Number(each['buffer_minutes']),
      slotRequired: each['slot_required'] === true,
    }
  })
  return {
    id,
    name: String(view['name']),
    point: view['base_location'] as ModelProvider['point'],
    radius: Number(travel['radius_m']),
    free: Number(travel['free_radius_m']),
    perKm: amountOf(travel['per_km']),
    services,
    hours: await hoursOf(world, id),
  }
}

/** Equal in every world, since all are made at the same instant. */
const known = new Map<string, ReadonlySet<number>>()

/**
 * Returns the working half hours: the shortest job with the longest buffer takes two, and together their starts cover
 * all.
 */
async function hoursOf(world: TestSandbox, provider_id: string): Promise<ReadonlySet<number>> {
  const found = known.get(provider_id)
  if (found !== undefined) return found
  const hours = new Set<number>()
  for (let day = 0; day < 42; day += 14) {
    const date = new Date(NINE_AM + day * DAY).toISOString().slice(0, 10)
    const asked = { provider_id, date, days: 14, duration_minutes: 15 }
    const { data } = await world.ok('get_provider_availability', asked)
    for (const { starts_at } of data) hours.add(Date.parse(starts_at)).add(Date.parse(starts_at) + CELL)
  }
  known.set(provider_id, hours)
  return hours
}
