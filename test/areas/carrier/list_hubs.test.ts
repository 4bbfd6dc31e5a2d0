import { beforeAll, expect, test } from 'vitest'
import type { OperationOutput } from '../../../src/client/operations.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

let world: TestSandbox

beforeAll(async () => {
  world = await openTestSandbox()
})

const codes = (page: { data: { code: string }[] }) => page.data.map(({ code }) => code)

test('shows the open depots of the agreement, in the carrier’s order', async () => {
  const page = await world.ok('list_hubs')
  expect(codes(page)).toEqual(['LON1', 'LON2', 'LON3', 'LON4', 'LON5'])
  expect(page.data[0]).toMatchObject({
    name: 'London Park Royal',
    address: {
      line1: 'Unit 4, Premier Park Road',
      city: 'London',
      postal_code: 'NW10 7NZ',
      country_code: 'GB',
    },
    timezone: 'Europe/London',
    collection: { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'], from: '08:00', cutoff: '17:00' },
    service_levels: ['same_day', 'next_day', 'two_day', 'economy'],
    capacity_per_day: 12_000,
    active: true,
  })
})

test('shows only those of the caller’s own agreement', async () => {
  expect(codes(await world.ok('list_hubs', {}, { as: 'shipper2' }))).toEqual(['LON1', 'LON4'])
})

test('shows the closed ones on request', async () => {
  expect(codes(await world.ok('list_hubs', { active: false }))).toEqual(['LON6'])
})

test('says that every hub is closed, where none is left open', async () => {
  const closed = await openTestSandbox()
  await closed.write((tx) => tx.run('update hubs set active = 0'))
  expect(await closed.ok('list_hubs', {}, { as: 'shipper2' })).toEqual({
    data: [],
    has_more: false,
    next_cursor: null,
    empty: { reason: 'all_closed', detail: 'All hubs of your agreement are closed now.', next: null },
  })
  const open = await world.ok('list_hubs', { active: false }, { as: 'shipper2' })
  expect(open).toEqual({ data: [], has_more: false, next_cursor: null })
})

test('puts the nearest to a postcode first', async () => {
  const page = await world.ok('list_hubs', { postal_code: 'CR2 6XH', country_code: 'GB' })
  expect(codes(page)[0]).toBe('LON4')
  expect(codes(page).toSorted()).toEqual(['LON1', 'LON2', 'LON3', 'LON4', 'LON5'])
})

test('comes in pages that join without a gap, near or not', async () => {
  for (const query of [{}, { postal_code: 'CR2 6XH', country_code: 'GB' }]) {
    const whole = codes(await world.ok('list_hubs', query))
    const walked: string[] = []
    let cursor: string | null = null
    do {
      const page: OperationOutput<'list_hubs'> = await world.ok('list_hubs', {
        ...query,
        limit: 2,
        ...(cursor !== null && { cursor }),
      })
      walked.push(...codes(page))
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(walked).toEqual(whole)
  }
})

test('rejects an incomplete place and an unknown one', async () => {
  const half = await world.refused('list_hubs', { postal_code: 'CR2 6XH' })
  expect(half.errors).toEqual([expect.objectContaining({ parameter: 'country_code', code: 'required' })])
  const unknown = await world.refused('list_hubs', { postal_code: 'QQ1 1AA', country_code: 'GB' })
  expect(unknown).toMatchObject({ status: 422, code: 'address_unresolvable' })
})
