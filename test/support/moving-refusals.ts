/** For every error code that an operation of rides, services and tasks declares, an input that causes it. */
import { UNKNOWN } from './examples.ts'
import { CARD, newKey } from './food.ts'
import { gbp } from './money.ts'
import { BANK, KINGS_CROSS, quoteRide, requestRide } from './rides.ts'
import { at, bookJob, findProviderNamed, makeJob, quoteJob } from './services.ts'
import { createTask, quoteTask, taskInput } from './tasks.ts'
import type { TestWorld } from './world.ts'

type Input = Record<string, unknown>
type Refused = Readonly<Record<string, (given: { world: TestWorld }) => Input | Promise<Input>>>

const OWN = { as: 'everything' }
const DECLINED = { method: 'card', payment_token: 'tok_declined' }
const NO_QUOTE = 'quo_01m7vkystge8kbcf2tpy8vep2a'
const MANCHESTER = { location: { latitude: 53.48, longitude: -2.24 } }
const CAMBRIDGE = { location: { latitude: 52.2053, longitude: 0.1218 } }
const NOWHERE = {
  address: { line1: '1 Nowhere Lane', city: 'London', postal_code: 'ZZ99 9ZZ', country_code: 'GB' },
}
const GONE_RIDE = { ride_id: UNKNOWN['ride_id'] }
const GONE_PROVIDER = { provider_id: UNKNOWN['provider_id'] }
const GONE_TASK = { task_id: UNKNOWN['task_id'] }
const NO_RULE = { evidence_rules: [{ requirement_id: 'moon_photos', min_count: 1 }] }

const trip = (over: Input): Input => ({ pickup: BANK, dropoff: KINGS_CROSS, ...over })

async function confirmRide(world: TestWorld, over: Input = {}, way: Input = {}): Promise<Input> {
  return { quote_id: (await quoteRide(world, way)).quote_id, tier: 'economy', payment: CARD, ...over }
}

async function confirmTask(world: TestWorld, over: Input = {}, job: Input = {}): Promise<Input> {
  return { quote_id: (await quoteTask(world, job, 'everything')).quote_id, payment: CARD, ...over }
}

type Job = Parameters<typeof makeJob>[1]

async function confirmJob(world: TestWorld, over: Input = {}, job: Job = {}): Promise<Input> {
  return { ...(await quoteJob(world, job)), ...over }
}

/** Two overlapping starts in a cleaner's week. */
const TAKEN = { starts_at: at('10:00', '2026-12-02') }
const OVERLAPPING = { starts_at: at('11:00', '2026-12-02') }

/** Returns the input of a request for a provider's starts. */
async function startsInput(world: TestWorld, over: Input): Promise<Input> {
  const { provider_id } = await findProviderNamed(world)
  return { provider_id, date: '2026-12-02', ...over }
}

/** Changes the database after a quote, so that its confirm fails. */
async function after(world: TestWorld, input: Input, statement: string): Promise<Input> {
  await world.db.write((tx) => tx.run(statement))
  return input
}

async function late(world: TestWorld, input: Input): Promise<Input> {
  await world.advance(900_000)
  return input
}

/** The inputs by operation and code. The case that removes a task type comes last. */
export const MOVING_REFUSALS: Readonly<Record<string, Refused>> = {
  search_ride_options: {
    invalid_cursor: () => ({ ...BANK.location, cursor: 'bm9uZQ' }),
    address_unresolvable: () => ({ near: 'Atlantis' }),
  },
  quote_ride: {
    outside_service_area: () => trip({ pickup: MANCHESTER }),
    pickup_equals_dropoff: () => trip({ dropoff: BANK }),
    distance_limit_exceeded: () => trip({ dropoff: MANCHESTER }),
    address_unresolvable: () => trip({ stops: [NOWHERE] }),
  },
  request_ride: {
    quote_not_found: ({ world }) => confirmRide(world, { quote_id: NO_QUOTE }),
    quote_mismatch: ({ world }) => confirmRide(world, { expected_total: gbp(1) }),
    quote_expired: async ({ world }) => late(world, await confirmRide(world)),
    quote_already_used: async ({ world }) =>
      confirmRide(world, { quote_id: (await requestRide(world)).quote_id }),
    payment_declined: ({ world }) => confirmRide(world, { payment: DECLINED }),
    insufficient_funds: ({ world }) =>
      confirmRide(world, { payment: { method: 'wallet' } }, { dropoff: CAMBRIDGE }),
    tier_not_quoted: ({ world }) => confirmRide(world, {}, { passengers: 5 }),
    capacity_exceeded: ({ world }) => confirmRide(world, { passenger_count: 5 }, { passengers: 2 }),
    tier_unavailable: async ({ world }) =>
      after(
        world,
        await confirmRide(world, { tier: 'accessible' }),
        `update drivers set doc = replace(doc, '"accessible"', '"economy"')`,
      ),
  },
  get_ride: { ride_not_found: () => GONE_RIDE },
  list_rides: { invalid_cursor: () => ({ cursor: 'bm9uZQ' }) },
  cancel_ride: {
    ride_not_found: () => GONE_RIDE,
    not_cancellable: async ({ world }) => {
      const { ride_id } = await requestRide(world)
      await world.ok('cancel_ride', { ride_id })
      return { ride_id }
    },
  },
  search_service_providers: {
    invalid_cursor: () => ({ ...BANK.location, cursor: 'bm9uZQ' }),
    address_unresolvable: () => ({ near: 'Atlantis' }),
  },
  get_provider_availability: {
    provider_not_found: ({ world }) => startsInput(world, { duration_minutes: 60, ...GONE_PROVIDER }),
    service_not_offered: ({ world }) => startsInput(world, { service_code: 'haircut' }),
    duration_not_allowed: ({ world }) =>
      startsInput(world, { service_code: 'regular_clean', duration_minutes: 60 }),
  },
  quote_service: {
    provider_not_found: async ({ world }) => ({ ...(await makeJob(world)), ...GONE_PROVIDER }),
    slot_unavailable: ({ world }) => makeJob(world, { starts_at: at('03:00', '2026-12-02') }),
    service_not_offered: ({ world }) => makeJob(world, { service_code: 'haircut' }),
    duration_not_allowed: ({ world }) => makeJob(world, { duration_minutes: 130 }),
    outside_service_area: ({ world }) => makeJob(world, { place: MANCHESTER }),
    address_unresolvable: ({ world }) => makeJob(world, { place: NOWHERE }),
  },
  book_service: {
    quote_not_found: ({ world }) => confirmJob(world, { quote_id: NO_QUOTE }),
    quote_mismatch: ({ world }) => confirmJob(world, { expected_total: gbp(1) }),
    quote_expired: async ({ world }) => late(world, await confirmJob(world)),
    quote_already_used: async ({ world }) => {
      const input = await confirmJob(world)
      await world.ok('book_service', input, { key: newKey() })
      return input
    },
    payment_declined: ({ world }) => confirmJob(world, { payment: DECLINED }),
    insufficient_funds: ({ world }) =>
      confirmJob(world, { payment: { method: 'wallet' } }, { duration_minutes: 480 }),
    payment_method_not_accepted: ({ world }) => confirmJob(world, { payment: { method: 'pay_at_table' } }),
    slot_unavailable: async ({ world }) => {
      const input = await confirmJob(world, OVERLAPPING)
      await bookJob(world, TAKEN)
      return input
    },
    window_invalid: ({ world }) =>
      confirmJob(world, { preferred_window: { starts_at: at('12:00'), ends_at: at('10:00') } }),
  },
  get_service_booking: { booking_not_found: () => ({ booking_id: UNKNOWN['booking_id'] }) },
  list_task_types: {
    invalid_cursor: () => ({ cursor: 'bm9uZQ' }),
    address_unresolvable: () => ({ near: 'Atlantis' }),
  },
  quote_task: {
    task_type_not_found: () => taskInput({ task_type: 'moon_walk' }),
    no_qualified_provider: () =>
      taskInput({
        task_type: 'document_drop',
        requirements: { recipient_name: 'Ada King', document: 'A summons' },
      }),
    outside_service_area: () => taskInput({ place: MANCHESTER }),
    address_unresolvable: () => taskInput({ place: NOWHERE }),
    requirements_invalid: () => taskInput({ requirements: {} }),
    evidence_rules_invalid: () => taskInput(NO_RULE),
    window_invalid: () =>
      taskInput({ window: { starts_at: '2026-11-20T08:00:00Z', ends_at: '2026-11-20T08:30:00Z' } }),
  },
  create_task: {
    quote_not_found: ({ world }) => confirmTask(world, { quote_id: NO_QUOTE }),
    quote_mismatch: ({ world }) => confirmTask(world, { expected_total: gbp(1) }),
    quote_expired: async ({ world }) => late(world, await confirmTask(world)),
    quote_already_used: async ({ world }) =>
      confirmTask(world, { quote_id: (await createTask(world, OWN)).quote_id }),
    requirements_invalid: ({ world }) => confirmTask(world, {}, { requirements: undefined }),
    evidence_rules_invalid: ({ world }) => confirmTask(world, NO_RULE),
    payment_declined: ({ world }) => confirmTask(world, { payment: DECLINED }),
    insufficient_funds: ({ world }) =>
      confirmTask(world, { payment: { method: 'wallet' } }, { estimated_minutes: 600 }),
    payment_method_not_accepted: ({ world }) => confirmTask(world, { payment: { method: 'cash' } }),
    no_qualified_provider: async ({ world }) =>
      after(
        world,
        await confirmTask(world, {}, { task_type: 'meter_reading', requirements: { meter: 'gas' } }),
        `update task_types set doc = replace(doc, '"qualifications":[', '"qualifications":["astronaut",')
          where task_type = 'meter_reading'`,
      ),
    task_type_not_found: async ({ world }) =>
      after(
        world,
        await confirmTask(
          world,
          {},
          { task_type: 'item_pickup', requirements: { item: 'A lamp', pickup_name: 'Shah' } },
        ),
        `update task_types set task_type = 'lamp_pickup' where task_type = 'item_pickup'`,
      ),
  },
  get_task: { task_not_found: () => GONE_TASK },
  get_task_evidence: { task_not_found: () => GONE_TASK },
  cancel_task: {
    task_not_found: () => GONE_TASK,
    not_cancellable: async ({ world }) => {
      const { task_id } = await createTask(world, OWN)
      await world.ok('cancel_task', { task_id })
      return { task_id }
    },
  },
}
