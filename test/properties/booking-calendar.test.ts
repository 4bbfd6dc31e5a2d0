/** Competing bookings, long jobs, requests and cancellations in any order, compared with a simple calendar. */
import { expect, test } from 'vitest'
import { seededInt } from '../../src/core/hash.ts'
import { runNextEvent } from '../../src/sandbox/due-events.ts'
import { iterations } from '../support/battery.ts'
import { CARD, newKey } from '../support/food.ts'
import { checkInvariants } from '../support/invariants.ts'
import { type PaperCalendar, paperCalendar } from '../support/paper-calendar.ts'
import { fc } from '../support/properties.ts'
import { CONTACT, findProviderNamed, HOME } from '../support/services.ts'
import { ENGINES } from '../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

const HALF_HOUR = 1_800_000
const MINUTE = 60_000
const DAY = 86_400_000
/** The long battery makes more calls. */
const CALLS = Number(process.env['DRAY_CALENDAR_CALLS'] ?? iterations(2000, 5000))
const FIRST_DAY = Date.parse('2026-11-21T00:00:00Z')
const DAYS = 4

/**
 * From home, 0.66 km from the cleaner, to the farthest place 12 km on the other side: 16.5 km by road at 30 km/h are 33
 * minutes, and one to park; a visit begins up to 6 minutes late, and a wait is seen a minute later. Half an hour of it is
 * kept free after every visit anyway.
 */
const WAYS = { before: 11.03, after: 41.03 }

const minutes = fc.constantFrom(120, 135, 180, 240, 300, 420)
/** A half hour of four days, including nights and a Sunday. */
const start = fc.nat(DAYS * 48 - 1).map((index) => FIRST_DAY + index * HALF_HOUR)
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('book' as const), minutes, start, early: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('look' as const), minutes, day: fc.nat(DAYS - 1) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat(60) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('request' as const),
      minutes,
      start,
      hours: fc.integer({ min: 1, max: 30 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 3 }) }),
  },
)

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
type Diary = {
  world: TestSandbox
  provider_id: string
  paper: PaperCalendar
  /** The bookings that will be cancelled when the clock advances. */
  booked: string[]
  /** Requests without a free start so far. */
  waiting: string[]
  calls: number
}

const halfHours = (length: number): number => Math.ceil((length + 30) / 30)
const stamps = (instants: readonly number[]): string[] => instants.map((at) => new Date(at).toISOString())

async function call(diary: Diary, ...args: Parameters<TestSandbox['call']>) {
  diary.calls += 1
  return diary.world.call(...args)
}

async function quote(diary: Diary, more: Record<string, unknown>) {
  const { provider_id } = diary
  return call(diary, 'quote_service', { provider_id, service_code: 'regular_clean', place: HOME, ...more })
}

async function confirm(diary: Diary, quote_id: unknown, more: Record<string, unknown> = {}) {
  const body = { quote_id, contact: CONTACT, payment: CARD, ...more }
  return call(diary, 'book_service', body, { key: newKey(), scenario: 'provider_cancels' })
}

async function push(diary: Diary, id: string): Promise<void> {
  await diary.world.write((tx, { world }, now) => runNextEvent(tx, world, now, id))
}

const DOERS: { [Name in Step['do']]: (diary: Diary, step: Extract<Step, { do: Name }>) => Promise<void> } = {
  async book(diary, { minutes: length, start: at, early }) {
    const now = await diary.world.now()
    const open = diary.paper.isOpen(at, halfHours(length), now)
    const named = { duration_minutes: length, ...(early && { starts_at: new Date(at).toISOString() }) }
    const priced = await quote(diary, named)
    const answer =
      early && !open
        ? priced
        : await confirm(
            diary,
            priced.body['quote_id'],
            early ? {} : { starts_at: new Date(at).toISOString() },
          )
    if (open) {
      expect(answer.status).toBe(201)
      const id = String(answer.body['booking_id'])
      diary.paper.take(id, at, { halfHours: halfHours(length), minutes: length })
      diary.booked.push(id)
      return
    }
    expect([answer.status, answer.body['code']]).toEqual([409, 'slot_unavailable'])
    const instead = diary.paper.startsAfter(at, halfHours(length), now, 3)
    expect(answer.body['alternatives']).toEqual(stamps(instead))
  },
  async look(diary, { minutes: length, day }) {
    const date = new Date(FIRST_DAY + day * DAY).toISOString().slice(0, 10)
    const { provider_id } = diary
    const { body } = await call(diary, 'get_provider_availability', {
      provider_id,
      date,
      duration_minutes: length,
    })
    const shown = (body['data'] as { starts_at: string }[]).map(({ starts_at }) => starts_at)
    const now = await diary.world.now()
    expect(shown).toEqual(stamps(diary.paper.startsOn(date, halfHours(length), now)))
  },
  async cancel(diary, { which }) {
    const id = diary.booked[which % Math.max(1, diary.booked.length)]
    if (id === undefined) return
    await push(diary, id)
    diary.paper.free(id)
    diary.booked = diary.booked.filter((each) => each !== id)
  },
  async request(diary, { minutes: length, start: from, hours }) {
    const now = await diary.world.now()
    const until = from + hours * 2 * HALF_HOUR
    const window = { starts_at: new Date(from).toISOString(), ends_at: new Date(until).toISOString() }
    const priced = await quote(diary, { duration_minutes: length })
    const { body } = await confirm(diary, priced.body['quote_id'], { preferred_window: window })
    const id = String(body['booking_id'])
    await push(diary, id)
    const [first] = diary.paper.startsAfter(from - 1, halfHours(length), now, 1)
    const { body: seen } = await call(diary, 'get_service_booking', { booking_id: id })
    const slot = seen['slot'] as { starts_at: string } | null
    if (first !== undefined && first < until) {
      expect([seen['status'], slot?.starts_at]).toEqual(['confirmed', stamps([first])[0]])
      diary.paper.take(id, first, { halfHours: halfHours(length), minutes: length })
      diary.booked.push(id)
      return
    }
    expect([seen['status'], slot]).toEqual(['requested', null])
    diary.waiting.push(id)
  },
  async wait(diary, { minutes: length }) {
    await diary.world.advance(length * MINUTE)
    const look = async (id: string) => (await call(diary, 'get_service_booking', { booking_id: id })).body
    // Bookings that were cancelled in the meantime are free again; open requests look again.
    const [booked, waiting] = [diary.booked.splice(0), diary.waiting.splice(0)]
    for (const id of booked) {
      if ((await look(id))['status'] === 'cancelled') diary.paper.free(id)
      else diary.booked.push(id)
    }
    for (const id of waiting) {
      const { status, slot, duration_minutes } = await look(id)
      if (status === 'requested') diary.waiting.push(id)
      if (status !== 'confirmed') continue
      const minutes = Number(duration_minutes)
      const at = Date.parse((slot as { starts_at: string }).starts_at)
      diary.paper.take(id, at, { halfHours: halfHours(minutes), minutes })
      diary.booked.push(id)
    }
  },
}

const runBookingStep = (diary: Diary, each: Step): Promise<void> =>
  (DOERS[each.do] as (diary: Diary, step: Step) => Promise<void>)(diary, each)

async function checkDiary(diary: Diary, steps: readonly Step[]): Promise<void> {
  for (const each of steps) await runBookingStep(diary, each)
  const rows = await diary.world.db.read((tx) =>
    tx.all('select cell_start from booked_cells order by cell_start'),
  )
  expect(rows.map((row) => Number(row['cell_start']))).toEqual(diary.paper.taken())
}

async function openDiary(engine = ENGINES[0]): Promise<Diary> {
  const world = await openTestSandbox(engine === undefined ? {} : { engine })
  const { provider_id } = await findProviderNamed(world)
  return {
    world,
    provider_id,
    paper: paperCalendar({ opens: 8, closes: 18, ways: WAYS }),
    booked: [],
    waiting: [],
    calls: 0,
  }
}

test.each(ENGINES)(
  'few steps of every kind, in any order, on $name',
  async (engine) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const diary = await openDiary(engine)
        await checkDiary(diary, steps)
        expect(await checkInvariants(diary.world.db)).toEqual([])
      }),
      { numRuns: engine.name === 'SQLite' ? iterations(10, 25) : iterations(2, 3) },
    )
  },
  60_000,
)

test(
  `${CALLS} calls on one provider agree with the calendar on paper to the last`,
  async () => {
    const diary = await openDiary()
    const seed = seededInt(2 ** 31, 'calendar', ['test', 1, 0, 'seed'])
    const [steps = []] = fc.sample(fc.array(step, { minLength: CALLS, maxLength: CALLS, size: 'max' }), {
      seed,
      numRuns: 1,
    })
    for (const each of steps) {
      if (diary.calls >= CALLS) break
      await runBookingStep(diary, each)
    }
    await checkDiary(diary, [])
    expect(diary.calls).toBeGreaterThanOrEqual(CALLS)
    expect(await checkInvariants(diary.world.db)).toEqual([])
  },
  CALLS * 24,
)
