import { describe, expect, test } from 'vitest'
import { PRESENTERS } from '../../src/areas/presenters.ts'
import { RESOURCES } from '../../src/areas/resources.ts'
import { describeState, presentResource } from '../../src/core/presenter.ts'
import type { Resource } from '../../src/core/resource.ts'

const LIVING = Object.entries<Resource>(RESOURCES).filter(([, { life }]) => life !== undefined)

test('every resource with a lifecycle has a presenter, and no other has one', () => {
  expect(Object.keys(PRESENTERS).toSorted()).toEqual(LIVING.map(([name]) => name).toSorted())
})

describe.each(Object.entries(PRESENTERS))('the presenter of %s', (name, load) => {
  test('is about this resource, and has words for each of its states', async () => {
    const presenter = await load()
    expect(presenter.resource).toBe(RESOURCES[name as keyof typeof RESOURCES])
    for (const status of Object.keys(presenter.states)) {
      const resource = { status, fulfillment_type: 'delivery' }
      const words = describeState(presenter, resource)
      expect(words).toMatch(/^[A-Z][^_.]*$/)
    }
    for (const final of presenter.resource.life.final) expect(Object.keys(presenter.states)).toContain(final)
    for (const reason of Object.values(presenter.reasons)) expect(reason).toMatch(/^$|^[A-Z].*\.$/)
  })
})

test('a dispatch that begins again has all of its path ahead, and a state beside the path none twice', async () => {
  const presenter = {
    ...(await PRESENTERS.ride()),
    title: () => '',
    notes: () => [],
    routeMap: () => null,
    arrival: () => null,
  }
  const entry = (status: string) => ({ status, at: '2026-11-20T12:00:00.000Z', by: 'driver', reason: null })
  const listUpcoming = (...states: string[]) =>
    presentResource(
      { ...presenter, expectedTimes: () => ({}), worker: () => null },
      { status: states.at(-1) ?? '', status_history: states.map(entry) },
      0,
    ).upcoming.map(({ status }) => status)
  expect(listUpcoming('processing', 'accepted', 'processing')).toEqual([
    'accepted',
    'arrived',
    'in_progress',
    'completed',
  ])
  expect(listUpcoming('processing', 'accepted', 'arriving')).toEqual(['arrived', 'in_progress', 'completed'])
  expect(listUpcoming('processing', 'cancelled')).toEqual([])
})

test('a stranger gets no member of a change but those that are named', async () => {
  const presenter = await PRESENTERS.store_order()
  const secret = { status: 'placed', at: '', by: 'store', reason: null, note: 'A secret', place: 'A secret' }
  expect(JSON.stringify(presenter.history({ status_history: [secret] }))).not.toContain('secret')
})
