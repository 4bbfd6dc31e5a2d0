import { beforeEach, describe, expect, test } from 'vitest'
import { makeParcel, makeRows } from '../../support/parcel.ts'
import { fc } from '../../support/properties.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  describe('the same manifest after parcels of it were cancelled', () => {
    const skip = { on_cancelled: 'skip' }

    /** Cancels the parcels of these references, and returns their numbers. */
    async function cancel(...references: string[]): Promise<string[]> {
      const numbers: string[] = []
      for (const reference of references) {
        const { data } = await world.ok('list_shipments', { reference })
        const number = data.find(({ status }) => status !== 'cancelled')?.tracking_number ?? ''
        await world.ok('cancel_shipment', { tracking_number: number })
        numbers.push(number)
      }
      return numbers
    }

    test('creates them again, unless they shall be skipped; the plan says the same', async () => {
      const shipments = makeRows(5)
      await world.ok('create_shipments_batch', { shipments })
      const [second, fourth] = await cancel('R2', 'R4')
      const planned = await world.ok('create_shipments_batch', { shipments, ...skip, price_only: true })
      const { counts, results } = await world.ok('create_shipments_batch', { shipments, ...skip })
      expect(planned.results).toEqual(results)
      expect(counts).toEqual({ total: 5, created: 0, duplicate: 5, rejected: 0 })
      expect(results.map(({ reason }) => reason?.code)).toEqual([
        'already_exists',
        'cancelled_before',
        'already_exists',
        'cancelled_before',
        'already_exists',
      ])
      // It is no parcel to be labelled or followed.
      expect(results[1]).toEqual({
        row: 2,
        reference: 'R2',
        result: 'duplicate',
        cancelled_tracking_number: second,
        reason: {
          code: 'cancelled_before',
          detail: `The same parcel was created and cancelled before: ${second}.`,
        },
      })
      expect(results[3]?.cancelled_tracking_number).toBe(fourth)

      const again = await world.ok('create_shipments_batch', { shipments })
      expect(again.counts).toEqual({ total: 5, created: 2, duplicate: 3, rejected: 0 })
      // The parcels that live now go before the cancelled ones.
      const last = await world.ok('create_shipments_batch', { shipments, ...skip })
      expect(last.results.map(({ reason }) => reason?.code)).toEqual(Array(5).fill('already_exists'))
      expect(last.results[1]?.tracking_number).toBe(again.results[1]?.tracking_number)
    })

    test('creates a row that was changed, and names the parcel that was cancelled', async () => {
      await world.ok('create_shipments_batch', { shipments: makeRows(1) })
      const [wrong] = await cancel('R1')
      const mended = [makeParcel({ reference: 'R1' }, { line1: '14 Friar Street' })]
      const [planned] = (
        await world.ok('create_shipments_batch', { shipments: mended, ...skip, price_only: true })
      ).results
      expect(planned).toMatchObject({ result: 'created', cancelled_tracking_number: wrong })
      const [created] = (await world.ok('create_shipments_batch', { shipments: mended, ...skip })).results
      expect(created).toMatchObject({
        result: 'created',
        cancelled_tracking_number: wrong,
        total: planned?.total,
      })
      expect(created?.tracking_number).not.toBe(wrong)
    })

    test('leaves a row out that is any of several cancelled parcels of its reference', async () => {
      const versions = ['12 Friar Street', '13 Friar Street', '14 Friar Street'].map((line1) =>
        makeParcel({ reference: 'R1' }, { line1 }),
      )
      for (const version of versions) {
        await world.ok('create_shipments_batch', { shipments: [version], ...skip })
        await cancel('R1')
      }
      for (const version of versions) {
        const { results } = await world.ok('create_shipments_batch', { shipments: [version], ...skip })
        expect(results[0]?.reason?.code).toBe('cancelled_before')
      }
    })

    test('creates nothing by a second row of the reference, neither the same nor another', async () => {
      await world.ok('create_shipments_batch', { shipments: makeRows(1) })
      await cancel('R1')
      const other = makeParcel({ reference: 'R1' }, { line1: '14 Friar Street' })
      const shipments = [...makeRows(1), ...makeRows(1), other]
      const { counts, results } = await world.ok('create_shipments_batch', { shipments, ...skip })
      expect(counts).toEqual({ total: 3, created: 0, duplicate: 2, rejected: 1 })
      expect(results.map(({ reason, tracking_number }) => [reason?.code, tracking_number])).toEqual([
        ['cancelled_before', undefined],
        ['duplicate_in_manifest', undefined],
        ['reference_conflict', undefined],
      ])
    })

    test('is another request under its key with the other wish', async () => {
      const shipments = makeRows(1)
      await world.call('create_shipments_batch', { shipments }, { key: 'one' })
      const { body } = await world.call('create_shipments_batch', { shipments, ...skip }, { key: 'one' })
      expect(body).toMatchObject({ code: 'idempotency_key_reused' })
    })

    test('skips the parcels of the caller only', async () => {
      const shipments = makeRows(1)
      await world.ok('create_shipments_batch', { shipments }, { as: 'shipper2' })
      const { data } = await world.ok('list_shipments', { reference: 'R1' }, { as: 'shipper2' })
      await world.ok('cancel_shipment', { tracking_number: data[0]?.tracking_number }, { as: 'shipper2' })
      const { counts } = await world.ok('create_shipments_batch', { shipments, ...skip }, { as: 'shipper' })
      expect(counts.created).toBe(1)
    })
  })

  test.each([
    ['a field', { parcel: { weight_grams: 0, length_mm: 200, width_mm: 150, height_mm: 50 } }, {}],
    ['its address', {}, { postal_code: 'QQ1 1AA' }],
    ['its service', { service_level: 'same_day' }, { postal_code: 'EH1 1AA' }],
  ])(
    'a row that is refused for %s keeps its reference from the parcel of another',
    async (_, more, address) => {
      const { results } = await world.ok('create_shipments_batch', {
        shipments: [
          makeParcel({ reference: '00005', ...more }, address),
          makeParcel({ reference: '00005' }, { line1: '101 Rye Lane' }),
          makeParcel({ reference: '00006' }),
        ],
      })
      expect(results.map(({ result, reason }) => [result, reason?.code, reason?.duplicate_of_row])).toEqual([
        ['rejected', expect.any(String), undefined],
        ['rejected', 'reference_conflict', 1],
        ['created', undefined, undefined],
      ])
    },
  )

  test('an empty template, tags and JSON are rejected in a row', async () => {
    const { results } = await world.ok('create_shipments_batch', {
      shipments: [
        makeParcel({ reference: 'M1' }, { line1: '{{address.line1}}' }),
        makeParcel({ reference: 'M2' }, { line1: '101 Rye Lane<br/>Peckham' }),
        makeParcel({ reference: 'M3' }, { line1: '{"address1":"7 Weaver Row"}' }),
        makeParcel({ reference: 'M4' }, { line1: '101 Rye Lane' }),
      ],
    })
    expect(results.map(({ result, reason }) => [result, reason?.errors?.[0]?.pointer])).toEqual([
      ...Array.from({ length: 3 }, () => ['rejected', '/recipient/address/line1']),
      ['created', undefined],
    ])
  })

  test('every row is answered in order: created, duplicate or rejected with the reason', async () => {
    await world.ok('create_shipment', makeParcel({ reference: 'old' }))
    const { batch_id, counts, results, manifest_reference } = await world.ok('create_shipments_batch', {
      manifest_reference: 'M-118',
      shipments: [
        makeParcel({ reference: 'A1' }),
        makeParcel({ reference: 'A1' }),
        makeParcel({ reference: 'A1', service_level: 'economy' }),
        makeParcel({ reference: 'A3' }, { postal_code: undefined }),
        makeParcel(),
        makeParcel({ reference: 'A5' }, { country_code: 'FR' }),
        makeParcel({ reference: 'A6', service_level: 'same_day' }, { postal_code: 'EH1 1AA' }),
        makeParcel({
          reference: 'A7',
          parcel: { weight_grams: 40_000, length_mm: 1, width_mm: 1, height_mm: 1 },
        }),
        makeParcel({ reference: 'A8', hub_id: 'LON6' }),
        makeParcel({ reference: 'A9' }, { postal_code: 'QQ1 1AA' }),
        makeParcel({ reference: 'old' }),
        makeParcel({ reference: 'old', service_level: 'economy' }),
        {},
        makeParcel({ reference: 'A5' }),
      ],
    })
    expect(batch_id).toMatch(/^bat_/)
    expect(manifest_reference).toBe('M-118')
    expect(counts).toEqual({ total: 14, created: 1, duplicate: 2, rejected: 11 })
    expect(results.map(({ row }) => row)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
    expect(results.map(({ result, reason }) => [result, reason?.code])).toEqual([
      ['created', undefined],
      ['duplicate', 'duplicate_in_manifest'],
      ['rejected', 'reference_conflict'],
      ['rejected', 'invalid_row'],
      ['rejected', 'missing_reference'],
      ['rejected', 'destination_not_covered'],
      ['rejected', 'service_level_not_available'],
      ['rejected', 'parcel_limits_exceeded'],
      ['rejected', 'hub_not_found'],
      ['rejected', 'address_unresolvable'],
      ['duplicate', 'already_exists'],
      ['rejected', 'reference_conflict'],
      ['rejected', 'invalid_row'],
      // The first `A5` was rejected, and keeps its reference.
      ['rejected', 'reference_conflict'],
    ])
    const [first, second, third, fourth] = results
    expect(first).toMatchObject({ reference: 'A1', total: { amount: 612, currency: 'GBP' } })
    expect(second).toMatchObject({ tracking_number: first?.tracking_number, reason: { duplicate_of_row: 1 } })
    expect(third?.tracking_number).toBeUndefined()
    expect(third?.reason).toMatchObject({ duplicate_of_row: 1 })
    expect(fourth?.reason?.errors).toEqual([
      { pointer: '/recipient/address/postal_code', code: 'required', detail: 'postal_code is required' },
    ])
    expect(results[4]).toMatchObject({
      reference: null,
      reason: { errors: [{ pointer: '/reference', code: 'required' }] },
    })
    expect(results[12]?.reason).toMatchObject({ code: 'invalid_row', detail: '4 fields do not fit.' })
    expect(results[12]?.reason?.errors?.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/recipient required',
      '/parcel required',
      '/service_level required',
      '/reference required',
    ])
    expect(results[10]?.tracking_number).toBe('ZC968043370GB')
    expect(results[11]?.reason?.existing_tracking_number).toBe('ZC968043370GB')
    const listed = await world.ok('list_shipments', { batch_id })
    expect(listed.data.map(({ reference }) => reference)).toEqual(['A1'])
  })

  test('the same manifest with a new key creates nothing and names the same parcels', async () => {
    const shipments = makeRows(120)
    const first = await world.ok('create_shipments_batch', { shipments }, { key: 'k1' })
    await world.advance(3 * 86_400_000)
    const second = await world.ok('create_shipments_batch', { shipments }, { key: 'k2' })
    expect(second.counts).toEqual({ total: 120, created: 0, duplicate: 120, rejected: 0 })
    expect(second.results.map(({ tracking_number }) => tracking_number)).toEqual(
      first.results.map(({ tracking_number }) => tracking_number),
    )
    expect(second.results.every(({ reason }) => reason?.code === 'already_exists')).toBe(true)
    expect(second.results.map(({ total }) => total)).toEqual(first.results.map(({ total }) => total))
    const priced = await world.ok('create_shipments_batch', { shipments, price_only: true })
    expect(priced.results).toEqual(second.results)
  })

  test('only the first of equal rows has the price, so that a sum of them is right', async () => {
    const shipments = [makeParcel({ reference: 'A1' }), makeParcel({ reference: 'A1' })]
    const { results } = await world.ok('create_shipments_batch', { shipments })
    expect(results.map(({ total }) => total?.amount)).toEqual([612, undefined])
  })

  test('the same key gives the same answer, byte for byte', async () => {
    const input = { shipments: makeRows(3) }
    const first = await world.call('create_shipments_batch', input, { key: 'k' })
    expect((await world.call('create_shipments_batch', input, { key: 'k' })).text).toBe(first.text)
    expect((await world.ok('list_shipments')).data).toHaveLength(3)
  })

  test('calls that overlap create each reference once', async () => {
    const shipments = makeRows(40)
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        world.ok('create_shipments_batch', {
          shipments: index % 2 === 0 ? shipments : shipments.toReversed(),
        }),
      ),
    )
    expect(answers.map(({ counts }) => counts.created).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 40])
    expect(answers.every(({ counts }) => counts.rejected === 0)).toBe(true)
    const { data } = await world.ok('list_shipments', { limit: 100 })
    expect(new Set(data.map(({ reference }) => reference)).size).toBe(40)
    expect(data).toHaveLength(40)
  })
})

describe('a manifest', () => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox()
  })

  test('of 500 rows is taken, of 501 rejected whole', async () => {
    const problem = await world.refused('create_shipments_batch', { shipments: makeRows(501) })
    expect(problem).toMatchObject({ status: 422, code: 'manifest_too_large', limit: 500 })
    expect((await world.ok('list_shipments')).data).toEqual([])
    const { counts, results } = await world.ok('create_shipments_batch', { shipments: makeRows(500) })
    expect(counts.created).toBe(500)
    expect(new Set(results.map(({ tracking_number }) => tracking_number)).size).toBe(500)
  })

  test('of no rows is rejected', async () => {
    const problem = await world.refused('create_shipments_batch', { shipments: [] })
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' })
  })

  test('of rows that are no objects is rejected', async () => {
    const problem = await world.refused('create_shipments_batch', {
      shipments: [makeParcel({ reference: 'A' }), 'B'],
    })
    expect(problem.errors).toEqual([expect.objectContaining({ pointer: '/shipments/1', code: 'wrong_type' })])
  })

  test('gives its level and its depot to rows that name none', async () => {
    const { service_level: _level, ...row } = makeParcel({ reference: 'A' })
    const { results } = await world.ok('create_shipments_batch', {
      default_service_level: 'economy',
      default_hub_id: 'LON3',
      shipments: [row, makeParcel({ reference: 'B', hub_id: 'LON1' })],
    })
    const [first, second] = await Promise.all(
      results.map(({ tracking_number }) => world.ok('get_shipment', { tracking_number })),
    )
    expect(first).toMatchObject({ service_level: 'economy', label: { route_code: 'LON3-RG-B-EC' } })
    expect(second).toMatchObject({ service_level: 'next_day', label: { route_code: 'LON1-RG-B-ND' } })
  })

  test('is collected parcel by parcel, each when its own level leaves the depot', async () => {
    const { results } = await world.ok('create_shipments_batch', {
      shipments: [
        makeParcel({ reference: 'A', service_level: 'next_day' }),
        makeParcel({ reference: 'B', service_level: 'same_day' }),
      ],
    })
    await world.advance(12 * 3_600_000)
    const parcels = await Promise.all(
      results.map(({ tracking_number }) => world.ok('get_shipment', { tracking_number })),
    )
    expect(parcels.map(({ collected_at }) => collected_at)).toEqual([
      '2026-11-20T17:00:00.000Z',
      '2026-11-20T13:00:00.000Z',
    ])
  })

  test('creates nothing if all its rows are bad, and gives the fault of each', async () => {
    const { counts } = await world.ok('create_shipments_batch', { shipments: [{}, { reference: 'x' }] })
    expect(counts).toEqual({ total: 2, created: 0, duplicate: 0, rejected: 2 })
  })

  test('repeats a single parcel of the same content', async () => {
    const single = await world.ok('create_shipment', makeParcel({ reference: 'A' }))
    const { results } = await world.ok('create_shipments_batch', {
      shipments: [makeParcel({ reference: 'A' })],
    })
    expect(results).toEqual([
      expect.objectContaining({ result: 'duplicate', tracking_number: single.tracking_number }),
    ])
  })

  test('plays its scenario on every parcel', async () => {
    const { results } = await world.ok(
      'create_shipments_batch',
      { shipments: makeRows(3) },
      { scenario: 'returned' },
    )
    await world.advance(20 * 86_400_000)
    for (const { tracking_number } of results) {
      expect((await world.ok('get_shipment', { tracking_number })).status).toBe('returned')
    }
  })

  test('of any rows: results are complete, counts add up, and a second time nothing is created', async () => {
    const rows = fc.array(
      fc.record({
        reference: fc.constantFrom('a', 'b', 'c', 'd', undefined),
        service_level: fc.constantFrom('next_day', 'same_day', 'fast'),
        postal_code: fc.constantFrom('RG1 1DB', 'EH1 1AA', 'QQ1 1AA', 'RG1'),
      }),
      { minLength: 1, maxLength: 12 },
    )
    await fc.assert(
      fc.asyncProperty(rows, fc.uuid(), async (drawn, prefix) => {
        const shipments = drawn.map(({ reference, service_level, postal_code }) =>
          makeParcel(
            { service_level, ...(reference !== undefined && { reference: `${prefix}${reference}` }) },
            { postal_code },
          ),
        )
        const first = await world.ok('create_shipments_batch', { shipments })
        const second = await world.ok('create_shipments_batch', { shipments })
        for (const { counts, results } of [first, second]) {
          expect(results.map(({ row }) => row)).toEqual(shipments.map((_, index) => index + 1))
          expect(counts.created + counts.duplicate + counts.rejected).toBe(counts.total)
          expect(counts.total).toBe(shipments.length)
        }
        expect(second.counts.created).toBe(0)
        const numbers = first.results.flatMap(({ result, tracking_number }) =>
          result === 'created' ? [tracking_number] : [],
        )
        expect(new Set(numbers).size).toBe(first.counts.created)
        for (const [index, { result, tracking_number }] of first.results.entries()) {
          if (result === 'rejected') continue
          expect(second.results[index]).toMatchObject({ result: 'duplicate', tracking_number })
        }
      }),
      { numRuns: 60 },
    )
  })
})
