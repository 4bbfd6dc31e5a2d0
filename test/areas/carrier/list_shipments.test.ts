import { beforeAll, describe, expect, test } from 'vitest'
import type { OperationOutput } from '../../../src/client/operations.ts'
import { iterations } from '../../support/battery.ts'
import { makeParcel, makeRows } from '../../support/parcel.ts'
import { fc } from '../../support/properties.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const HOUR = 3_600_000

type Query = Record<string, unknown>

type Page = OperationOutput<'list_shipments'>

type Row = Page['data'][number]

/** The meaning of each filter. */
const FITS: Record<string, (row: Row, value: string) => boolean> = {
  status: (row, values) => values.includes(row.status),
  service_level: (row, value) => row.service_level === value,
  reference: (row, value) => row.reference === value,
  batch_id: (row, value) => row.batch_id === value,
  customer: (row, value) => row.customer === value,
  created_from: (row, value) => row.created_at >= value,
  created_to: (row, value) => row.created_at < value,
  delivered_from: (row, value) => row.delivered_at !== null && row.delivered_at >= value,
  delivered_to: (row, value) => row.delivered_at !== null && row.delivered_at < value,
}

/** Returns every tracking number of a list, page by page. */
async function walk(world: TestSandbox, query: Query, limit: number): Promise<string[]> {
  const numbers: string[] = []
  let cursor: string | null = null
  do {
    const page: Page = await world.ok('list_shipments', {
      ...query,
      limit,
      ...(cursor !== null && { cursor }),
    })
    expect(page.data.length).toBeLessThanOrEqual(limit)
    expect(page.has_more).toBe(page.next_cursor !== null)
    numbers.push(...page.data.map(({ tracking_number }) => tracking_number))
    cursor = page.next_cursor
  } while (cursor !== null)
  return numbers
}

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox
  /** All parcels, newest first. */
  let all: Row[]

  const list = async () => (await world.ok('list_shipments', { limit: 100 })).data

  beforeAll(async () => {
    world = await openTestSandbox({ engine })
    await world.ok('create_shipments_batch', { shipments: makeRows(6) })
    for (let index = 0; index < 12; index++) {
      const scenario = ['happy', 'lost', 'attempt_fails;times=3', 'returned'][index % 4] ?? ''
      const service_level = index % 3 === 0 ? 'economy' : 'next_day'
      const customer = ['Green Cup', 'Blue Door', undefined][index % 3]
      const parcel = makeParcel({ reference: `S${index}`, service_level, customer })
      await world.ok('create_shipment', parcel, { scenario })
      await world.advance(7 * HOUR)
    }
    await world.ok('create_shipment', makeParcel({ reference: 'other' }), { as: 'shipper' })
    const cancelled = await world.ok('create_shipment', makeParcel({ reference: 'S99' }))
    await world.ok('cancel_shipment', { tracking_number: cancelled.tracking_number })
    await world.ok('create_shipment', makeParcel({ reference: 'S99' }))
    all = await list()
  })

  test('shows the caller’s own parcels, newest first, without their events', () => {
    expect(all).toHaveLength(20)
    expect(all.map(({ reference }) => reference).slice(0, 3)).toEqual(['S99', 'S99', 'S11'])
    expect(all.map(({ reference }) => reference)).not.toContain('other')
    expect(all.some((row) => 'scan_history' in row)).toBe(false)
    expect(new Set(all.map(({ status }) => status)).size).toBeGreaterThan(2)
  })

  test('shows each parcel byte for byte as it is shown alone, whatever its texts hold', async () => {
    const marks = fc.constantFrom(
      '"',
      '\\',
      '{',
      '}',
      ',"zone":"',
      '\\",',
      'Grüße',
      'Привет',
      '漢字',
      'مرحبا',
      '🚚',
    )
    const words = fc.array(marks, { minLength: 1, maxLength: 6 }).map((some) => some.join(' '))
    const { ok, call, db } = await openTestSandbox({ engine })
    for (const [index, name] of fc.sample(words, 12).entries()) {
      const { parcel, recipient } = makeParcel()
      const made = await ok(
        'create_shipment',
        makeParcel({
          reference: name.slice(0, 60) + index,
          recipient: { ...(recipient as object), contact: { name }, company: name },
          parcel: { ...(parcel as object), description: name },
          options: { leave_safe_place: name },
        }),
        { scenario: ['happy', 'lost', 'attempt_fails;times=3'][index % 3] ?? '' },
      )
      if (index % 4 === 0) await ok('cancel_shipment', { tracking_number: made.tracking_number, note: name })
    }
    const isShown = async (): Promise<void> => {
      const page = await call('list_shipments', { limit: 100 })
      const { data, ...rest } = page.body as Page
      const alone: unknown[] = []
      for (const { tracking_number } of data) {
        const one = await ok('get_shipment', { tracking_number })
        const { scan_history: _, timezone: __, local_times: ___, ...summary } = one
        alone.push(summary)
      }
      expect(alone).toHaveLength(12)
      expect(page.text).toBe(JSON.stringify({ data: alone, ...rest }))
    }
    await isShown()
    // A document of another order cannot be cut.
    await db.write(async (tx) => {
      for (const row of await tx.all('select tracking_number, doc from shipments')) {
        const members = Object.entries(JSON.parse(String(row['doc'])) as object).toReversed()
        const doc = JSON.stringify(Object.fromEntries(members))
        await tx.run(
          'update shipments set doc = $1 where tracking_number = $2',
          doc,
          String(row['tracking_number']),
        )
      }
    })
    await isShown()
  })

  test('any filters on pages of any length give exactly the rows that fit, in order', async () => {
    const instants = [
      ...new Set(all.flatMap(({ created_at, delivered_at }) => [created_at, delivered_at ?? created_at])),
    ]
    const statuses = [...new Set(all.map(({ status }) => status)), 'returned', 'in_transit']
    const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
    const queries = fc.record({
      status: optional(fc.uniqueArray(fc.constantFrom(...statuses), { minLength: 1, maxLength: 3 })),
      service_level: optional(fc.constantFrom('economy', 'next_day')),
      reference: optional(fc.constantFrom('S99', 'S3', 'R2', 'none')),
      batch_id: optional(fc.constantFrom(...all.flatMap(({ batch_id }) => batch_id ?? []))),
      customer: optional(fc.constantFrom('Green Cup', 'Blue Door', 'nobody')),
      created_from: optional(fc.constantFrom(...instants)),
      created_to: optional(fc.constantFrom(...instants)),
      delivered_from: optional(fc.constantFrom(...instants)),
      delivered_to: optional(fc.constantFrom(...instants)),
    })
    await fc.assert(
      fc.asyncProperty(queries, fc.integer({ min: 1, max: 8 }), async (drawn, limit) => {
        const query = Object.fromEntries(Object.entries(drawn).filter(([, value]) => value !== undefined))
        const expected = all.filter((row) =>
          Object.entries(query).every(([name, value]) => FITS[name]?.(row, value as string)),
        )
        expect(await walk(world, query, limit)).toEqual(
          expected.map(({ tracking_number }) => tracking_number),
        )
      }),
      { numRuns: engine.name === 'SQLite' ? iterations(120, 300) : iterations(40, 100) },
    )
  })

  test('rows that are created during a walk neither repeat nor shift it', async () => {
    const first = await world.ok('list_shipments', { limit: 8 })
    await world.ok('create_shipments_batch', { shipments: makeRows(5, 'N') })
    const rest = await world.ok('list_shipments', { limit: 100, cursor: first.next_cursor })
    const numbers = [...first.data, ...rest.data].map(({ tracking_number }) => tracking_number)
    expect(numbers).toEqual(all.map(({ tracking_number }) => tracking_number))
  })
})

describe('a list', () => {
  let world: TestSandbox

  beforeAll(async () => {
    world = await openTestSandbox()
    await world.ok('create_shipments_batch', { shipments: makeRows(30) })
  })

  test('has 25 rows on a page by default', async () => {
    expect((await world.ok('list_shipments')).data).toHaveLength(25)
  })

  test('shows to each caller their own parcels, made and cancelled since it was last asked', async () => {
    const other = { as: 'shipper' }
    const first = async (options = {}) =>
      (await world.ok('list_shipments', { limit: 1 }, options)).data.map(({ status }) => status)
    expect([await first(), await first(other)]).toEqual([['pre_transit'], []])
    const { tracking_number } = await world.ok('create_shipment', makeParcel(), other)
    expect([await first(), await first(other)]).toEqual([['pre_transit'], ['pre_transit']])
    await world.ok('cancel_shipment', { tracking_number, reason_code: 'address_wrong' }, other)
    expect([await first(), await first(other)]).toEqual([['pre_transit'], ['cancelled']])
  })

  test('takes a date as its midnight in London, in summer too', async () => {
    const summer = await openTestSandbox({ at: Date.parse('2026-06-30T22:59:59.999Z') })
    await summer.ok('create_shipment', makeParcel())
    await summer.advance(1)
    const { tracking_number } = await summer.ok('create_shipment', makeParcel())
    const { data } = await summer.ok('list_shipments', { created_from: '2026-07-01' })
    expect(data.map((row) => row.tracking_number)).toEqual([tracking_number])
  })

  test('brings every parcel that it shows to where the clock is', async () => {
    await world.write(async (tx) => {
      const { frozenClock } = await import('../../../src/core/clock.ts')
      const { saveClock } = await import('../../../src/db/world.ts')
      await saveClock(tx, frozenClock(Date.parse('2026-11-20T17:00:00.000Z')))
    })
    const { data } = await world.ok('list_shipments', { status: ['in_transit'], limit: 100 })
    expect(data).toHaveLength(30)
  })

  test.each([
    ['limit', 0],
    ['limit', 101],
    ['status', ['gone']],
    ['status', []],
    ['created_from', '2026-02-30'],
    ['created_to', '2026-11-20T09:00:00'],
    ['delivered_from', 'yesterday'],
    ['service_level', 'fast'],
    ['sort', 'asc'],
  ])('refuses %s=%j', async (name, value) => {
    const problem = await world.refused('list_shipments', { [name]: value })
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(problem.errors[0]?.parameter).toBe(name)
  })

  test('rejects a cursor that was altered, or belongs to other filters, another list or another account', async () => {
    const { next_cursor } = await world.ok('list_shipments', { limit: 5 })
    const cursor = next_cursor ?? ''
    const tries = [
      { cursor: `${cursor.slice(0, -2)}AA` },
      { cursor: `${cursor}A` },
      { cursor: `${cursor}=` },
      { cursor: ` ${cursor}` },
      { cursor: '' },
      { cursor: 'x' },
      { cursor, service_level: 'next_day' },
    ]
    for (const query of tries) {
      expect(await world.refused('list_shipments', query)).toMatchObject({
        status: 400,
        code: 'invalid_cursor',
      })
    }
    expect(await world.refused('list_hubs', { cursor })).toMatchObject({ code: 'invalid_cursor' })
    expect(await world.refused('list_shipments', { cursor }, { as: 'shipper2' })).toMatchObject({
      code: 'invalid_cursor',
    })
  })
})
