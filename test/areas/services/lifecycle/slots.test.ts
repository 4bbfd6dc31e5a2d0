/** Contested starts: one booking gets it, and the other attempts leave nothing. */
import { describe, expect, test } from 'vitest'
import type { Db } from '../../../../src/core/db.ts'
import { iterations } from '../../../support/battery.ts'
import { CARD, newKey } from '../../../support/food.ts'
import { checkInvariants } from '../../../support/invariants.ts'
import {
  timestampAt,
  bookJob,
  CONTACT,
  CLAPHAM_JUNCTION,
  findProviderNamed,
  makeJob,
  quoteJob,
  startsOf,
} from '../../../support/services.ts'
import { ENGINES } from '../../../support/stores.ts'
import { type TestResponse, openServers, openTestSandbox, type TestSandbox } from '../../../support/world.ts'

const ROUNDS = iterations(5, 20)
const MANY = 32

/** Counts the rows of a store, without quotes, id counters and stored responses. */
async function count(db: Db): Promise<Record<string, number>> {
  return db.read(async (tx) => {
    const counts: Record<string, number> = {}
    for (const table of ['bookings', 'booked_cells', 'payments', 'ledger', 'events', 'timeline', 'wallets']) {
      counts[table] = Number((await tx.get(`select count(*) as count from ${table}`))?.['count'])
    }
    return counts
  })
}

describe('32 connections to one PostgreSQL', () => {
  let worlds: TestSandbox[]

  async function openAll(): Promise<TestSandbox> {
    const opened = await openServers(MANY)
    worlds = opened
    return opened[0]
  }

  test('that want one start: one gets it, the others get the open starts and pay nothing', async () => {
    const first = await openAll()
    for (let round = 0; round < ROUNDS; round++) {
      // Every half hour of five days occurs once, so that rounds do not share a start.
      const date = `2026-11-${String(23 + Math.floor(round / 4)).padStart(2, '0')}`
      const start = timestampAt(['08:00', '10:30', '13:00', '15:30'][round % 4] ?? '', date)
      const job = await makeJob(first)
      const quotes = await Promise.all(
        worlds.map(async (world) => (await world.ok('quote_service', job)).quote_id),
      )
      const before = await count(first.db)
      const answers = await Promise.all(
        worlds.map((world, index) =>
          world.call(
            'book_service',
            { quote_id: quotes[index], starts_at: start, contact: CONTACT, payment: CARD },
            { key: newKey() },
          ),
        ),
      )
      expectOneWinner(answers)
      const after = await count(first.db)
      expect(after).toEqual({
        ...before,
        bookings: (before['bookings'] ?? 0) + 1,
        booked_cells: (before['booked_cells'] ?? 0) + 5,
        payments: (before['payments'] ?? 0) + 1,
        ledger: (before['ledger'] ?? 0) + 2,
        events: (before['events'] ?? 0) + 2,
        timeline: (before['timeline'] ?? 0) + 1,
      })
      const open = await first.db.read((tx) =>
        tx.all('select count(*) as count from quotes where used_by is null and expires_at > 0'),
      )
      expect(Number(open[0]?.['count'])).toBe((round + 1) * (MANY - 1))
    }
    expect(await checkInvariants(first.db)).toEqual([])
  })

  test('that want overlapping jobs of different lengths: those that got one share no half hour', async () => {
    const first = await openAll()
    const lengths = [120, 180, 240, 300]
    const jobs = await Promise.all(
      worlds.map((world, index) => quoteJob(world, { duration_minutes: lengths[index % 4] })),
    )
    const answers = await Promise.all(
      worlds.map((world, index) => {
        const start = timestampAt(
          `${String(8 + (index % 9)).padStart(2, '0')}:${index % 2 === 0 ? '00' : '30'}`,
        )
        return world.call('book_service', { ...jobs[index], starts_at: start }, { key: newKey() })
      }),
    )
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
    expect(answers.some(({ status }) => status === 201)).toBe(true)
    expect(await checkInvariants(first.db)).toEqual([])
  })

  test('while its provider cancels another booking: one of them gets the start, never two', async () => {
    const first = await openAll()
    const { provider_id } = await findProviderNamed(first)
    await bookJob(first, { starts_at: timestampAt('10:00') }, { scenario: 'provider_cancels' })
    const quotes = await Promise.all(worlds.map((world) => quoteJob(world)))
    await first.db.write((tx) => tx.run('update world set clock_service = clock_service + 780000'))
    const answers = await Promise.all(
      worlds.map((world, index) =>
        index % 8 === 0
          ? world.call('get_provider_availability', {
              provider_id,
              date: '2026-11-21',
              duration_minutes: 60,
            })
          : world.call(
              'book_service',
              { ...quotes[index], starts_at: timestampAt('10:00') },
              { key: newKey() },
            ),
      ),
    )
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1)
    await first.advance(0)
    expect(await checkInvariants(first.db)).toEqual([])
  })
})

function expectOneWinner(answers: readonly TestResponse[]): void {
  const won = answers.filter(({ status }) => status === 201)
  expect(won).toHaveLength(1)
  const lost = answers.filter(({ status }) => status === 409)
  expect(lost).toHaveLength(answers.length - 1)
  for (const { body } of lost) {
    expect(body['code']).toBe('slot_unavailable')
    expect(body['alternatives']).toHaveLength(3)
  }
}

describe.each(ENGINES)('on $name', (engine) => {
  test('a released start can be booked by a caller who lost it, with the same quote', async () => {
    const world = await openTestSandbox({ engine })
    const loser = await quoteJob(world)
    await bookJob(world, { starts_at: timestampAt('10:00') }, { scenario: 'provider_cancels' })
    const lost = { ...loser, starts_at: timestampAt('10:00') }
    expect((await world.call('book_service', lost, { key: newKey() })).status).toBe(409)
    await world.advance(12 * 60_000)
    expect((await world.call('book_service', lost, { key: newKey() })).status).toBe(201)
  })

  test('two jobs in one house that touch are both had; one that would begin in the buffer is not', async () => {
    const world = await openTestSandbox({ engine })
    await bookJob(world, { starts_at: timestampAt('10:00') })
    const body = await quoteJob(world)
    for (const [start, status] of [
      ['12:00', 409],
      ['07:30', 409],
      ['12:30', 201],
    ] as const) {
      const answer = await world.call(
        'book_service',
        { ...body, starts_at: timestampAt(start) },
        { key: newKey() },
      )
      expect([start, answer.status]).toEqual([start, status])
    }
    const other = await quoteJob(world)
    // Its buffer ends when the first one begins.
    await world.ok('book_service', { ...other, starts_at: timestampAt('15:00') }, { key: newKey() })
    // For others the travel may take half an hour more.
    expect(await startsOf(world, { duration_minutes: 60 })).toEqual(['08:00'])
    const far = {
      ...(await quoteJob(world, { place: CLAPHAM_JUNCTION, duration_minutes: 120 })),
      starts_at: timestampAt('08:00'),
    }
    expect((await world.call('book_service', far, { key: newKey() })).status).toBe(409)
  })
})

test('alternatives are the next open starts, and empty where no provider works', async () => {
  const world = await openTestSandbox()
  const { provider_id } = await findProviderNamed(world)
  const body = await quoteJob(world)
  const far = { ...body, starts_at: '2027-01-11T03:00:00Z' }
  expect(await world.refused('book_service', far, { key: newKey() })).toMatchObject({
    alternatives: ['2027-01-11T08:00:00.000Z', '2027-01-11T08:30:00.000Z', '2027-01-11T09:00:00.000Z'],
  })
  await world.db.write((tx) => tx.run(`update providers set week = '' where provider_id = $1`, provider_id))
  expect(await world.refused('book_service', far, { key: newKey() })).toMatchObject({
    code: 'slot_unavailable',
    alternatives: [],
  })
})
