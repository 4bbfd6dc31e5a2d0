import { beforeEach, describe, expect, test } from 'vitest'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const CITY = { latitude: 51.5129, longitude: -0.0864 }

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  const list = (input: Record<string, unknown> = {}) => world.ok('list_task_types', input, { as: 'guest' })

  test('lists the types that have a qualified tasker, and no other', async () => {
    const { data, has_more } = await list()
    expect(data.map(({ task_type }) => task_type)).toEqual([
      'shelf_audit',
      'property_photo',
      'storefront_verification',
      'queue_hold',
      'meter_reading',
      'item_pickup',
    ])
    expect(has_more).toBe(false)
    for (const { staffed } of data) {
      expect(staffed).toMatchObject({ available: true, as_of: '2026-11-20T09:00:00.000Z' })
    }
  })

  test('shows the requirements as JSON Schema, and the evidence that it collects', async () => {
    const { data } = await list({ category: 'retail_audit' })
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({
      task_type: 'shelf_audit',
      requirements_schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        required: ['store_name', 'products'],
      },
      base_price: { amount: 1200, currency: 'GBP' },
      included_photos: 2,
      evidence: [
        { requirement_id: 'shelf_photos', kind: 'photo', min_count: 2, geofence_radius_m: 150 },
        { requirement_id: 'shelf_check', kind: 'checklist', min_count: 1 },
      ],
    })
  })

  test('lists only types that a tasker near the point can do', async () => {
    const here = await list(CITY)
    const suburb = await list({ latitude: 51.6, longitude: 0.12 })
    expect(suburb.data.length).toBeLessThan(here.data.length)
    expect((await list({ latitude: 53.48, longitude: -2.24 })).data).toEqual([])
  })

  test('gives a long list in pages', async () => {
    const first = await list({ limit: 4 })
    expect(first.has_more).toBe(true)
    const rest = await list({ limit: 4, cursor: first.next_cursor })
    expect(rest).toMatchObject({ has_more: false, next_cursor: null })
    expect([...first.data, ...rest.data]).toEqual((await list()).data)
    expect(
      await world.refused('list_task_types', {
        limit: 4,
        cursor: first.next_cursor,
        category: 'pickup',
      }),
    ).toMatchObject({ code: 'invalid_cursor' })
  })

  test('rejects half a point', async () => {
    expect(await world.refused('list_task_types', { latitude: 51.5 })).toMatchObject({
      code: 'invalid_request',
      errors: [{ parameter: 'longitude', code: 'required' }],
    })
  })
})
