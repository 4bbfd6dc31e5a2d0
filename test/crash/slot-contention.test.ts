/**
 * Sixteen programs compete for one slot of an embedded store, many times
 * (docs/rules/failure-model.md#unique-rows-carry-the-invariants).
 */
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { openEmbedded } from '../../src/host/embedded.ts'
import type { PrintedFailure } from '../support/answers.ts'
import { recordTally, iterations } from '../support/battery.ts'
import { checkInvariants } from '../support/invariants.ts'
import { builtProgram, type CommandResult, startDray, splitCommandLine } from '../support/program.ts'
import { ENGINES, makeTempFolder, openTestStore } from '../support/stores.ts'

const ROUNDS = iterations(5, 20)
const MANY = 16
const PLACE = { location: { latitude: 51.5188, longitude: -0.0814 }, name: 'Home' }

beforeAll(async () => {
  await builtProgram()
})

/** Returns starts that do not overlap: four a day, on the working days of one week. */
function startOf(round: number): string {
  const time = ['08:00', '10:30', '13:00', '15:30'][round % 4]
  return `2026-11-${23 + Math.floor(round / 4)}T${time}:00Z`
}

test('one gets it, the others are told what is open, pay nothing and leave nothing behind', async () => {
  const home = await makeTempFolder()
  const store = join(home, 'dray/data/default/dray.db')
  const env = { HOME: home, DRAY_HOME: join(home, 'dray'), DRAY_NOW: '2026-11-20T09:00:00Z' }
  const client = await openEmbedded(
    { kind: 'embedded', store, account: 'everything' },
    {
      now: () => Date.parse('2026-11-20T09:00:00Z'),
      random: (count) => crypto.getRandomValues(new Uint8Array(count)),
      weakRandomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
      env: { DRAY_NOW: '2026-11-20T09:00:00Z' },
      firstRun() {},
      debug() {},
    },
  )
  const found = await client.call('search_service_providers', { ...PLACE.location, category: 'cleaning' })
  const { provider_id = '' } = found.value.data[0] ?? {}
  const job = { provider_id, service_code: 'regular_clean', place: PLACE }
  const quote = async (): Promise<string> => (await client.call('quote_service', job)).value.quote_id
  const book = (quoteId: string, at: string): Promise<CommandResult> =>
    startDray(
      splitCommandLine(
        `services book --quote-id ${quoteId} --at ${at} --name Ana --yes --expected-total 36.00 --json --new`,
      ),
      { cwd: home, env },
    ).ended

  for (let round = 0; round < ROUNDS; round++) {
    const quotes: string[] = []
    while (quotes.length < MANY) quotes.push(await quote())
    const ran = await Promise.all(quotes.map((each) => book(each, startOf(round))))
    for (const { stdout, stderr } of ran) expect(stdout + stderr).not.toMatch(/locked|busy|SQLITE/i)
    expect(ran.filter(({ exitCode }) => exitCode === 0)).toHaveLength(1)
    const lost = ran.filter(({ exitCode }) => exitCode === 7).map((each) => each.json<PrintedFailure>())
    expect(lost).toHaveLength(MANY - 1)
    for (const failure of lost) {
      expect(failure['code']).toBe('slot_unavailable')
      expect(failure['alternatives']).toHaveLength(3)
    }
  }
  await client.close()

  const [engine] = ENGINES
  if (engine === undefined) throw new Error('there is SQLite')
  const db = await openTestStore(engine, { location: store })
  expect(await checkInvariants(db)).toEqual([])
  const counts = await db.read((tx) =>
    tx.get(
      `select (select count(*) from bookings) as bookings, (select count(*) from booked_cells) as cells,
         (select count(*) from payments) as payments,
         (select count(*) from quotes where used_by is null and kind = 'service') as open`,
    ),
  )
  await db.close()
  const bookings = Number(counts?.['bookings'])
  recordTally({
    tries: ROUNDS * MANY,
    lost: Math.max(0, ROUNDS - bookings),
    doubled: Math.max(0, bookings - ROUNDS),
  })
  expect(counts).toEqual({
    bookings: ROUNDS,
    cells: ROUNDS * 5,
    payments: ROUNDS,
    open: ROUNDS * (MANY - 1),
  })
})
